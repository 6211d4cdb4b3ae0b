"""Triggers, filters, secrets, debounce, usage: the small rules around a completion."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.model.completion.debounce import Debounce
from kernelgen_ls.model.completion.document import Cursor, line_ending
from kernelgen_ls.model.completion.filters import Rejection, rejection
from kernelgen_ls.model.completion.secrets import is_secret
from kernelgen_ls.model.completion.trigger import Change, decide, edit_end, last_change, wants_lines
from kernelgen_ls.model.completion.usage import Usage


def cursor(text: str) -> Cursor:
    """A text with ``|`` at the cursor."""
    before, after = text.split("|")
    return Cursor(before, after)


@pytest.mark.parametrize(
    ("text", "change", "manual", "ask"),
    [
        ("  Da|\n", Change.INSERTED, False, True),
        ("  Da|\n", Change.DELETED, False, False),
        ("  Da|\n", Change.DELETED, True, True),
        ("  Da|ta\n", Change.INSERTED, False, False),
        ("  f(|)\n", Change.INSERTED, False, True),
        ("|", Change.NONE, False, False),
    ],
)
def test_when_it_asks(text: str, change: Change, manual: bool, ask: bool) -> None:
    assert decide(cursor(text), change, manual=manual).ask is ask


@pytest.mark.parametrize(
    ("text", "manual", "lines"),
    [
        ("    |\n}", False, True),
        ("  for (;;) {|\n", False, True),
        ("  int x = |\n", False, False),
        ("  int x = |\n", True, True),
        ("  f(|)\n", True, False),
        ("// adds two tensors|\n", False, True),
    ],
)
def test_when_several_lines_are_welcome(text: str, manual: bool, lines: bool) -> None:
    assert wants_lines(cursor(text), manual=manual) is lines


@pytest.mark.parametrize(
    ("before", "after", "change", "place"),
    [
        ("ab\ncd", "ab\ncxd", Change.INSERTED, Position(1, 2)),
        ("ab\ncd", "ab\nd", Change.DELETED, Position(1, 0)),
        ("ab", "ab", Change.NONE, Position(0, 2)),
        ("", "a\nb", Change.INSERTED, Position(1, 1)),
        ("aaa", "aaaa", Change.INSERTED, Position(0, 4)),
    ],
)
def test_where_an_edit_was(before: str, after: str, change: Change, place: Position) -> None:
    assert last_change(before, after) is change
    assert edit_end(before, after) == place


@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30))
def test_an_edit_ends_inside_the_text(before: str, after: str) -> None:
    place = edit_end(before, after)
    assert place.column <= len(after.split("\n")[place.line])


@pytest.mark.parametrize(
    ("at", "text", "why"),
    [
        ("  |\n", "Add(z, x, y, n);", None),
        ("  |\n", " \n", Rejection.EMPTY),
        ("  |\n", "a;<|fim_pad|>", Rejection.SPECIAL),
        ("  |\n", "a;\n```\n", Rejection.SPECIAL),
        ("  |\n", "ab\ufffd", Rejection.SPECIAL),
        ("  |\n  Free(x);\n}", "Free(x);", Rejection.REPEATS_FOLLOWING),
        ("  int y = |\n  1;\n", "1;", None),
        ("  f(|x);\n", "x);", Rejection.REPEATS_FOLLOWING),
        ("  a(1);\n  b(2);\n  |\n", "a(1);\n  b(2);", Rejection.REPEATS_PRECEDING),
        ("  |\n", "a(1);\n  a(1);\n  a(1);", Rejection.REPEATS_PRECEDING),
        ("  a = |\n", "qInirnInirnInirnInirnInirn", Rejection.STUTTERS),
        ("  a = |\n", "gmCairn[gmCairn[gmCairn[gmCairn[gm", Rejection.STUTTERS),
        ("  a = |\n", "HULDRA_SPAN, " * 14, Rejection.STUTTERS),
        ("  a = |\n", "{0, 0, 0, 0, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};", None),
        ("  this->|\n", ".Format({" + ", ".join(["ge::FORMAT_ND"] * 6) + "})", None),
        ("  f(|\n", "nullptr, nullptr, nullptr, nullptr, nullptr);", None),
        ("  |\n", "// " + "_" * 60, None),
        ("void f() {\n    |\n}", "            x = 1;", Rejection.INDENTATION),
        ("void f() {\n    |\n}", "x = 1;\n\ty = 2;", Rejection.INDENTATION),
        ("void f() {\n\t|\n}", "x = 1;\n\ty = 2;", None),
        ("void f() {\n|\n}", "    x = 1;", None),
    ],
)
def test_what_is_fit_to_be_shown(at: str, text: str, why: Rejection | None) -> None:
    assert rejection(text, cursor(at)) is why


@pytest.mark.parametrize(
    ("path", "secret"),
    [
        ("op_kernel/add.cpp", False),
        (".env", True),
        ("config/.env.local", True),
        ("keys/server.PEM", True),
        (".ssh/config", True),
        ("a/my_credentials.h", True),
        ("vendor/lib/x.h", True),
        ("generated.inc.cpp", True),
        ("src/keyword.cpp", False),
        ("tokenizer.cpp", False),
    ],
)
def test_secret_files(path: str, secret: bool) -> None:
    assert is_secret(path, ("vendor/", "**/*.inc.cpp")) is secret


def test_a_fast_model_is_asked_at_every_key_and_a_slow_one_after_a_pause() -> None:
    debounce = Debounce(20, 600, expected_response_ms=50)
    for key in range(20):
        debounce.key(key * 150)
    assert debounce.delay_ms("a") == 20
    for _ in range(40):
        debounce.responded(2_000)
    in_word, thinking = debounce.delay_ms("a"), debounce.delay_ms("(")
    assert 150 <= thinking < in_word <= 600
    debounce.key(10_000_000)
    assert debounce.delay_ms("a") == in_word, "a long pause is not typing"


def test_usage_is_counted_once_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "data" / "usage.json"
    usage = Usage(file)
    usage.requested()
    usage.answered("1", "abcdef", cached=False)
    usage.shown("1")
    usage.shown("1")
    usage.partly_accepted("1", 2)
    usage.partly_accepted("1", 4)
    usage.accepted("1")
    usage.accepted("unknown")
    usage.save()
    counts = Usage(file).counts
    assert (counts.shown, counts.accepted, counts.partly_accepted) == (1, 1, 1)
    assert (counts.shown_characters, counts.accepted_characters) == (6, 6)
    file.write_text("[broken")
    assert Usage(file).counts.shown == 0


def test_usage_survives_a_kill(tmp_path: Path) -> None:
    file, now = tmp_path / "usage.json", [0.0]
    usage = Usage(file, clock=lambda: now[0])
    usage.requested()
    assert not file.exists()
    now[0] = 61.0
    usage.requested()
    assert Usage(file).counts.requests == 2


def test_cursor_cuts_a_document() -> None:
    at = Cursor.at("ab\r\ncd\r\nef", Position(1, 1))
    assert (at.before, at.after) == ("ab\nc", "d\nef")
    assert (at.line_prefix, at.line_rest, at.below) == ("c", "d", "ef")
    assert Cursor.at("ab", Position(7, 7)).before == "ab"
    assert line_ending("a\r\nb") == "\r\n"
