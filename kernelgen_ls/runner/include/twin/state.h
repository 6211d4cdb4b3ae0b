// What the declarations carry where kernels are executed on the CPU: the state of each class, and the functions of the
// runtime that the bodies call. Read before the declarations where KERNELGEN_TWIN is defined; never by the check.
//
// The runtime is a program of its own, compiled once; a kernel is a library that it loads. So everything here is plain
// data and plain functions: element types travel as a code, and a body does no more than put its arguments together.
#ifndef KERNELGEN_TWIN_STATE_H
#define KERNELGEN_TWIN_STATE_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

struct TCubeTiling;
struct bfloat16_t;
struct int4b_t;
struct uint1b_t;

namespace kgtwin {

/// Element types as the runtime knows them.
enum class Type : uint8_t { other, f16, bf16, f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, boolean, int4, bit };

template <typename T> constexpr Type typeOf()
{
    if constexpr (std::is_same_v<T, _Float16>) return Type::f16;
    else if constexpr (std::is_same_v<T, bfloat16_t>) return Type::bf16;
    else if constexpr (std::is_same_v<T, float>) return Type::f32;
    else if constexpr (std::is_same_v<T, double>) return Type::f64;
    else if constexpr (std::is_same_v<T, bool>) return Type::boolean;
    else if constexpr (std::is_same_v<T, int4b_t>) return Type::int4;
    else if constexpr (std::is_same_v<T, uint1b_t>) return Type::bit;
    else if constexpr (std::is_integral_v<T>) {
        if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? Type::i8 : Type::u8;
        else if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? Type::i16 : Type::u16;
        else if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? Type::i32 : Type::u32;
        else return std::is_signed_v<T> ? Type::i64 : Type::u64;
    } else return Type::other;
}

/// bfloat16_t is the upper half of a float, rounded to nearest even.
constexpr uint16_t bfloat16Bits(float value)
{
    auto bits = __builtin_bit_cast(uint32_t, value);
    if ((bits & 0x7fffffff) > 0x7f800000) return uint16_t((bits >> 16) | 0x40);
    return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
constexpr float floatOfBfloat16(uint16_t bits) { return __builtin_bit_cast(float, uint32_t(bits) << 16); }

/// The limits of an element type.
enum class Limit { Max, Lowest, Min, Infinity, NegativeInfinity, QuietNaN, SignalingNaN, DeNormMin };
template <typename T> constexpr T limit(Limit which)
{
    constexpr uint32_t limits[3][8] = {{0x7bff, 0xfbff, 0x0400, 0x7c00, 0xfc00, 0x7e00, 0x7d00, 1},
                                       {0x7f7f, 0xff7f, 0x0080, 0x7f80, 0xff80, 0x7fc0, 0x7fa0, 1},
                                       {0x7f7fffff, 0xff7fffff, 0x00800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fa00000, 1}};
    if constexpr (std::is_same_v<T, float>) return __builtin_bit_cast(T, limits[2][int(which)]);
    else if constexpr (std::is_same_v<T, _Float16> || std::is_same_v<T, bfloat16_t>) return __builtin_bit_cast(T, uint16_t(limits[std::is_same_v<T, bfloat16_t>][int(which)]));
    else if constexpr (std::is_integral_v<T>) {
        constexpr T lowest = std::is_signed_v<T> ? T(T(1) << (sizeof(T) * 8 - 1)) : T(0);
        return which == Limit::Max ? T(~lowest) : which <= Limit::Min ? lowest : T(0);
    } else return T();
}

/// On-chip memories.
enum class Memory : uint8_t { none, ub, l1, l0a, l0b, l0c, bias, fix, COUNT };

/// What a LocalTensor is: `address` in bytes from the start of its memory, `count` elements of `width` bytes.
/// `buffer` is the one it was taken from (0: none) as it was at `generation`.
struct Local {
    Type type;
    uint8_t width;
    Memory memory = Memory::none;
    uint8_t position = 0;
    uint16_t buffer = 0;
    uint32_t generation = 0;
    uint32_t address = 0;
    uint32_t count = 0;
    int32_t tag = 0;
    uint32_t end = 0; // the byte of its memory at which a tensor that was placed by its address ends; 0: not known
    constexpr Local(Type typeIn, uint8_t widthIn) : type(typeIn), width(widthIn) {}
};

/// What a GlobalTensor is: `count` elements of `width` bytes, 0 where the kernel states no length.
struct Global {
    uint8_t *base = nullptr;
    uint64_t count = 0;
    uint8_t width = 1;
};

/// Which elements a vector instruction computes and where they lie. `count` >= 0: so many in a row; else `repeat`
/// repeats under `mask`, with strides in 32-byte blocks of the destination, the first and the second source.
struct Shape {
    int64_t count = -1;
    uint64_t mask[2] = {0, 0};
    uint64_t elements = 0; // the mask's low word as it was given: how many elements where the unit counts
    bool byElements = false; // the mask was given as how many elements
    bool negative = false; // the count that was given is less than nothing
    uint32_t repeat = 0;
    uint16_t block[3] = {1, 1, 1};
    uint16_t step[3] = {8, 8, 8};
};

/// Element-by-element computations. The third group takes a scalar where the second source would be.
enum class Op : uint8_t {
    exp, ln, abs, reciprocal, sqrt, rsqrt, bitNot, relu, neg, copy,
    add, sub, mul, div, max, min, bitAnd, bitOr, bitXor, addRelu, subRelu, mulAddDst, fusedMulAdd, fusedMulAddRelu, mulAddRelu,
    leakyRelu, shiftLeft, shiftRight, axpy, duplicate,
    subFrom, divInto, shiftRightRounded, tanh, sigmoid, sign, floor, ceil, trunc, round, sin, cos, tan, asin, acos, atan, sinh, cosh, asinh, acosh, atanh,
    log2, log10, erf, erfc, gelu, silu, power, powerOf, frac, isNan, isInf, isFinite, quickGelu,
    COUNT
};

/// Rows of `bytes`, `srcStep` and `dstStep` bytes from start to start.
struct Rows {
    uint32_t count;
    uint64_t bytes;
    int64_t srcStep;
    int64_t dstStep;
};
/// How a copy fills rows up to whole blocks: `left` and `right` elements of the value whose bytes are `bits`.
struct Padding {
    bool given = false;
    uint8_t left = 0;
    uint8_t right = 0;
    uint64_t bits = 0;
};

/// A matrix of a Matmul: what its MatmulType says of it, and where it is once that is set.
struct Matrix {
    enum class Source : uint8_t { none, global, local, scalar };
    Type type;
    uint8_t width;
    uint8_t position; // TPosition
    uint8_t format;   // CubeFormat
    uint8_t layout;   // LayoutMode
    bool mayTranspose;
    bool transposed = false;
    Source source = Source::none;
    Global global;
    Local local;
    uint64_t bits = 0; // of a scalar
};
template <typename M> Matrix matrixOf()
{
    using T = typename M::T;
    return {typeOf<T>(), sizeof(T), uint8_t(M::pos), uint8_t(M::format), uint8_t(M::layout), M::isTrans, false, Matrix::Source::none, {}, Local(typeOf<T>(), sizeof(T)), 0};
}
/// Sizes of a Matmul in elements, and which way its blocks are gone through; 0 and -1 leave a size to the tiling data.
struct MatmulSizes {
    int32_t m = -1, n = -1, ka = -1, kb = -1, kc = 0;
    int32_t singleM = -1, singleN = -1, singleK = -1;
    int32_t baseM = -1, baseN = -1, baseK = -1;
    int32_t stepM = 1, stepN = 1;
    int32_t firstN = -1; // iterateOrder
};
/// What a Matmul's configuration fixes when the kernel is compiled.
struct MatmulFixed {
    MatmulSizes sizes;
    enum class Policy : uint8_t { plain, upper, lower, other } policy = Policy::plain; // KernelgenPolicy
    bool callbacks = false;
    bool biasPerBatch = true;
    bool splitsChannels = false;
    bool relu = false;
    bool outer = false; // ScheduleType::OUTER_PRODUCT
    bool everyCore = false; // enableMixDualMaster: both kinds of core run the calls
    bool summed = false;    // intraBlockPartSum: the vector cores of a group share a result
    bool shared = false;    // both matrices are the group's: only its first vector core computes
    bool parts = false;     // isPartialOutput: a block of each part of k, not their sum
};
struct Product;
/// The state of a Matmul. `next` is the block that Iterate computes next, of the single shape's.
struct Matmul {
    Matrix a, b, c, bias;
    MatmulFixed fixed;
    MatmulSizes sizes;
    const ::TCubeTiling *tiling = nullptr;
    bool ready = false, biased = false, first = true, computed = false;
    bool aside = false; // Iterate<false>: blocks are computed ahead and taken one after the other
    uint8_t quantised = 0; // 1: by a scalar, 2: by a vector
    int64_t next = 0, taken = 0;
    uint64_t quantScalar = 0;
    Matrix quantVector;
    Global workspace;
    Product *product = nullptr;
};
template <typename C, typename = void> constexpr bool isStaticTiling = false;
template <typename C> constexpr bool isStaticTiling<C, std::void_t<decltype(std::declval<const C &>().cfg)>> = true;
template <typename C> MatmulFixed fixedOf(const C &config)
{
    MatmulFixed fixed;
    MatmulSizes &sizes = fixed.sizes;
    auto options = [&](const auto &of) {
        sizes.singleM = int32_t(of.singleCoreM), sizes.singleN = int32_t(of.singleCoreN), sizes.singleK = int32_t(of.singleCoreK);
        sizes.baseM = int32_t(of.basicM), sizes.baseN = int32_t(of.basicN), sizes.baseK = int32_t(of.basicK);
        if (int(of.iterateOrder) < 2) sizes.firstN = int(of.iterateOrder);
        fixed.biasPerBatch = of.isBiasBatch;
        fixed.splitsChannels = of.isEnableChannelSplit;
        fixed.relu = of.enableRelu;
        fixed.outer = int(of.scheduleType) == 1;
        fixed.everyCore = of.enableMixDualMaster;
        fixed.summed = of.intraBlockPartSum;
        fixed.parts = of.isPartialOutput;
    };
    if constexpr (isStaticTiling<C>) {
        options(config.cfg);
        sizes.m = config.M, sizes.n = config.N, sizes.ka = config.Ka, sizes.kb = config.Kb;
        sizes.singleM = config.singleCoreM, sizes.singleN = config.singleCoreN, sizes.singleK = config.singleCoreK;
        sizes.baseM = config.baseM, sizes.baseN = config.baseN, sizes.baseK = config.baseK;
        sizes.stepM = config.stepM, sizes.stepN = config.stepN;
        if (config.iterateOrder >= 0) sizes.firstN = config.iterateOrder;
    } else
        options(config);
    return fixed;
}
template <typename A, typename B, typename C, typename Bias, typename CallBack, typename Config, typename Policy> Matmul matmulOf(const Config &config, Policy policy)
{
    Matmul matmul{matrixOf<A>(), matrixOf<B>(), matrixOf<C>(), matrixOf<Bias>(), fixedOf(config), {}, nullptr, false, false, true, false, false, 0, 0, 0, 0,
                  {Type::u64, 8, 0, 0, 0, false, false, Matrix::Source::none, {}, Local(Type::u64, 8), 0}, {}, nullptr};
    matmul.fixed.policy = MatmulFixed::Policy(policy);
    matmul.fixed.callbacks = CallBack::any;
    matmul.fixed.shared = A::ibShare && B::ibShare;
    return matmul;
}

/// What stands at the front of a core's state: how deep the calls of AscendC are, and where the outermost came from.
struct Front {
    uint32_t depth = 0;
    void *site = nullptr;
    bool keepsMask = false; // the mask that was set before counts, whatever the call's arguments say
};
extern Front *front;

/// One call of AscendC from the kernel's own text.
struct Call {
    explicit Call(void *from)
    {
        if (front->depth++ == 0) front->site = from;
    }
    ~Call() { --front->depth; }
    Call(const Call &) = delete;
};
/// While it lives, instructions set the mask that they are given or keep the one that was set before (isSetMask).
struct Masked {
    explicit Masked(bool sets) { front->keepsMask = !sets; }
    ~Masked() { front->keepsMask = false; }
    Masked(const Masked &) = delete;
};

// --- The kernel's surroundings ---------------------------------------------------------------------------------------
/// The kernel needs something that the runtime does not do: ends the run without a verdict.
[[noreturn]] void notExecuted(const char *what);
int64_t blockIndex();
int64_t blockCount();
int64_t groupIndex();
int64_t subBlockIndex();
int64_t subBlockCount();
int64_t taskRatio();
uint64_t tilingKey();
int64_t cycles();
void readTiling(void *to, size_t bytes, const volatile void *tiling, size_t offset);
/// What an entry function's parameter gets that is no address: the tiling data, or a tensor of its very size.
void readValue(void *to, size_t bytes, const void *given);
void say(const char *format, ...);
/// Prints a tensor's first elements, in rows where it is given axes.
void dump(const Local &tensor, uint32_t number, uint32_t count, const uint32_t *shape, uint32_t axes);
void dump(const Global &tensor, Type type, uint32_t number, uint32_t count, const uint32_t *shape, uint32_t axes);
/// A value as a function of C with any number of arguments takes it.
template <typename T> auto printable(const T &value)
{
    if constexpr (std::is_same_v<T, _Float16> || std::is_same_v<T, bfloat16_t>) return double(float(value));
    else if constexpr (std::is_class_v<T> || std::is_union_v<T>) return 0ll;
    else return std::decay_t<T>(value);
}
[[noreturn]] void trap();

// --- Synchronisation -------------------------------------------------------------------------------------------------
void setFlag(int from, int to, int id);
void waitFlag(int from, int to, int id);
void pipeBarrier(int pipe);
int fetchEvent(int from, int to);
int allocEvent(int from, int to);
void releaseEvent(int from, int to, int id);
void syncAll(int64_t used, bool vectorOnly);
void crossCoreSet(int mode, int pipe, int id);
void crossCoreWait(int id);
/// This core does no more.
[[noreturn]] void endCore();
void blockChainSet(int block, int id);
void blockChainWait(int block, int id);
void waitPreviousBlock();
void notifyNextBlock();

// --- On-chip memory --------------------------------------------------------------------------------------------------
void pipeBegin(void *pipe);
void pipeEnd(void *pipe);
void pipeReset();
void *currentPipe();
uint16_t initQueue(uint8_t from, uint8_t to, uint32_t number, uint32_t bytes, uint16_t pool);
uint16_t initBuffer(uint8_t position, uint32_t bytes, uint16_t pool);
uint16_t initPool(uint8_t position, uint32_t bytes, uint16_t pool);
uint16_t sharePool(uint16_t pool, uint32_t bytes);
void resetPool(uint16_t pool);
void allocTensor(uint16_t queue, Local &tensor);
void freeTensor(uint16_t queue, const Local &tensor);
void enqueTensor(uint16_t queue, const Local &tensor);
void dequeTensor(uint16_t queue, Local &tensor);
int32_t queuedTensors(uint16_t queue);
bool idleBuffer(uint16_t queue);
void bufferTensor(uint16_t buffer, Local &tensor, uint32_t offsetBytes, int64_t count);
uint32_t bufferBytes(uint16_t buffer);
void placeTensor(uint8_t position, uint32_t address, uint32_t count, Local &tensor);
void restOfMemory(uint8_t position, Local &tensor);
uint8_t *hostAddress(const Local &tensor, int64_t offset);
void readScalar(const Local &tensor, int64_t offset, void *value);
void writeScalar(const Local &tensor, int64_t offset, const void *value);
uint8_t *scalarReference(const Local &tensor, int64_t offset);

// --- Global memory ---------------------------------------------------------------------------------------------------
void readGlobalScalar(const Global &tensor, int64_t offset, void *value);
void writeGlobalScalar(const Global &tensor, int64_t offset, const void *value);
void setAtomic(int operation, Type type);
void setAtomicType(Type type);
/// Scalar atomics: how the value at an address changes; `old` gets what was there.
enum class Exchange : uint8_t { add = 1, max, min, compareAndSwap, swap };
void exchangeGlobal(uint8_t *address, Exchange how, Type type, uint8_t width, const void *expected, const void *value, void *old);
void fillGlobal(const Global &tensor, uint64_t count, uint64_t bits);
/// The data cache's line at an address is written back and dropped: who does so again and again waits for what others write.
void lookAtLine(const void *address);
uint64_t systemWorkspaceBytes();

// --- Copies ----------------------------------------------------------------------------------------------------------
void partialBlock(uint64_t bytes);
void copyIn(const Local &dst, const Global &src, const Rows &rows, bool padded, const Padding &padding);
void copyOut(const Global &dst, const Local &src, const Rows &rows, bool padded);
void copyLocal(const Local &dst, const Local &src, const Rows &rows);

// --- The cube unit ---------------------------------------------------------------------------------------------------
/// A load of `count` fractals of 512 bytes from fractal `start` on; steps are from start to start, in fractals.
struct Fractals {
    uint32_t start, count;
    int32_t srcStep, dstStep;
    bool transposes;
};
void loadFractals(const Local &dst, const Local *src, const Global *globalSrc, const Fractals &load);
/// A load of squares of fractals, each transposed: `start` and `srcStep` in squares, the others in fractals.
struct Squares {
    uint32_t start, count;
    int32_t srcStep, dstStep, dstFractalStep;
};
void loadSquares(const Local &dst, const Local &src, const Squares &load);
/// A load of a part of the matrix that an image is for a convolution: rows are the filter's places, columns its taps.
struct Image {
    uint8_t padding[4] = {}; // left, right, top, bottom
    uint32_t height = 0, width = 0, channels = 0;
    uint32_t kCount = 0, mCount = 0, kStart = 0, mStart = 0;
    uint32_t strideWidth = 1, strideHeight = 1, filterWidth = 1, filterHeight = 1, dilationWidth = 1, dilationHeight = 1;
    bool transposes = false, setsSize = true, setsPadding = true;
    uint64_t padValue = 0;
};
void loadImage(const Local &dst, const Local &src, const Image &image);
void fillFractals(const Local &dst, uint32_t repeats, uint32_t blocks, uint32_t gap, uint64_t bits);
void setImage(uint16_t height, uint16_t width, const uint8_t *padding);
void setImagePadding(uint64_t bits);
void setImageRepeats(uint32_t repeats);
/// A product of m x k by k x n: whether C is cleared first or takes the bias table; whether k is rounded up to 16 for float.
struct MatrixProduct {
    uint32_t m, n, k;
    bool clears, fromTable, wideK;
    uint8_t unitFlag;
};
void mmad(const Local &dst, const Local &a, const Local &b, const Local *bias, const MatrixProduct &product);
void setShortFloats(bool on);
void setShortFloatRounding(bool towardsZero);
/// A copy of matrices of rows into fractals: source steps and `dstMatrixStep` in elements, the others in 32 bytes.
struct RowsToFractals {
    uint32_t matrices, rows, columns, srcMatrixStep, srcRowStep, dstBlockStep, dstRowStep, dstMatrixStep;
};
void copyRowsToFractals(const Local &dst, const Global &src, const RowsToFractals &copy);
void copyToTable(const Local &dst, const Local &src, uint32_t count, uint32_t length, uint32_t srcGap, uint32_t dstGap);
/// What leaves L0C: `rows` of elements, else fractals. `srcStride` in rows of 16 elements, `dstStride` in elements (rows) or
/// 32 bytes; `srcMatrixStep` in 1024 bytes, `dstMatrixStep` in elements. `quant` is a QuantMode_t.
struct Drain {
    uint32_t m = 0, n = 0, srcStride = 0, dstStride = 0;
    bool rows = false, relu = false, splits = false;
    int quant = 0;
    uint64_t scalar = 0;
    uint32_t matrices = 1, srcMatrixStep = 0, dstMatrixStep = 0;
    uint8_t unitFlag = 0;
};
void fixpipe(const Local *local, const Global *global, Type to, const Local &src, const Local *parameters, const Drain &drain);
void setFixParameters(const Local &tensor);
void setFixScalar(uint64_t bits);
void setFixMatrices(uint32_t matrices, uint32_t srcStep, uint32_t dstStep);
/// What those three have set.
void withFixSettings(Drain &drain);
/// Bits `first` to `last` of the control register: bit 48 turns the saturation of half and bfloat16_t off.
void setControl(int first, int last, int64_t value);
int64_t control(int first, int last);
void resetControl(int first, int last);

// --- The vector unit -------------------------------------------------------------------------------------------------
void setVectorMask(uint64_t high, uint64_t low);
void setMaskCounting(bool counting);
void elementwise(Op op, const Local &dst, const Local *a, const Local *b, uint64_t scalar, const Shape &shape);
void cast(const Local &dst, const Local &src, int mode, const Shape &shape);
void setDeqScale(float scale);
void compare(const Local *dst, const Local &a, const Local *b, uint64_t scalar, int mode, const Shape &shape);
void select(const Local &dst, const Local *bits, const Local &a, const Local *b, uint64_t scalar, int mode, const Shape &shape);
/// Without a scalar or a mask among its arguments: what SetCmpMask gave is the bits, the scalar or the bits' address.
void selectByRegister(const Local &dst, const Local *bits, const Local &a, const Local *b, int mode, const Shape &shape);
void getCompareMask(const Local &dst);
void setCompareMask(const Local &src);

/// Reductions.
enum class Reduction : uint8_t { sum, max, min };
void reduce(Reduction kind, const Local &dst, const Local &src, const Local &work, const Shape &shape, bool index);
void reduceRepeats(Reduction kind, const Local &dst, const Local &src, const Shape &shape, int order);
void reduceBlocks(Reduction kind, const Local &dst, const Local &src, const Shape &shape);
void reducePairs(const Local &dst, const Local &src, const Shape &shape);
void lastReduction(Type type, void *value, void *index);
void reduceRows(Reduction kind, const Local &dst, const Local &src, uint32_t rows, uint32_t pitch, uint32_t length, float factor);

void broadcastToBlocks(const Local &dst, const Local &src, uint32_t repeat, uint16_t blockStride, uint16_t repeatStride);
void createIndex(const Local &dst, uint64_t first, const Shape &shape);
void progression(const Local &dst, uint64_t first, uint64_t difference, int64_t count);
void gather(const Local &dst, const Local &src, const Local &offsets, uint32_t base, const Shape &shape);
void gatherBlocks(const Local &dst, const Local &src, const Local &offsets, uint32_t repeat, uint16_t blockStride, uint16_t repeatStride);
void scatter(const Local &dst, const Local &src, const Local &offsets, uint32_t base, const Shape &shape);
uint64_t gatherMask(const Local &dst, const Local &src, const Local *pattern, int fixedPattern, bool counted, uint32_t mask, uint32_t blockStride, uint32_t repeats, uint32_t repeatStride, uint32_t patternStride);
uint64_t gatherMaskCount();
void transposeBlock(const Local &dst, const Local &src);
void transposeRows(const Local *dst, const Local *src, bool dstHigh, bool srcHigh, uint32_t repeats, uint32_t dstStride, uint32_t srcStride);
void fillAddress(uint64_t dst, Type type, uint8_t width, uint64_t value, int64_t count);
void transposeAddresses(const uint64_t *dst, const uint64_t *src, Type type, uint8_t width, bool dstHigh, bool srcHigh, uint32_t repeats, uint32_t dstStride, uint32_t srcStride);
void broadcastAxes(const Local &dst, const Local &src, const uint32_t *dstShape, const uint32_t *srcShape, uint32_t dimensions);

void sortPairs(const Local &dst, const Local &values, const Local &indices, uint32_t repeats, bool whole);
void mergePairs(const Local &dst, const Local *lists, const uint16_t *lengths, uint32_t valid, uint32_t repeats, bool suspends, uint32_t *taken);
void mergedCounts(uint16_t *counts);
void extractPairs(const Local &values, const Local &indices, const Local &sorted, uint32_t repeats);
void softmaxGradient(const Local &dst, const Local &gradient, const Local &y, uint32_t rows, uint32_t pitch, uint32_t columns, bool sumsOnly);
void selectByBytes(const Local &dst, const Local &src, uint64_t scalar, const Local &mask, uint32_t rows, uint32_t columns, uint32_t maskColumns, bool swapped);
void sumRepeatsAt(void *dst, const void *src, Type type, uint8_t width, uint32_t repeats, uint32_t dstStep, uint32_t srcBlock, uint32_t srcStep);

// --- Matmul ----------------------------------------------------------------------------------------------------------
uint8_t *systemWorkspace();
/// A cube core computes from here on what its vector cores ask for, and runs nothing of the kernel's own.
void matmulServe();
void matmulBegin(Matmul &matmul, const ::TCubeTiling *tiling);
void matmulTransposed(Matrix &matrix, bool transposed, const char *name);
void matmulBiased(Matmul &matmul);
bool matmulIterate(Matmul &matmul, bool adds, const Local *results);
bool matmulIterateAside(Matmul &matmul);
void matmulGet(Matmul &matmul, const Global *global, const Local *local, int atomic, bool packed);
Global matmulGetAside(Matmul &matmul);
/// `waited`: the kernel says that it calls WaitIterateAll, or WaitIterateBatch, before it uses the result.
void matmulAll(Matmul &matmul, const Global *global, const Local *local, int atomic, bool packed, bool waited = false);
void matmulWait();
struct MatmulBatch {
    uint32_t a, b;
    uint32_t stepA, stepB;
    uint32_t loops;
};
void matmulBatch(Matmul &matmul, const Global *global, const Local *local, const MatmulBatch &batch, int atomic, bool waited = false);
Global matmulGetBatch(Matmul &matmul, uint32_t a, uint32_t b);

template <typename T> Local local() { return Local(typeOf<T>(), sizeof(T)); }
/// The bytes of a scalar.
template <typename T> uint64_t bitsOf(const T &value)
{
    uint64_t bits = 0;
    static_assert(sizeof(T) <= sizeof(bits));
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}
/// The elements of a count form.
inline Shape counted(int64_t count)
{
    Shape shape;
    shape.count = count < 0 ? 0 : count;
    shape.negative = count < 0;
    return shape;
}
/// A mask given as how many elements count from the first of each repeat; 0 keeps the mask that was set.
inline void setMask(Shape &shape, uint64_t elements)
{
    shape.mask[0] = elements >= 64 ? ~0ull : (1ull << elements) - 1;
    shape.mask[1] = elements >= 128 ? ~0ull : elements > 64 ? (1ull << (elements - 64)) - 1 : 0;
    shape.elements = elements;
    shape.byElements = true;
}
/// A mask given as bits.
inline void setMask(Shape &shape, const uint64_t *bits)
{
    shape.mask[0] = bits[0];
    shape.mask[1] = bits[1];
    shape.elements = bits[0];
}

}

namespace AscendC {
/// What a function without a template argument of this name does with the mask.
constexpr bool isSetMask = true;
}

#define KGTWIN_CALL ::kgtwin::Call kgtwinCall(__builtin_return_address(0))
#define KGTWIN_MASKED                                                                                                  \
    KGTWIN_CALL;                                                                                                       \
    ::kgtwin::Masked kgtwinMasked(isSetMask)
// A kernel of both kinds of core is one text: a function of the vector unit does nothing on cube cores, nor the reverse.
#define KGTWIN_HAS_VECTOR (KERNELGEN_TWIN & 2)
#define KGTWIN_HAS_CUBE (KERNELGEN_TWIN & 1 || __NPU_ARCH__ != 2201 && __NPU_ARCH__ != 3510)
#if KGTWIN_HAS_VECTOR
#define KERNELGEN_EXECUTE(name, arguments)                                                                             \
    KGTWIN_MASKED;                                                                                                     \
    kgRun##name arguments;
#define KERNELGEN_RUN(name, arguments)                                                                                 \
    KGTWIN_MASKED;                                                                                                     \
    return kgRun##name arguments;
#else
#define KERNELGEN_EXECUTE(name, arguments)
#define KERNELGEN_RUN(name, arguments)
#endif
#if KGTWIN_HAS_CUBE
#define KERNELGEN_RUN_CUBE(name, arguments)                                                                            \
    KGTWIN_CALL;                                                                                                       \
    return kgRun##name arguments;
#else
#define KERNELGEN_RUN_CUBE(name, arguments)
#endif
#define KERNELGEN_LIMIT(name) ::kgtwin::limit<T>(::kgtwin::Limit::name)
#define KERNELGEN_STATE(name) KGTWIN_STATE_##name
#define KGTWIN_STATE_GlobalTensor                                                                                      \
    ::kgtwin::Global twin;                                                                                             \
    ::AscendC::ShapeInfo shapeInfo_;
#define KGTWIN_STATE_LocalTensor                                                                                       \
    ::kgtwin::Local twin{::kgtwin::typeOf<T>(), sizeof(T)};                                                            \
    ::AscendC::ShapeInfo shapeInfo_;
#define KGTWIN_STATE_TQueBind uint16_t twin = 0;
#define KGTWIN_STATE_TBuf uint16_t twin = 0;
#define KGTWIN_STATE_TBufPool uint16_t twin = 0;
#define KGTWIN_STATE_TensorExpression                                                                                  \
    ::kgtwin::Op op;                                                                                                   \
    int comparison;                                                                                                    \
    ::kgtwin::Local a, b;
#define KGTWIN_STATE_TensorDesc                                                                                        \
    uint64_t *twinShape = nullptr;                                                                                     \
    uint64_t twinDimensions = 0, twinIndex = 0, twinData = 0;
#define KGTWIN_STATE_ListTensorDesc uint64_t *twinList = nullptr;
#define KGTWIN_STATE_MatmulImpl ::kgtwin::Matmul twin = ::kgtwin::matmulOf<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, CALL_BACK>(MM_CFG, kernelgenPolicy<POLICY>);
#define KGTWIN_STATE_LocalMemAllocator uint32_t twin = 0;

#endif
