// The tilings of the library's normalisations and paddings: the sizes that the twin's own functions read, the whole in one
// piece. What splits a tensor on a chip is not public and stays 0.
#pragma once

namespace kernelgen {
/// The shapes and the numbers among a tiling function's arguments, in their order.
struct Given {
    std::vector<ge::Shape> shapes;
    std::vector<int64_t> numbers;
};
template <typename Argument> void keep(Given &given, const Argument &argument) {
    if constexpr (std::is_same_v<Argument, ge::Shape>) given.shapes.push_back(argument);
    else if constexpr (std::is_arithmetic_v<Argument>) given.numbers.push_back(static_cast<int64_t>(argument));
}
template <typename... Arguments> Given given(const Arguments &...arguments) {
    Given kept;
    (keep(kept, arguments), ...);
    if (kept.shapes.empty()) kept.shapes.emplace_back();
    return kept;
}
/// The product of a shape's axes from `first` on, up to `last`.
inline uint32_t product(const ge::Shape &shape, size_t first, size_t last) {
    uint32_t length = 1;
    for (size_t i = first; i < last; ++i) length *= static_cast<uint32_t>(shape.GetDim(i));
    return length;
}
/// The length of the axis that is `behind` axes from the last; 1 where there is none.
inline uint32_t axis(const ge::Shape &shape, size_t behind) {
    const size_t axes = shape.GetDimNum();
    return behind < axes ? static_cast<uint32_t>(shape.GetDim(axes - 1 - behind)) : 1;
}

// Sets a field of what has one, by its setter or as it is.
#define KERNELGEN_FIELD(field)                                                                                         \
    template <typename T> auto put_##field(T &tiling, uint32_t value, int) -> decltype(tiling.set_##field(value), void()) { tiling.set_##field(value); } \
    template <typename T> auto put_##field(T &tiling, uint32_t value, long) -> decltype(tiling.field = value, void()) { tiling.field = value; } \
    template <typename T> void put_##field(T &, uint32_t, ...) {}
KERNELGEN_FIELD(bLength) KERNELGEN_FIELD(sLength) KERNELGEN_FIELD(hLength) KERNELGEN_FIELD(originalHLength)
KERNELGEN_FIELD(aLength) KERNELGEN_FIELD(rLength) KERNELGEN_FIELD(originalBLength) KERNELGEN_FIELD(meanVarSize)
KERNELGEN_FIELD(n) KERNELGEN_FIELD(c) KERNELGEN_FIELD(hw) KERNELGEN_FIELD(g) KERNELGEN_FIELD(d)
KERNELGEN_FIELD(hwAlignSize) KERNELGEN_FIELD(dhwAlignSize)
KERNELGEN_FIELD(srcHeight) KERNELGEN_FIELD(srcWidth) KERNELGEN_FIELD(srcOriWidth)
#undef KERNELGEN_FIELD

/// Batches, sequences and features; a second shape is that without padding.
template <typename T> void rowSizes(T &tiling, const Given &given) {
    const ge::Shape &shape = given.shapes.front(), &real = given.shapes.back();
    const size_t axes = shape.GetDimNum();
    put_bLength(tiling, axes > 2 ? product(shape, 0, axes - 2) : 1, 0);
    put_sLength(tiling, axis(shape, 1), 0);
    put_hLength(tiling, axis(shape, 0), 0);
    put_originalHLength(tiling, axis(real, 0), 0);
    put_aLength(tiling, axes > 1 ? product(shape, 0, axes - 1) : 1, 0);
    put_rLength(tiling, axis(shape, 0), 0);
}
template <typename T> void batchSizes(T &tiling, const Given &given) {
    const ge::Shape &shape = given.shapes.front(), &real = given.shapes.back();
    put_originalBLength(tiling, product(real, 0, real.GetDimNum() ? 1 : 0), 0);
    put_meanVarSize(tiling, product(shape, 1, shape.GetDimNum()), 0);
}
/// Its numbers: bytes of memory and of an element, whether the source is reused, groups.
template <typename T> void groupSizes(T &tiling, const Given &given) {
    const ge::Shape &shape = given.shapes.front();
    const uint32_t width = given.numbers.size() > 1 ? static_cast<uint32_t>(given.numbers[1]) : 4;
    const uint32_t groups = given.numbers.size() > 3 ? static_cast<uint32_t>(given.numbers[3]) : 1;
    const uint32_t channels = shape.GetDimNum() > 1 ? static_cast<uint32_t>(shape.GetDim(1)) : 1;
    const uint32_t length = product(shape, 2, shape.GetDimNum()), block = 32 / std::max<uint32_t>(width, 1);
    const uint32_t pitch = (length + block - 1) / block * block, each = channels / std::max<uint32_t>(groups, 1);
    put_n(tiling, product(shape, 0, shape.GetDimNum() ? 1 : 0), 0), put_c(tiling, channels, 0), put_hw(tiling, length, 0);
    put_g(tiling, groups, 0), put_d(tiling, each, 0);
    put_hwAlignSize(tiling, pitch, 0), put_dhwAlignSize(tiling, pitch * each, 0);
}
template <typename T> void padSizes(T &tiling, const Given &given) {
    const ge::Shape &shape = given.shapes.front();
    put_srcHeight(tiling, shape.GetDimNum() ? product(shape, 0, shape.GetDimNum() - 1) : 1, 0);
    put_srcWidth(tiling, axis(shape, 0), 0);
    put_srcOriWidth(tiling, axis(given.shapes.back(), 0), 0);
}
/// Calls `fill` for what among the arguments is a tiling.
template <typename Fill, typename Argument> void fillOne(const Fill &fill, Argument &argument) {
    if constexpr (std::is_class_v<Argument> && !std::is_same_v<std::remove_const_t<Argument>, ge::Shape> && !std::is_const_v<Argument>) fill(argument);
}
}

namespace AscendC {
#define KERNELGEN_FILL(sizes)                                                                                          \
    const kernelgen::Given kept = kernelgen::given(arguments...);                                                      \
    (kernelgen::fillOne([&](auto &tiling) { kernelgen::sizes(tiling, kept); }, arguments), ...);
#define KERNELGEN_TILING(name, sizes)                                                                                  \
    template <typename... Arguments> uint32_t Get##name##TilingInfo(Arguments &&...arguments) {                        \
        KERNELGEN_FILL(sizes)                                                                                          \
        return 1;                                                                                                      \
    }                                                                                                                  \
    template <typename... Arguments> void Get##name##NDTilingInfo(Arguments &&...arguments) { KERNELGEN_FILL(sizes) }
KERNELGEN_TILING(LayerNorm, rowSizes) KERNELGEN_TILING(RmsNorm, rowSizes) KERNELGEN_TILING(DeepNorm, rowSizes)
KERNELGEN_TILING(LayerNormGrad, rowSizes) KERNELGEN_TILING(BatchNorm, batchSizes) KERNELGEN_TILING(GroupNorm, groupSizes)
KERNELGEN_TILING(Pad, padSizes) KERNELGEN_TILING(UnPad, padSizes)
template <typename... Arguments> void GetLayerNormNDTillingInfo(Arguments &&...arguments) { KERNELGEN_FILL(rowSizes) }
template <typename... Arguments> void GetLayerNormGradBetaNDTilingInfo(Arguments &&...arguments) { KERNELGEN_FILL(rowSizes) }
template <typename... Arguments> void PadTilingFunc(Arguments &&...arguments) { KERNELGEN_FILL(padSizes) }
template <typename... Arguments> void UnPadTilingFunc(Arguments &&...arguments) { KERNELGEN_FILL(padSizes) }
template <typename... Arguments> bool TopKTilingFunc(Arguments &&...) { return true; }
#undef KERNELGEN_TILING
#undef KERNELGEN_FILL
}
