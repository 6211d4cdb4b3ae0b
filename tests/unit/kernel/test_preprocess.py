"""What the preprocessor keeps of a text."""

from __future__ import annotations

from kernelgen_ls.kernel.preprocess import Preprocessor


def test_macros_that_double_are_worked_out_once() -> None:
    defines = "\n".join(f"#define A{n} A{n + 1} + A{n + 1} + A{n + 1} + A{n + 1}" for n in range(14))
    text = f"{defines}\n#define A14 1\n#if A0 > 1000\nmany\n#else\nfew\n#endif\n"
    active = Preprocessor.of({}).active(text, text)
    assert "many" in active
    assert "few" not in active


def test_a_macro_that_is_defined_by_itself_has_no_value() -> None:
    text = "#define LOOP LOOP + 1\n#if LOOP > 1\none\n#else\nother\n#endif\n"
    active = Preprocessor.of({}).active(text, text)
    assert "one" in active
    assert "other" in active
