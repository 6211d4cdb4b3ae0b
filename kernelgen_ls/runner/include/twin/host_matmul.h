// What a Matmul tiling is asked for, and where its answer goes.
#pragma once

/// Every field of the tiling, by name.
#define KERNELGEN_CUBE_FIELDS(apply)                                                                                   \
    apply(usedCoreNum) apply(M) apply(N) apply(Ka) apply(Kb) apply(singleCoreM) apply(singleCoreN) apply(singleCoreK)  \
    apply(baseM) apply(baseN) apply(baseK) apply(depthA1) apply(depthB1) apply(stepM) apply(stepN) apply(isBias)       \
    apply(iterateOrder) apply(shareL1Size) apply(shareL0CSize) apply(stepKa) apply(stepKb) apply(dbL0A) apply(dbL0B)   \
    apply(dbL0C) apply(BatchNum) apply(transLength) apply(shareMode) apply(shareUbSize) apply(batchM) apply(batchN)    \
    apply(singleBatchM) apply(singleBatchN) apply(depthAL1CacheUB) apply(depthBL1CacheUB) apply(mxTypePara)            \
    apply(ALayoutInfoB) apply(ALayoutInfoS) apply(ALayoutInfoN) apply(ALayoutInfoG) apply(ALayoutInfoD)                \
    apply(BLayoutInfoB) apply(BLayoutInfoS) apply(BLayoutInfoN) apply(BLayoutInfoG) apply(BLayoutInfoD)                \
    apply(CLayoutInfoB) apply(CLayoutInfoS1) apply(CLayoutInfoN) apply(CLayoutInfoG) apply(CLayoutInfoS2)

namespace kernelgen {
struct CubeTiling {
#define KERNELGEN_MEMBER(name) int32_t name = 0;
    KERNELGEN_CUBE_FIELDS(KERNELGEN_MEMBER)
#undef KERNELGEN_MEMBER
};

/// What was asked for; -1 leaves a size open. Sizes are in elements, memories in bytes.
struct MatmulRequest {
    int32_t m = -1, n = -1, k = -1;
    int32_t wholeM = -1, wholeN = -1, wholeKa = -1, wholeKb = -1;
    int32_t singleM = -1, singleN = -1, singleK = -1;
    int32_t fixedM = -1, fixedN = -1, fixedK = -1;
    int32_t mostSingleM = -1, mostSingleN = -1;
    int32_t mostBaseM = -1, mostBaseN = -1, mostBaseK = -1;
    int32_t alignM = -1, alignN = -1;
    int32_t cores = 1, batch = 0;
    int32_t bitsA = 16, bitsB = 16;
    int32_t layoutA[5] = {}, layoutB[5] = {}, layoutC[5] = {};
    int64_t l0cRoom = -1, ubRoom = -1;
    int32_t bitsC = 32;
    bool several = false, bias = false, firstN = false;
    bool swapA = false, swapB = false, resultInUb = false;
    bool keptA = false, keptB = false; // the kernel lays the matrix into L1, all of it
    CubeTiling found;
    /// Fills `found`; false where the sizes are not known, or the chip does not hold the blocks that were fixed.
    bool solve();
    /// Fills `tiling`, in whichever form the operator holds it; -1 where there is none, else 0.
    template <typename T> int64_t answer(T &tiling);
};

template <typename T, typename = void> constexpr bool isTilingClass = false;
template <typename T> constexpr bool isTilingClass<T, std::void_t<decltype(std::declval<T &>().get_baseM())>> = true;
template <typename T> int64_t MatmulRequest::answer(T &tiling) {
    if (!solve()) {
        return -1;
    }
    if constexpr (isTilingClass<T>) {
#define KERNELGEN_SET(name) tiling.set_##name(found.name);
        KERNELGEN_CUBE_FIELDS(KERNELGEN_SET)
#undef KERNELGEN_SET
    } else {
#define KERNELGEN_ASSIGN(name) tiling.name = found.name;
        KERNELGEN_CUBE_FIELDS(KERNELGEN_ASSIGN)
#undef KERNELGEN_ASSIGN
    }
    return 0;
}
}
