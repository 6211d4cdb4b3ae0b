"""The host side of a dynamic kernel: its tiling header and its operator definition."""

from __future__ import annotations

from kernelgen_ls.kernel.dtypes import BY_KERNEL
from kernelgen_ls.training.corpus.operators import Operator
from kernelgen_ls.training.corpus.words import pascal


def tiling_header(operator: Operator, struct: str, fields: list[tuple[str, str]]) -> str:
    """The header that declares the tiling data; ``fields`` are (type, name)."""
    guard = f"{operator.name.upper()}_TILING_H"
    lines = [
        f"#ifndef {guard}",
        f"#define {guard}",
        '#include "register/tilingdata_base.h"',
        "",
        "namespace optiling {",
    ]
    lines.append(f"BEGIN_TILING_DATA_DEF({struct})")
    lines += [f"TILING_DATA_FIELD_DEF({type_}, {name});" for type_, name in fields]
    lines += ["END_TILING_DATA_DEF;", "", f"REGISTER_TILING_DATA_CLASS({pascal(*operator.words)}, {struct})"]
    return "\n".join([*lines, "}", f"#endif // {guard}", ""])


def host_file(operator: Operator, struct: str, sizes: dict[str, tuple[str, str]]) -> str:
    """The operator definition and a tiling function; ``sizes`` maps a logical size to (field, value)."""
    shape = "context->GetInputShape(0)->GetOriginShape()"
    known = {
        "total": f"{shape}.GetShapeSize()",
        "rows": f"{shape}.GetShapeSize() / {shape}.GetDim({shape}.GetDimNum() - 1)",
        "cols": f"{shape}.GetDim({shape}.GetDimNum() - 1)",
    }
    name = pascal(*operator.words)
    lines = [
        f'#include "{operator.name}_tiling.h"', '#include "register/op_def_registry.h"',
        '#include "tiling/platform/platform_ascendc.h"', "", "namespace optiling {",
        "static ge::graphStatus TilingFunc(gert::TilingContext *context)", "{", f"    {struct} tiling;",
        "    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());",
    ]  # fmt: skip
    lines += [f"    tiling.set_{field}({known.get(key, value)});" for key, (field, value) in sizes.items()]
    lines += [
        "    context->SetBlockDim(platform.GetCoreNumAiv());",
        "    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());",
        "    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());",
        "    return ge::GRAPH_SUCCESS;", "}", "}", "",
        "namespace ops {", f"class {name} : public OpDef {{", "public:",
        f"    explicit {name}(const char *name) : OpDef(name)", "    {",
    ]  # fmt: skip
    for role, tensors in (("Input", operator.inputs), ("Output", (operator.output,))):
        for tensor in tensors:
            dtype = BY_KERNEL[tensor.dtype].graph
            lines.append(
                f'        this->{role}("{tensor.name}").ParamType(REQUIRED).DataType({{ge::{dtype}}})'
                ".Format({ge::FORMAT_ND});"
            )
    lines += [
        "        this->AICore().SetTiling(optiling::TilingFunc);",
        '        this->AICore().AddConfig("ascend910b");',
        "    }",
        "};",
    ]
    return "\n".join([*lines, f"OP_ADD({name});", "}", ""])
