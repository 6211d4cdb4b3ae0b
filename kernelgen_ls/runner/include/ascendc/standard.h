// AscendC::Std: the standard library's traits, tuples and sequences under the names that AscendC gives them.
#ifndef KERNELGEN_ASCENDC_STANDARD_H
#define KERNELGEN_ASCENDC_STANDARD_H

#include <tuple>
#include "config.h"

namespace AscendC {
namespace Std {
using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::declval;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::forward;
using std::get;
using std::ignore;
using std::index_sequence;
using std::integer_sequence;
using std::integral_constant;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_class;
using std::is_class_v;
using std::is_const;
using std::is_const_v;
using std::is_constructible;
using std::is_constructible_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_empty;
using std::is_empty_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_integral;
using std::is_integral_v;
using std::is_lvalue_reference;
using std::is_lvalue_reference_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_signed;
using std::is_signed_v;
using std::is_unsigned;
using std::is_unsigned_v;
using std::is_void;
using std::is_void_v;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::make_tuple;
using std::make_unsigned;
using std::make_unsigned_t;
using std::move;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_extent;
using std::remove_extent_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::tie;
using std::true_type;
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;
using std::void_t;
/// The type of ignore.
using ignore_t = std::remove_cv_t<decltype(std::ignore)>;
/// A type without reference, const and volatile, as `type`.
template <typename T> struct remove_cvref { using type = std::remove_cv_t<std::remove_reference_t<T>>; };
template <typename T> using remove_cvref_t = std::remove_cv_t<std::remove_reference_t<T>>;
template <typename T, T... values> using IntegerSequence = std::integer_sequence<T, values...>;
template <typename T, T count> using MakeIntegerSequence = std::make_integer_sequence<T, count>;
template <bool value> using bool_constant = std::integral_constant<bool, value>;
/// A number as a type.
template <size_t value> using Int = std::integral_constant<size_t, value>;
/// Whether `T` is one of the other types.
template <typename T, typename... Others> constexpr bool is_one_of_v = (std::is_same_v<T, Others> || ...);
template <typename T, typename... Others> using is_one_of = std::integral_constant<bool, is_one_of_v<T, Others...>>;
template <typename T> constexpr bool is_tuple_v = false;
template <typename... T> constexpr bool is_tuple_v<std::tuple<T...>> = true;
template <typename T> using is_tuple = std::integral_constant<bool, is_tuple_v<T>>;
template <typename T> using unwrap_decay_t = std::decay_t<T>;
/// The smaller of two scalars.
template <typename T, typename U> constexpr auto min(const T &a, const U &b) { return b < a ? b : a; }
/// The larger of two scalars.
template <typename T, typename U> constexpr auto max(const T &a, const U &b) { return a < b ? b : a; }
/// The absolute value of a scalar.
template <typename T> constexpr T abs(const T x) { return x < 0 ? -x : x; }
/// The square root of a scalar.
template <typename T> __aicore__ inline T sqrt(const T x);
/// x divided by y, rounded up.
template <typename T, typename U> constexpr auto ceil_division(const T &x, const U &y) { return y == 0 ? x : (x + y - 1) / y; }
/// x rounded up to a multiple of y.
template <typename T, typename U> constexpr auto ceil_align(const T &x, const U &y) { return ceil_division(x, y) * y; }
}

}

#endif
