// The Matmul object.
#ifndef KERNELGEN_TWIN_MATMUL_BODIES_H
#define KERNELGEN_TWIN_MATMUL_BODIES_H

namespace kgtwin {

template <typename T> void setMatrix(Matmul &matmul, Matrix &matrix, const AscendC::GlobalTensor<T> &tensor)
{
    matrix.source = Matrix::Source::global;
    matrix.global = tensor.twin;
    matmul.first = true;
}
template <typename T> void setMatrix(Matmul &matmul, Matrix &matrix, const AscendC::LocalTensor<T> &tensor)
{
    matrix.source = Matrix::Source::local;
    matrix.local = tensor.twin;
    matmul.first = true;
}
template <typename T> void setScalar(Matmul &matmul, Matrix &matrix, const T &value)
{
    matrix.source = Matrix::Source::scalar;
    matrix.bits = bitsOf(value);
    matrix.transposed = false;
    matmul.first = true;
}
template <typename T> AscendC::GlobalTensor<T> tensorOf(const Global &global)
{
    AscendC::GlobalTensor<T> tensor;
    tensor.twin = global;
    return tensor;
}

inline void registerMatmuls() {}
template <typename Object> void registerMatmuls(Object &&object) {}
template <typename Object, typename Next, typename... More> void registerMatmuls(Object &&object, Next &&next, More &&...more)
{
    if constexpr (std::is_convertible_v<Next, const TCubeTiling *>) {
        object.Init(next);
        registerMatmuls(std::forward<More>(more)...);
    } else
        registerMatmuls(std::forward<Next>(next), std::forward<More>(more)...);
}

}

namespace AscendC {

#define KGTWIN_MATMUL                                                                                                  \
    template <typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE, const auto &MM_CFG,               \
              typename CALL_BACK, template <const auto &, typename, typename, typename, typename, typename> class POLICY>
#define KGTWIN_MATMUL_OBJECT MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, CALL_BACK, POLICY>

KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::Init(const TCubeTiling *tiling, TPipe *)
{
    KGTWIN_CALL;
    ::kgtwin::matmulBegin(twin, tiling);
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetOrgShape(int orgM, int orgN, int orgK) { SetOrgShape(orgM, orgN, orgK, orgK, 0); }
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc)
{
    twin.sizes.m = orgM;
    twin.sizes.n = orgN;
    twin.sizes.ka = orgKa;
    twin.sizes.kb = orgKb;
    twin.sizes.kc = orgKc;
    twin.first = true;
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetSingleShape(int singleM, int singleN, int singleK) { SetTail(singleM, singleN, singleK); }
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetTail(int tailM, int tailN, int tailK)
{
    if (tailM != -1) twin.sizes.singleM = tailM;
    if (tailN != -1) twin.sizes.singleN = tailN;
    if (tailK != -1) twin.sizes.singleK = tailK;
    twin.first = true;
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetTensorA(const GlobalTensor<SrcAT> &gm, bool isTransposeA)
{
    KGTWIN_CALL;
    ::kgtwin::setMatrix(twin, twin.a, gm);
    ::kgtwin::matmulTransposed(twin.a, isTransposeA, "A");
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetTensorA(const LocalTensor<SrcAT> &leftMatrix, bool isTransposeA)
{
    KGTWIN_CALL;
    ::kgtwin::setMatrix(twin, twin.a, leftMatrix);
    ::kgtwin::matmulTransposed(twin.a, isTransposeA, "A");
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetTensorA(SrcAT aScalar) { ::kgtwin::setScalar(twin, twin.a, aScalar); }
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetTensorB(const GlobalTensor<SrcBT> &gm, bool isTransposeB)
{
    KGTWIN_CALL;
    ::kgtwin::setMatrix(twin, twin.b, gm);
    ::kgtwin::matmulTransposed(twin.b, isTransposeB, "B");
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetTensorB(const LocalTensor<SrcBT> &rightMatrix, bool isTransposeB)
{
    KGTWIN_CALL;
    ::kgtwin::setMatrix(twin, twin.b, rightMatrix);
    ::kgtwin::matmulTransposed(twin.b, isTransposeB, "B");
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetTensorB(SrcBT bScalar) { ::kgtwin::setScalar(twin, twin.b, bScalar); }
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetBias(const GlobalTensor<BiasT> &biasGlobal)
{
    KGTWIN_CALL;
    ::kgtwin::setMatrix(twin, twin.bias, biasGlobal);
    ::kgtwin::matmulBiased(twin);
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetBias(const LocalTensor<BiasT> &inputBias)
{
    KGTWIN_CALL;
    ::kgtwin::setMatrix(twin, twin.bias, inputBias);
    ::kgtwin::matmulBiased(twin);
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::DisableBias() { twin.biased = false; }
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::ClearBias() { twin.biased = false; }
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetQuantScalar(const uint64_t quantScalar)
{
    twin.quantised = 1;
    twin.quantScalar = quantScalar;
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetQuantVector(const GlobalTensor<uint64_t> &quantTensor)
{
    ::kgtwin::setMatrix(twin, twin.quantVector, quantTensor);
    twin.quantised = 2;
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetQuantVector(const LocalTensor<uint64_t> &quantTensor)
{
    ::kgtwin::setMatrix(twin, twin.quantVector, quantTensor);
    twin.quantised = 2;
}
KGTWIN_MATMUL template <bool sync> __aicore__ inline bool KGTWIN_MATMUL_OBJECT::Iterate(bool enPartialSum)
{
    KGTWIN_CALL;
    return sync ? ::kgtwin::matmulIterate(twin, enPartialSum, nullptr) : ::kgtwin::matmulIterateAside(twin);
}
KGTWIN_MATMUL template <bool sync, typename T> __aicore__ inline bool KGTWIN_MATMUL_OBJECT::Iterate(bool enPartialSum, const LocalTensor<T> &localCmatrix)
{
    KGTWIN_CALL;
    return ::kgtwin::matmulIterate(twin, enPartialSum, &localCmatrix.twin);
}
KGTWIN_MATMUL template <bool sync> __aicore__ inline void KGTWIN_MATMUL_OBJECT::IterateAll(const GlobalTensor<DstT> &gm, uint8_t enAtomic, bool enSequentialWrite, bool waitIterateAll, bool fakeMsg)
{
    KGTWIN_CALL;
    if (!fakeMsg) ::kgtwin::matmulAll(twin, &gm.twin, nullptr, enAtomic, enSequentialWrite, !sync && waitIterateAll);
}
KGTWIN_MATMUL template <bool sync> __aicore__ inline void KGTWIN_MATMUL_OBJECT::IterateAll(const LocalTensor<DstT> &ubCmatrix, uint8_t enAtomic)
{
    KGTWIN_CALL;
    ::kgtwin::matmulAll(twin, nullptr, &ubCmatrix.twin, enAtomic, false);
}
KGTWIN_MATMUL template <bool sync, bool waitIterateBatch> __aicore__ inline void KGTWIN_MATMUL_OBJECT::IterateBatch(const GlobalTensor<DstT> &gm, uint32_t batchA, uint32_t batchB, bool enSequentialWrite, const uint32_t matrixStrideA, const uint32_t matrixStrideB, const uint32_t matrixStrideC, const bool enPartialSum, const uint8_t enAtomic)
{
    KGTWIN_CALL;
    if (enPartialSum) ::kgtwin::notExecuted("IterateBatch with enPartialSum");
    ::kgtwin::matmulBatch(twin, &gm.twin, nullptr, {batchA, batchB, matrixStrideA, matrixStrideB, 1}, enAtomic, !sync && waitIterateBatch);
}
KGTWIN_MATMUL template <bool sync> __aicore__ inline void KGTWIN_MATMUL_OBJECT::IterateBatch(const LocalTensor<DstT> &ubCmatrix, uint32_t batchA, uint32_t batchB, bool enSequentialWrite, const uint32_t matrixStrideA, const uint32_t matrixStrideB, const uint32_t matrixStrideC, const bool enPartialSum, const uint8_t enAtomic)
{
    KGTWIN_CALL;
    if (enPartialSum) ::kgtwin::notExecuted("IterateBatch with enPartialSum");
    ::kgtwin::matmulBatch(twin, nullptr, &ubCmatrix.twin, {batchA, batchB, matrixStrideA, matrixStrideB, 1}, enAtomic);
}
KGTWIN_MATMUL template <bool sync, bool waitIterateBatch> __aicore__ inline void KGTWIN_MATMUL_OBJECT::IterateNBatch(const uint32_t batchLoop, uint32_t batchA, uint32_t batchB, bool enSequentialWrite, const uint32_t matrixStrideA, const uint32_t matrixStrideB, const uint32_t matrixStrideC)
{
    KGTWIN_CALL;
    ::kgtwin::matmulBatch(twin, &twin.workspace, nullptr, {batchA, batchB, matrixStrideA, matrixStrideB, batchLoop}, 0, !sync && waitIterateBatch);
}
KGTWIN_MATMUL template <bool sync> __aicore__ inline void KGTWIN_MATMUL_OBJECT::GetTensorC(const LocalTensor<DstT> &co2Local, uint8_t enAtomic, bool enSequentialWrite)
{
    KGTWIN_CALL;
    ::kgtwin::matmulGet(twin, nullptr, &co2Local.twin, enAtomic, enSequentialWrite);
}
KGTWIN_MATMUL template <bool sync> __aicore__ inline void KGTWIN_MATMUL_OBJECT::GetTensorC(const GlobalTensor<DstT> &gm, uint8_t enAtomic, bool enSequentialWrite)
{
    KGTWIN_CALL;
    ::kgtwin::matmulGet(twin, &gm.twin, nullptr, enAtomic, enSequentialWrite);
}
KGTWIN_MATMUL template <bool sync> __aicore__ inline void KGTWIN_MATMUL_OBJECT::GetTensorC(const GlobalTensor<DstT> &gm, const LocalTensor<DstT> &co2Local, uint8_t enAtomic, bool enSequentialWrite)
{
    KGTWIN_CALL;
    ::kgtwin::matmulGet(twin, &gm.twin, &co2Local.twin, enAtomic, enSequentialWrite);
}
KGTWIN_MATMUL template <bool sync> __aicore__ inline GlobalTensor<typename KGTWIN_MATMUL_OBJECT::DstT> KGTWIN_MATMUL_OBJECT::GetTensorC(uint8_t, bool)
{
    KGTWIN_CALL;
    return ::kgtwin::tensorOf<DstT>(::kgtwin::matmulGetAside(twin));
}
KGTWIN_MATMUL template <bool sync> __aicore__ inline GlobalTensor<typename KGTWIN_MATMUL_OBJECT::DstT> KGTWIN_MATMUL_OBJECT::GetBatchTensorC(uint32_t batchA, uint32_t batchB, bool)
{
    KGTWIN_CALL;
    return ::kgtwin::tensorOf<DstT>(::kgtwin::matmulGetBatch(twin, batchA, batchB));
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::AsyncGetTensorC(const LocalTensor<DstT> &c)
{
    KGTWIN_CALL;
    ::kgtwin::matmulGet(twin, nullptr, &c.twin, 0, true);
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::WaitIterateAll() { ::kgtwin::matmulWait(); }
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::WaitIterateBatch() { ::kgtwin::matmulWait(); }
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::WaitGetTensorC() {}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::End()
{
    ::kgtwin::matmulWait();
    twin.first = true;
}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetHF32(bool, int32_t) {}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetLocalWorkspace(const LocalTensor<uint8_t> &) {}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetWorkspace(GlobalTensor<uint8_t> &addr) { twin.workspace = addr.twin; }
KGTWIN_MATMUL template <typename T> __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetWorkspace(GlobalTensor<T> &addr) { twin.workspace = addr.twin; }
KGTWIN_MATMUL template <typename T> __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetWorkspace(const __gm__ T *addr, int size)
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(const_cast<__gm__ T *>(addr), size);
    twin.workspace = tensor.twin;
}
KGTWIN_MATMUL template <typename T> __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetUserDefInfo(const T) {}
KGTWIN_MATMUL template <typename T> __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetSelfDefineData(T) {}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetSelfDefineData(const uint64_t) {}
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetSubBlockIdx(uint8_t) {}
KGTWIN_MATMUL __aicore__ inline uint8_t KGTWIN_MATMUL_OBJECT::GetSubBlockIdx() { return uint8_t(::kgtwin::subBlockIndex()); }
KGTWIN_MATMUL __aicore__ inline void KGTWIN_MATMUL_OBJECT::SetBatchNum(int32_t, int32_t) { ::kgtwin::notExecuted("Matmul::SetBatchNum"); }

#undef KGTWIN_MATMUL
#undef KGTWIN_MATMUL_OBJECT

template <bool cubeOnly, typename... Objects> __aicore__ inline void KernelgenRegisterMatmul(TPipe *, __gm__ void *, Objects &&...objects)
{
    KGTWIN_CALL;
    if (!cubeOnly && !KGTWIN_HAS_VECTOR) ::kgtwin::matmulServe();
    ::kgtwin::registerMatmuls(std::forward<Objects>(objects)...);
}

}

#endif
