// Shapes, strides and coordinates as types: the layout algebra of newer tool chains. Names only are checked.
#ifndef KERNELGEN_ASCENDC_LAYOUT_H
#define KERNELGEN_ASCENDC_LAYOUT_H

#include "config.h"

// These names are common in kernels written before the interface had them, so they are there for new chips only.
#if __NPU_ARCH__ >= 3510
namespace AscendC {

/// The lengths of the axes of a layout; axes may be nested.
template <typename... Axes> struct Shape {};
/// The distances in elements between neighbours along each axis of a layout.
template <typename... Axes> struct Stride {};
/// A position in a layout, one index an axis.
template <typename... Axes> struct Coord {};
/// A shape and a stride: where each coordinate's element is.
template <typename ShapeType, typename StrideType> struct Layout {};
/// Makes a shape from lengths.
template <typename... Axes> __aicore__ constexpr Shape<Axes...> MakeShape(const Axes &...axes) { return {}; }
/// Makes a stride from distances.
template <typename... Axes> __aicore__ constexpr Stride<Axes...> MakeStride(const Axes &...axes) { return {}; }
/// Makes a coordinate from indices.
template <typename... Axes> __aicore__ constexpr Coord<Axes...> MakeCoord(const Axes &...axes) { return {}; }
/// Makes a layout from a shape and a stride.
template <typename ShapeType, typename StrideType> __aicore__ constexpr Layout<ShapeType, StrideType> MakeLayout(const ShapeType &shape, const StrideType &stride) { return {}; }

}
#endif

#endif
