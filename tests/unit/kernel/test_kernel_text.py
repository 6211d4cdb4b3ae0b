"""Blanked text, constants and chips."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelgen_ls.kernel.blank import blank, blank_for_syntax, strip_comments
from kernelgen_ls.kernel.chips import CHIPS, DEFAULT_CHIP, chip_named, find_chip
from kernelgen_ls.kernel.constants import TYPE_BYTES, evaluate, read_constants
from kernelgen_ls.settings import Settings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__global__ [aicore] void f();", "__global__          void f();"),
        ("[host, aicore] int g();", "               int g();"),
        ("f<<<8, nullptr, stream>>>(x);", "f                        (x);"),
        ("f<<<g(1, h<2>()),\n  l2>>>(x);", "f" + " " * 16 + "\n" + " " * 7 + "(x);"),
        ("// [aicore] <<<1>>>", "// [aicore] <<<1>>>"),
        ('s = "[aicore]"; t[aicore];', 's = "[aicore]"; t        ;'),
        ("a <<< b;", "a <<< b;"),
        ("x[aicore_index] = y << 3;", "x[aicore_index] = y << 3;"),
        ("/* f<<<1>>>() */ f<<<1>>>();", "/* f<<<1>>>() */ f       ();"),
    ],
)
def test_what_is_not_cpp_becomes_spaces(text: str, expected: str) -> None:
    assert blank(text) == expected


def test_qualifiers_of_the_compiler_become_macros_of_the_same_length() -> None:
    assert blank("[aicore] int f();", attributes=True) == "__aic__  int f();"
    assert blank("[host, aicore] int g();", attributes=True) == "__haic__       int g();"
    assert blank("t[aicore];", attributes=True) == "t        ;"
    assert blank("[ host,\n aicore ] int g();", attributes=True) == "       \n          int g();"


def test_the_grammar_gets_cpp_words_of_the_same_length() -> None:
    text = 'extern "C" __global__ __aicore__ void f(__gm__ uint8_t *x); // 核函数'
    plain = blank_for_syntax(text)
    assert plain == 'extern "C" static     inline     void f(const  uint8_t *x); // ___'
    assert blank_for_syntax("__global__ __mix__(1, 2) void f();") == "static                   void f();"
    assert blank_for_syntax("if ASCEND_IS_AIV { f(); }") == "if(ASCEND_IS_AI) { f(); }"
    assert (
        blank_for_syntax("q.template EnQue(x); q.template DeQue<T>();") == "q.         EnQue(x); q.template DeQue<T>();"
    )
    assert blank_for_syntax("T &__restrict a, __attribute__((unused)) int b").split() == ["T", "&", "a,", "int", "b"]


PIECES = ("<<<", ">>>", "[aicore]", "(", ")", "\n", "a", '"', "//", "/*", "*/", "核", "\x00", ";")


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_blanking_keeps_length_and_lines(text: str) -> None:
    for plain in (blank(text), blank(text, attributes=True), blank_for_syntax(text), strip_comments(text)):
        assert len(plain) == len(text)
        assert [i for i, c in enumerate(plain) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
    assert blank_for_syntax(text).isascii()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("32 * 1024 / sizeof(half)", 16384),
        ("static_cast<uint32_t>(7) % 4", 3),
        ("(int64_t)0x10 << 2", 64),
        ("(N + 31) / 32 * 32", 128),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("010 + 10UL", 18),
        ("1'000", 1000),
        ("N > 2 ? 5 : unknown", 5),
        ("N > 2 ? unknown : 5", None),
        ("1.5 * 2", None),
        ("f(3)", None),
        ("sizeof(T)", None),
        ("1 / 0", None),
        ("", None),
        ("(", None),
        ("1 +", None),
        ("unknown", None),
    ],
)
def test_expressions(expression: str, expected: int | None) -> None:
    assert evaluate(expression, {"N": 100}) == expected


@settings(deadline=None)
@given(st.text(st.sampled_from("0123456789+-*/%()?:<>=!&|^~ xN,")))
def test_any_expression_has_a_value_or_none(expression: str) -> None:
    value = evaluate(expression, {"N": 3})
    assert value is None or isinstance(value, int)


def test_constants_of_a_text() -> None:
    text = """
#define TILE 256
#define MACRO(x) x
constexpr int32_t BUFFER_NUM = 2;
static constexpr uint32_t LENGTH{BUFFER_NUM * TILE};
const float scale = 3;
enum Kind { A, B = 5, C };
constexpr uint32_t later = f();
#define TWICE 1
#define TWICE 2
"""
    assert read_constants(text) == {"TILE": 256, "BUFFER_NUM": 2, "LENGTH": 512, "A": 0, "B": 5, "C": 6}


@pytest.mark.parametrize(
    ("written", "soc"),
    [
        ("Ascend910B1", "Ascend910B1"),
        ("910b4-1", "Ascend910B4-1"),
        *((family, "Ascend910B1") for family in ("Ascend910B", "910b", "A2", "dav-2201", " ascend910b ")),
        *((family, "Ascend910_9392") for family in ("A3", "ascend910_93", "910_93")),
        *((family, "Ascend310P3") for family in ("310P", "ascend310p", "dav-2002")),
        *((family, "Ascend310B1") for family in ("310B", "ascend310b", "dav-3002")),
        *((family, "Ascend910A") for family in ("ascend910", "dav-1001")),
        # The name that OpDefs use, the one before it, and the parts that npu-smi and builds name.
        *((family, "Ascend950") for family in ("ascend950", "950", "ascend910_95", "Ascend910_95", "dav-3510")),
        *((part, "Ascend950") for part in ("Ascend950PR_9599", "Ascend950DT_9581", "Ascend910_9589")),
    ],
)
def test_chips_by_any_name(written: str, soc: str) -> None:
    assert chip_named(written).soc == soc


@pytest.mark.parametrize("written", ["b200", "", "Ascend", "Ascend910B9", "ascend9500", "Ascend950PR", "910_95x_"])
def test_an_unknown_chip_is_refused_with_the_known_ones(written: str) -> None:
    assert find_chip(written) is None
    with pytest.raises(ValueError, match=f"no chip is called '{written}'; known are Ascend910B1, .*Ascend950, and"):
        chip_named(written)


def test_a_family_without_a_part_is_the_default() -> None:
    assert [chip_named("a2"), chip_named(DEFAULT_CHIP.config_name)] == [DEFAULT_CHIP] * 2
    assert Settings().check.chip == ""


def test_chips_are_sound() -> None:
    assert len({chip.soc for chip in CHIPS}) == len(CHIPS)
    for chip in CHIPS:
        assert chip_named(chip.soc) is chip
        assert find_chip(chip.config_name) is not None
        assert chip.ub_bytes % 1024 == 0
    assert TYPE_BYTES["half"] == 2
