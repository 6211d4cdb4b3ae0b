// A legal tiling for a product: what its values depend on, sizes, blocks and their order, is chosen by the chip's memories.
// The vendor's choice for speed is another; both compute the same product.

namespace kernelgen {
namespace {
constexpr int32_t fractal = 16;
constexpr int32_t fractalBytes = 32;
constexpr int32_t resultBytes = 4;

int32_t ceilDiv(int32_t value, int32_t by) { return (value + by - 1) / by; }
int32_t alignUp(int32_t value, int32_t to) { return ceilDiv(value, to) * to; }
int32_t given(int32_t value, int32_t otherwise) { return value > 0 ? value : otherwise; }
int64_t given64(int64_t value, uint64_t otherwise) { return value > 0 ? value : static_cast<int64_t>(otherwise); }

/// How many of the sizes are no multiples: of what they are cut into, or of the blocks of those.
int32_t uneven(const MatmulRequest &request, int32_t m, int32_t n, int32_t singleM, int32_t singleN) {
    return (m % singleM != 0) + (n % singleN != 0) + (request.fixedM > 0 && singleM % request.fixedM != 0) + (request.fixedN > 0 && singleN % request.fixedN != 0);
}

/// How the cores share m and n: the parts (multiples of a block where that is fixed, else of a fractal) that make the largest
/// one smallest. Even parts are taken where they are at most half as large again: many kernels count on them.
void share(MatmulRequest &request, int32_t m, int32_t n) {
    CubeTiling &found = request.found;
    const int32_t alignM = request.keptA ? m : given(request.alignM, given(request.fixedM, fractal));
    const int32_t alignN = request.keptB ? n : given(request.alignN, given(request.fixedN, fractal));
    int64_t smallest = INT64_MAX;
    for (const bool choosing : {false, true}) {
        std::pair<int32_t, int64_t> best{INT32_MAX, INT64_MAX};
        for (int32_t rows = 1; rows <= request.cores; ++rows) {
            const int32_t singleM = std::min(m, alignUp(ceilDiv(m, rows), alignM));
            const int32_t singleN = std::min(n, alignUp(ceilDiv(n, request.cores / rows), alignN));
            const int64_t work = int64_t{singleM} * singleN;
            if (!choosing) {
                smallest = std::min(smallest, work);
                continue;
            }
            const std::pair<int32_t, int64_t> one{uneven(request, m, n, singleM, singleN), work};
            if (work * 2 <= smallest * 3 && one < best) {
                best = one;
                found.singleCoreM = singleM;
                found.singleCoreN = singleN;
            }
        }
    }
}

/// A block that divides `single` evenly, where one of at least half of `block` does.
int32_t dividing(int32_t single, int32_t block) {
    for (int32_t one = block; one >= fractal && one * 2 >= block; one -= fractal) {
        if (single % one == 0) {
            return one;
        }
    }
    return block;
}

/// The largest block not above `most`, a multiple of `step`, whose row of `other` fits into `room` bytes.
int32_t block(int32_t most, int32_t step, int64_t other, int64_t room) {
    const int64_t fits = room / std::max<int64_t>(other, 1) / step * step;
    return static_cast<int32_t>(std::max<int64_t>(step, std::min<int64_t>(alignUp(most, step), fits)));
}
}

bool MatmulRequest::solve() {
    found = CubeTiling();
    const int32_t allM = given(wholeM, m), allN = given(wholeN, n), allK = given(k, wholeKa);
    if (allM <= 0 || allN <= 0 || allK <= 0) {
        return false;
    }
    found.M = allM;
    found.N = allN;
    found.Ka = given(wholeKa, allK);
    found.Kb = given(wholeKb, allK);
    found.singleCoreK = given(singleK, allK);
    if (several) {
        share(*this, given(m, allM), given(n, allN));
    } else {
        found.singleCoreM = given(m, allM);
        found.singleCoreN = given(n, allN);
    }
    found.singleCoreM = given(singleM, found.singleCoreM);
    found.singleCoreN = given(singleN, found.singleCoreN);
    if (mostSingleM > 0) {
        found.singleCoreM = std::min(found.singleCoreM, mostSingleM);
    }
    if (mostSingleN > 0) {
        found.singleCoreN = std::min(found.singleCoreN, mostSingleN);
    }
    found.usedCoreNum = several ? std::min(cores, ceilDiv(given(m, allM), found.singleCoreM) * ceilDiv(given(n, allN), found.singleCoreN)) : 1;

    const int32_t stepK = fractalBytes * 8 / std::max(1, std::min(bitsA, bitsB));
    // Half of L0A and L0B each: one part is loaded while the other is multiplied. Results that vector code takes leave room
    // for what it makes of them.
    const int64_t l0 = static_cast<int64_t>(chip().l0a) / 2;
    int64_t room = std::min(given64(l0cRoom, chip().l0c), static_cast<int64_t>(chip().l0c));
    if (resultInUb) {
        room = std::min(room, given64(ubRoom, chip().ub) / 3 * resultBytes * 8 / std::max(bitsC, 1));
    }
    const int32_t stepM = bitsA == 8 && swapA ? 2 * fractal : fractal, stepN = bitsB == 8 && !swapB ? 2 * fractal : fractal;
    const int32_t mostM = std::min(128, given(mostBaseM, 128)) / stepM * stepM, mostN = std::min(256, given(mostBaseN, 256)) / stepN * stepN;
    found.baseM = given(fixedM, dividing(found.singleCoreM, std::min(std::max(mostM, stepM), alignUp(found.singleCoreM, stepM))));
    found.baseN = given(fixedN, dividing(found.singleCoreN, std::min(std::max(mostN, stepN), block(found.singleCoreN, stepN, int64_t{found.baseM} * resultBytes, room))));
    const int64_t column = std::max<int64_t>(int64_t{found.baseM} * bitsA, int64_t{found.baseN} * bitsB) / 8;
    found.baseK = given(fixedK, block(std::min({found.singleCoreK, 1024, given(mostBaseK, 1024)}), stepK, column, l0));
    if (int64_t{found.baseM} * found.baseN * resultBytes > static_cast<int64_t>(chip().l0c) || column * found.baseK > static_cast<int64_t>(chip().l0a)) {
        return false;
    }
    found.isBias = bias ? 1 : 0;
    found.iterateOrder = firstN ? 1 : 0;
    found.stepM = found.stepN = found.stepKa = found.stepKb = 1;
    found.depthA1 = found.depthB1 = 1;
    found.dbL0A = found.dbL0B = 2;
    found.dbL0C = 1;
    found.shareL0CSize = found.baseM * found.baseN * resultBytes;
    found.shareL1Size = found.baseK * (found.baseM * bitsA + found.baseN * bitsB) / 8;
    found.BatchNum = batch;
    found.ALayoutInfoB = layoutA[0], found.ALayoutInfoS = layoutA[1], found.ALayoutInfoN = layoutA[2], found.ALayoutInfoG = layoutA[3], found.ALayoutInfoD = layoutA[4];
    found.BLayoutInfoB = layoutB[0], found.BLayoutInfoS = layoutB[1], found.BLayoutInfoN = layoutB[2], found.BLayoutInfoG = layoutB[3], found.BLayoutInfoD = layoutB[4];
    found.CLayoutInfoB = layoutC[0], found.CLayoutInfoS1 = layoutC[1], found.CLayoutInfoN = layoutC[2], found.CLayoutInfoG = layoutC[3], found.CLayoutInfoS2 = layoutC[4];
    return true;
}
}

namespace matmul_tiling {
namespace {
int32_t bitsOf(DataType type) {
    const int size = ge::GetSizeByDataType(static_cast<ge::DataType>(type));
    return size > subByte ? size - subByte : size * 8;
}
}
MatmulConfigParams::MatmulConfigParams(int32_t type, bool cache, ScheduleType schedule, MatrixTraverse traverseIn, bool nd2nz)
    : mmConfigType(type), enableL1CacheUB(cache), scheduleType(schedule), traverse(traverseIn), enVecND2NZ(nd2nz) {}

MatmulApiTilingBase::MatmulApiTilingBase() = default;
MatmulApiTilingBase::MatmulApiTilingBase(const platform_ascendc::PlatformAscendC &) {}
MatmulApiTilingBase::~MatmulApiTilingBase() = default;
int32_t MatmulApiTilingBase::SetAType(TPosition pos, CubeFormat, DataType dataType, bool isTrans) {
    kernelgenRequest.keptA = pos == TPosition::TSCM;
    kernelgenRequest.bitsA = bitsOf(dataType);
    kernelgenRequest.swapA = isTrans;
    return 0;
}
int32_t MatmulApiTilingBase::SetBType(TPosition pos, CubeFormat, DataType dataType, bool isTrans) {
    kernelgenRequest.keptB = pos == TPosition::TSCM;
    kernelgenRequest.bitsB = bitsOf(dataType);
    kernelgenRequest.swapB = isTrans;
    return 0;
}
int32_t MatmulApiTilingBase::SetCType(TPosition pos, CubeFormat, DataType dataType) {
    kernelgenRequest.bitsC = bitsOf(dataType);
    kernelgenRequest.resultInUb = pos == TPosition::VECIN || pos == TPosition::VECCALC || pos == TPosition::VECOUT;
    return 0;
}
int32_t MatmulApiTilingBase::SetBiasType(TPosition, CubeFormat, DataType) { return 0; }
int32_t MatmulApiTilingBase::SetDequantType(DequantType) { return 0; }
int32_t MatmulApiTilingBase::SetShape(int32_t m, int32_t n, int32_t k) {
    kernelgenRequest.m = m;
    kernelgenRequest.n = n;
    kernelgenRequest.k = k;
    return 0;
}
int32_t MatmulApiTilingBase::SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgK) { return SetOrgShape(orgM, orgN, orgK, orgK); }
int32_t MatmulApiTilingBase::SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgKa, int32_t orgKb) {
    kernelgenRequest.wholeM = orgM;
    kernelgenRequest.wholeN = orgN;
    kernelgenRequest.wholeKa = orgKa;
    kernelgenRequest.wholeKb = orgKb;
    return 0;
}
#define KERNELGEN_LAYOUT(name)                                                                                         \
    int32_t MatmulApiTilingBase::Set##name##Layout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {            \
        const int32_t axes[] = {b, s, n, g, d};                                                                        \
        std::copy(std::begin(axes), std::end(axes), kernelgenRequest.layout##name);                                    \
        return 0;                                                                                                      \
    }
KERNELGEN_LAYOUT(A)
KERNELGEN_LAYOUT(B)
KERNELGEN_LAYOUT(C)
int32_t MatmulApiTilingBase::SetBatchNum(int32_t batch) {
    kernelgenRequest.batch = batch;
    return 0;
}
int32_t MatmulApiTilingBase::EnableBias(bool isBias) {
    kernelgenRequest.bias = isBias;
    return 0;
}
int32_t MatmulApiTilingBase::SetBias(bool isBias) { return EnableBias(isBias); }
int32_t MatmulApiTilingBase::SetFixSplit(int32_t baseM, int32_t baseN, int32_t baseK) {
    kernelgenRequest.fixedM = baseM;
    kernelgenRequest.fixedN = baseN;
    kernelgenRequest.fixedK = baseK;
    return 0;
}
int32_t MatmulApiTilingBase::SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k) {
    kernelgenRequest.batch = std::max(batchA, batchB);
    SetShape(m, n, k);
    return SetOrgShape(m, n, k);
}
int32_t MatmulApiTilingBase::SetSplitRange(int32_t maxBaseM, int32_t maxBaseN, int32_t maxBaseK, int32_t, int32_t, int32_t) {
    kernelgenRequest.mostBaseM = maxBaseM;
    kernelgenRequest.mostBaseN = maxBaseN;
    kernelgenRequest.mostBaseK = maxBaseK;
    return 0;
}
int32_t MatmulApiTilingBase::SetBufferSpace(int32_t, int32_t l0CSize, int32_t ubSize, int32_t) {
    kernelgenRequest.l0cRoom = l0CSize;
    kernelgenRequest.ubRoom = ubSize;
    return 0;
}
int32_t MatmulApiTilingBase::SetTraverse(MatrixTraverse traverse) {
    kernelgenRequest.firstN = traverse == MatrixTraverse::FIRSTN;
    return 0;
}
int32_t MatmulApiTilingBase::SetMadType(MatrixMadType) { return 0; }
int32_t MatmulApiTilingBase::SetSparse(bool) { return 0; }
int32_t MatmulApiTilingBase::SetDoubleBuffer(bool, bool, bool, bool, bool, bool) { return 0; }
void MatmulApiTilingBase::SetMatmulConfigParams(const MatmulConfigParams &) {}
void MatmulApiTilingBase::SetMatmulConfigParams(int32_t, bool, ScheduleType, MatrixTraverse, bool) {}
int32_t MatmulApiTilingBase::GetBaseM() const { return kernelgenRequest.found.baseM; }
int32_t MatmulApiTilingBase::GetBaseN() const { return kernelgenRequest.found.baseN; }
int32_t MatmulApiTilingBase::GetBaseK() const { return kernelgenRequest.found.baseK; }
int32_t MatmulApiTilingBase::SetSingleShape(int32_t singleM, int32_t singleN, int32_t singleK) {
    kernelgenRequest.singleM = singleM;
    kernelgenRequest.singleN = singleN;
    kernelgenRequest.singleK = singleK;
    return 0;
}
int32_t MatmulApiTilingBase::GetCoreNum(int32_t &dim, int32_t &mDim, int32_t &nDim) {
    const kernelgen::CubeTiling &found = kernelgenRequest.found;
    if (found.singleCoreM <= 0 || found.singleCoreN <= 0) {
        return -1;
    }
    dim = found.usedCoreNum;
    mDim = kernelgen::ceilDiv(found.M, found.singleCoreM);
    nDim = kernelgen::ceilDiv(found.N, found.singleCoreN);
    return 0;
}
int32_t MatmulApiTilingBase::GetSingleShape(int32_t &m, int32_t &n, int32_t &k) {
    m = kernelgenRequest.found.singleCoreM;
    n = kernelgenRequest.found.singleCoreN;
    k = kernelgenRequest.found.singleCoreK;
    return m > 0 ? 0 : -1;
}

MatmulApiTiling::MatmulApiTiling() = default;
MatmulApiTiling::MatmulApiTiling(const platform_ascendc::PlatformAscendC &) {}
MatmulApiTiling::MatmulApiTiling(const PlatformInfo &) {}

MultiCoreMatmulTiling::MultiCoreMatmulTiling() { kernelgenRequest.several = true; }
MultiCoreMatmulTiling::MultiCoreMatmulTiling(const platform_ascendc::PlatformAscendC &) : MultiCoreMatmulTiling() {}
MultiCoreMatmulTiling::MultiCoreMatmulTiling(const PlatformInfo &) : MultiCoreMatmulTiling() {}
int32_t MultiCoreMatmulTiling::SetDim(int32_t dim) {
    kernelgenRequest.cores = std::max(dim, 1);
    return 0;
}
int32_t MultiCoreMatmulTiling::SetShape(int32_t m, int32_t n, int32_t k) { return MatmulApiTilingBase::SetShape(m, n, k); }
int32_t MultiCoreMatmulTiling::SetSingleRange(int32_t maxM, int32_t maxN, int32_t, int32_t, int32_t, int32_t) {
    kernelgenRequest.mostSingleM = maxM;
    kernelgenRequest.mostSingleN = maxN;
    return 0;
}
int32_t MultiCoreMatmulTiling::SetAlignSplit(int32_t alignM, int32_t alignN, int32_t) {
    kernelgenRequest.alignM = alignM;
    kernelgenRequest.alignN = alignN;
    return 0;
}
// What allows cores to share k obliges to nothing.
int32_t MultiCoreMatmulTiling::EnableMultiCoreSplitK(bool) { return 0; }
void MultiCoreMatmulTiling::SetSplitK(bool) {}
int32_t MultiCoreMatmulTiling::EnableL1BankConflictOptimise() { return 0; }
int32_t MultiCoreMatmulTiling::SetMaxSingleMNK(int32_t m, int32_t n, int32_t) {
    kernelgenRequest.mostSingleM = m;
    kernelgenRequest.mostSingleN = n;
    return 0;
}

BatchMatmulTiling::BatchMatmulTiling() = default;
BatchMatmulTiling::BatchMatmulTiling(const platform_ascendc::PlatformAscendC &) {}

int32_t MatmulGetTmpBufSize(optiling::TCubeTiling &tiling, SysTilingTempBufSize &sizes) {
    sizes.ubSize = tiling.get_shareUbSize();
    sizes.l1Size = tiling.get_shareL1Size();
    sizes.l0cSize = tiling.get_shareL0CSize();
    return 0;
}
int32_t MultiCoreMatmulGetTmpBufSize(optiling::TCubeTiling &tiling, SysTilingTempBufSize &sizes) { return MatmulGetTmpBufSize(tiling, sizes); }
int32_t BatchMatmulGetTmpBufSize(optiling::TCubeTiling &tiling, SysTilingTempBufSize &sizes) { return MatmulGetTmpBufSize(tiling, sizes); }
}
