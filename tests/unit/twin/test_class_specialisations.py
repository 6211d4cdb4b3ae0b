"""What the device's compiler takes inside a class and GCC does not runs all the same, each line where it was."""

from __future__ import annotations

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.toolchains.twin.aggregates import without_defaulted_constructors
from kernelgen_ls.runner.toolchains.twin.class_specialisations import without_class_specialisations
from tests.unit.twin.verifying import serious, verify

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
struct Coord {
    int at[2];
    __aicore__ constexpr Coord(int value) { for (int i = 0; i < 2; ++i) { at[i] = value; } }
};
struct Step {
    __aicore__
    Step() = default;
    float base{0};
    int times{0};
};
template <class T> struct Scale {
    static constexpr auto COORD = Coord(2);
    template <int32_t CORE = 2>
    __aicore__ inline T operator()(T const &value);
    template <>
    __forceinline__ [aicore]
    T operator()<1>(T const &value) { return value; }
    template <> __aicore__ inline T operator()<2>(T const &value) { return value * COORD.at[1]; }
    template <class U> struct Kind { static constexpr T STEP = 100; };
    template <> struct Kind<void> { static constexpr T STEP = 1; };
};
template <typename T> __aicore__ inline void OfAnotherChip() { CopyInsideImpl(1, 2); }
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 8);
    to.SetGlobalBuffer((__gm__ float *)y, 8);
    Scale<float> scale;
    Step step;
    step = {0.0f, 1};
    for (uint32_t i = 0; i < 8; i++) {
        float value = from.GetValue(i) * step.times + step.base;
        to.SetValue(i, scale(value) + scale.template operator()<1>(value) + Scale<float>::Kind<void>::STEP);
    }
}
"""
CASES = """
CASES = [{}]
inputs = lambda case, rng: [rng.integers(0, 9, 8).astype(np.float32)]
golden = lambda case, given: [given[0] * 3 + 1]
"""


def test_classes_with_specialisations_constant_constructors_and_defaulted_ones_set_by_braces_run() -> None:
    result = verify({"scale.cpp": KERNEL}, "scale.cpp", "scale", CASES)
    assert (result.outcome, serious(result)) == (Outcome.PASSED, [])


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        (
            "template <int N = 3, typename T> void f(T); template <> void f<2, std::pair<int, int>>(T);",
            "template <int N = 3, typename T> void f(T); template <int N = 3, typename T> requires "
            "(N == (2) && ::std::is_same_v<T, std::pair<int, int>>) void f(T);",
        ),
        (
            "template <class T, bool b = false> struct S {}; template <>\nstruct S<\nvoid, true> : B {};",
            "template <class T, bool b = false> struct S {}; template <class T, bool b> requires "
            "(::std::is_same_v<T, void> && b == (true))\nstruct S<T, b>\n : B {};",
        ),
        ("template <> void g<2>();", "template <> void g<2>();"),
        ("template <typename> void g(); template <> void g<int>();",) * 2,
        ("template <int... N> void g(); template <> void g<2>();",) * 2,
        ("template <> void g<2",) * 2,
    ],
)
def test_a_specialisation_becomes_a_constraint_in_its_line(text: str, rewritten: str) -> None:
    assert without_class_specialisations(text, [text.rindex("template <>") + 10]) == rewritten


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        (
            "struct S {\n#if X\n  inline\n  S() = default; int a; };",
            "struct S {\n#if X\n        \n                 int a; };",
        ),
        ("struct S { S() = default; // S()\n int a; };", "struct S {                // S()\n int a; };"),
        ("struct S { S() = default; S(int); int a; };",) * 2,
        ("struct S { ~S() = default; S(const S &) = default; };",) * 2,
        ("S::S() = default;",) * 2,
    ],
)
def test_a_defaulted_constructor_is_left_out_where_it_is_the_only_one(text: str, rewritten: str) -> None:
    assert without_defaulted_constructors(text) == rewritten
