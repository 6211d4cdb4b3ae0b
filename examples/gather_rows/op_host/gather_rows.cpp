#include "gather_rows_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext *context)
{
    GatherRowsTilingData tiling;
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    tiling.set_rowCount(context->GetInputShape(0)->GetOriginShape().GetShapeSize() / context->GetInputShape(0)->GetOriginShape().GetDim(context->GetInputShape(0)->GetOriginShape().GetDimNum() - 1));
    tiling.set_width(context->GetInputShape(0)->GetOriginShape().GetDim(context->GetInputShape(0)->GetOriginShape().GetDimNum() - 1));
    context->SetBlockDim(platform.GetCoreNumAiv());
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}
}

namespace ops {
class GatherRows : public OpDef {
public:
    explicit GatherRows(const char *name) : OpDef(name)
    {
        this->Input("table").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("index").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(GatherRows);
}
