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

/// How the cores share m and n: the parts (a multiple of a fractal but for the last) that make the largest one smallest.
void share(MatmulRequest &request, int32_t m, int32_t n) {
    CubeTiling &found = request.found;
    int64_t best = INT64_MAX;
    for (int32_t rows = 1; rows <= request.cores; ++rows) {
        const int32_t columns = request.cores / rows;
        const int32_t singleM = std::min(m, alignUp(ceilDiv(m, rows), given(request.alignM, fractal)));
        const int32_t singleN = std::min(n, alignUp(ceilDiv(n, columns), given(request.alignN, fractal)));
        const int64_t work = int64_t{singleM} * singleN;
        if (work < best) {
            best = work;
            found.singleCoreM = singleM;
            found.singleCoreN = singleN;
        }
    }
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

    const int32_t stepK = fractalBytes * 8 / std::max(bitsA, bitsB);
    const int64_t l0c = l0cRoom > 0 ? l0cRoom : static_cast<int64_t>(chip().l0c);
    // Half of L0A and L0B each: one part is loaded while the other is multiplied.
    const int64_t l0 = static_cast<int64_t>(chip().l0a) / 2;
    found.baseM = given(fixedM, std::min(128, alignUp(found.singleCoreM, fractal)));
    found.baseN = given(fixedN, std::min({256, block(found.singleCoreN, fractal, int64_t{found.baseM} * resultBytes, l0c)}));
    const int64_t column = std::max<int64_t>(int64_t{found.baseM} * bitsA, int64_t{found.baseN} * bitsB) / 8;
    found.baseK = given(fixedK, block(std::min(found.singleCoreK, 1024), stepK, column, l0));
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
int32_t MatmulApiTilingBase::SetAType(TPosition, CubeFormat, DataType dataType, bool) {
    kernelgenRequest.bitsA = bitsOf(dataType);
    return 0;
}
int32_t MatmulApiTilingBase::SetBType(TPosition, CubeFormat, DataType dataType, bool) {
    kernelgenRequest.bitsB = bitsOf(dataType);
    return 0;
}
int32_t MatmulApiTilingBase::SetCType(TPosition, CubeFormat, DataType) { return 0; }
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
int32_t MatmulApiTilingBase::SetBufferSpace(int32_t, int32_t l0CSize, int32_t, int32_t) {
    kernelgenRequest.l0cRoom = l0CSize;
    return 0;
}
int32_t MatmulApiTilingBase::SetTraverse(MatrixTraverse traverse) {
    kernelgenRequest.firstN = traverse == MatrixTraverse::FIRSTN;
    return 0;
}
int32_t MatmulApiTilingBase::SetMadType(MatrixMadType) { return 0; }
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
}
