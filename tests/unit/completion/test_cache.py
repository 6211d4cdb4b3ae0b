"""Typing what the ghost text says is answered from the cache."""

import pytest

from kernelgen_ls.model.completion.cache import CachedText, CompletionCache, untyped
from kernelgen_ls.model.messages import StopReason


def answer(*texts: str) -> CachedText:
    return CachedText(texts, StopReason.RULE, multiline=True)


def texts(cache: CompletionCache, before: str, after: str = "\n}") -> tuple[str, ...]:
    found = cache.find("k.cpp", before, after)
    return found.texts if found else ()


def test_typed_through() -> None:
    cache = CompletionCache()
    cache.put("k.cpp", "void f() {\n    Da", "\n}", answer("taCopy(x, y, 32);", "tum d;"))
    assert texts(cache, "void f() {\n    Da") == ("taCopy(x, y, 32);", "tum d;")
    assert texts(cache, "void f() {\n    Data") == ("Copy(x, y, 32);",)
    assert texts(cache, "void f() {\n    DataCopy(x, y, 32);") == ()
    assert texts(cache, "void f() {\n    Dat") == ("aCopy(x, y, 32);", "um d;")
    assert texts(cache, "void f() {\n    Datum") == ()
    assert texts(cache, "void f() {\n    Data", "\n// other\n}") == ()
    assert cache.find("other.cpp", "void f() {\n    Da", "\n}") is None


def test_a_bracket_that_the_editor_closes_is_looked_through() -> None:
    cache = CompletionCache()
    cache.put("k.cpp", "  ", "\n}", answer("Copy(x, y);"))
    assert texts(cache, "  Copy(", ")\n}") == ("x, y);",)


@pytest.mark.parametrize(
    ("text", "typed", "left"),
    [
        ("abc", "", "abc"),
        ("abc", "ab", "c"),
        ("abc", "abc", ""),
        ("abc", "x", ""),
        ("a;\n    b;", "a;\n        ", "b;"),
        ("a;\n        b;", "a;\n    ", "    b;"),
        ("a;\n\tb;", "a;\n    ", "b;"),
        ("a;\n\nb;", "a;\n  ", ""),
    ],
)
def test_what_is_left(text: str, typed: str, left: str) -> None:
    assert untyped(text, typed) == left


def test_the_oldest_goes() -> None:
    cache = CompletionCache(capacity=2)
    for name in "abc":
        cache.put("k.cpp", name, "", answer("x" + name))
        cache.find("k.cpp", "a", "")
    assert cache.find("k.cpp", "b", "") is None
    assert cache.find("k.cpp", "a", "") and cache.find("k.cpp", "c", "")


def test_forgotten_with_the_document() -> None:
    cache = CompletionCache()
    cache.put("k.cpp", "a", "", answer("x"))
    cache.forget("k.cpp")
    assert texts(cache, "a", "") == ()
