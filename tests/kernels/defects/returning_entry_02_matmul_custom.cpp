// C = A * B with the Cube unit through the Matmul class; one core computes the whole product.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace matmul;

extern "C" __global__ __aicore__ int32_t matmul_custom(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling)  // expect: error
{
    GET_TILING_DATA(tilingData, tiling);
    TCubeTiling cubeTiling = tilingData.cubeTilingData;
    AscendC::GlobalTensor<half> aGlobal;
    AscendC::GlobalTensor<half> bGlobal;
    AscendC::GlobalTensor<float> cGlobal;
    aGlobal.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(a), cubeTiling.M * cubeTiling.Ka);
    bGlobal.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(b), cubeTiling.Kb * cubeTiling.N);
    cGlobal.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(c), cubeTiling.M * cubeTiling.N);

    AscendC::TPipe pipe;
    typedef MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half> AType;
    typedef MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half> BType;
    typedef MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float> CType;
    Matmul<AType, BType, CType> product;
    REGIST_MATMUL_OBJ(&pipe, AscendC::GetSysWorkSpacePtr(), product, &cubeTiling);
    product.SetTensorA(aGlobal);
    product.SetTensorB(bGlobal);
    product.IterateAll(cGlobal);
    product.End();
}
