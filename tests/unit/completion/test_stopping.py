"""Where a completion ends: (the cursor's line | what follows) + what the model writes -> what is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.model.completion.stopping import BracketScan, Stopper, indent_columns
from kernelgen_ls.model.messages import StopRules


def complete(rules: StopRules, text: str, piece: int = 1) -> tuple[str, bool]:
    stopper = Stopper(rules)
    for start in range(0, len(text), piece):
        if stopper.feed(text[start : start + piece]):
            break
    return stopper.text, stopper.stopped


def block(prefix: str, following: str = "", **rules: object) -> StopRules:
    return StopRules(line_prefix=prefix, indent=indent_columns(prefix), following=following, **rules)  # type: ignore[arg-type]  # one literal per test


CASES = {
    "single line ends at the line break": (
        StopRules(multiline=False, line_prefix="    DataCopy(x, "),
        "gm[offset], length);\n    pipe.Barrier();",
        "gm[offset], length);",
    ),
    "the rest of the cursor's line is not repeated": (
        StopRules(multiline=False, line_prefix="  Add(z, ", following=");\n  next();"),
        "x, y.Sub(0), n);\n",
        "x, y.Sub(0), n",
    ),
    "a bracket of the text's own is not the rest of the line": (
        StopRules(multiline=False, line_prefix="  f(", following=")\n"),
        "g(1), h(2))",
        "g(1), h(2)",
    ),
    "a closing bracket nobody opened": (block("    "), "x = 1;\n}\n\nvoid g() {", "x = 1;"),
    "a closing bracket on the same line": (block("  int y = "), "a[0]) + 1;", "a[0]"),
    "a block ends with its brace": (
        block("    for (int i = 0; i < n; ++i) {"),
        "\n        Step(i);\n    }\n    Finish();",
        "\n        Step(i);\n    }",
    ),
    "an else belongs to the block": (
        block("    if (last) {"),
        "\n        A();\n    } else {\n        B();\n    }\n    C();",
        "\n        A();\n    } else {\n        B();\n    }",
    ),
    "a brace initialiser is no block": (block("  "), "T t = {1, 2};\n  u = t;\n\n", "T t = {1, 2};\n  u = t;"),
    "a class ends with its semicolon": (
        block("class K {"),
        "\npublic:\n    int a;\n};\nint b;",
        "\npublic:\n    int a;\n};",
    ),
    "an empty line after a statement": (block("    "), "a = 1;\n    b = 2;\n\n    c = 3;", "a = 1;\n    b = 2;"),
    "an empty line inside a block of the text's own": (
        block("    "),
        "while (k) {\n        a();\n\n        b();\n    }\n    c();",
        "while (k) {\n        a();\n\n        b();\n    }",
    ),
    "one empty line before code": (block("}"), "\n\nint f();\n\nint g();", "\n\nint f();"),
    "two empty lines before code": (block("}"), "\n\n\nint f();", ""),
    "a dedent": (block("        "), "a();\n    b();", "a();"),
    "an empty cursor line takes the depth of the text": (
        block(""),
        "    a();\n    b();\nint c;",
        "    a();\n    b();",
    ),
    "a preprocessor line is no dedent": (
        block("    "),
        "a();\n#if X\n    b();\n#endif\n}",
        "a();\n#if X\n    b();\n#endif",
    ),
    "the next line is not repeated": (
        block("    ", "\n    queue.FreeTensor(x);\n}"),
        "Add(z, x, y, n);\n    queue.FreeTensor(x);\n}",
        "Add(z, x, y, n);",
    ),
    "the next line is not repeated when the model ends there": (
        block("    ", "\n    queue.FreeTensor(x);"),
        "Add(z, x, y, n);\n    queue.FreeTensor(x);",
        "Add(z, x, y, n);",
    ),
    "the brace after the cursor is not repeated": (
        block("    for (;;) {", "\n    }\n"),
        "\n        a();\n    }\n",
        "\n        a();",
    ),
    "brackets in comments and strings do not count": (
        block("    "),
        "a(\"}\"); // }\n    b('}'); /* } */\n    c(1'000);\n}",
        "a(\"}\"); // }\n    b('}'); /* } */\n    c(1'000);",
    ),
    "stop texts": (StopRules(stop_texts=("<|im_end|>",)), "return;<|im_end|>\n", "return;"),
    "half a stop text is held back": (StopRules(stop_texts=("<|im_end|>",)), "return;<|im", "return;"),
    "at most so many lines": (block("", max_lines=3), "a;\nb;\nc;\nd;\n", "a;\nb;\nc;"),
    "nothing but white space": (block("    "), "   \n", ""),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("piece", [1, 3, 1000])
def test_where_it_ends(name: str, piece: int) -> None:
    rules, produced, shown = CASES[name]
    assert complete(rules, produced, piece)[0] == shown


def test_goes_on_where_no_rule_applies() -> None:
    assert complete(block("    "), "a();\n    b(") == ("a();\n    b(", False)


def test_whole_lines_drop_the_unfinished_one() -> None:
    stopper = Stopper(block("    "))
    stopper.feed("a();\n    b();\n    c(")
    assert stopper.whole_lines == "a();\n    b();"
    assert Stopper(block("")).whole_lines == ""


def test_whole_lines_after_a_rule_is_everything() -> None:
    stopper = Stopper(StopRules(multiline=False))
    assert stopper.feed("a();\n")
    assert stopper.whole_lines == "a();"


@given(
    st.text(alphabet="ab(){}[]\n \"'/*;#", max_size=80),
    st.text(alphabet="a(){ ", max_size=10),
    st.text(alphabet="a(){}\n ;", max_size=12),
    st.booleans(),
    st.integers(1, 9),
)
def test_the_pieces_do_not_matter(produced: str, prefix: str, following: str, multiline: bool, piece: int) -> None:
    rules = StopRules(multiline=multiline, line_prefix=prefix, following=following, stop_texts=("a;a",))
    assert complete(rules, produced, piece) == complete(rules, produced, 1)


@given(st.text(alphabet="ab(){}[];\n ", max_size=80))
def test_what_is_shown_never_closes_more_than_was_open(produced: str) -> None:
    shown, _ = complete(StopRules(line_prefix="f(", multiline=True), produced)
    scan = BracketScan("f(")
    for character in shown:
        assert not scan.closes_unopened(character)
        scan.step(character)
