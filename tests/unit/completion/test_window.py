"""What of a document the model sees, and that it stays the same while somebody types."""

from kernelgen_ls.model.completion.window import WindowLimits, move_window

LINES = [f"line {n};" if n % 20 else f"void function{n}() {{" for n in range(400)]
SMALL = WindowLimits(prefix_lines=64, suffix_lines=16, prefix_chars=10_000, suffix_chars=1_000)


def at(lines: list[str], line: int, column: int | None = None) -> tuple[str, str]:
    column = len(lines[line]) if column is None else column
    return "\n".join([*lines[:line], lines[line][:column]]), "\n".join([lines[line][column:], *lines[line + 1 :]])


def test_a_small_file_is_seen_whole() -> None:
    window = move_window(*at(LINES, 30), SMALL)
    assert window.preceding == "\n".join(LINES[:31])
    assert window.following == "\n".join(LINES[31:47])


def test_a_long_file_starts_at_a_function() -> None:
    window = move_window(*at(LINES, 200), SMALL)
    assert window.preceding.startswith("void function180() {")


def test_the_start_moves_rarely() -> None:
    window = None
    starts = []
    for line in range(100, 300):
        window = move_window(*at(LINES, line), SMALL, window)
        starts.append(window.start)
        assert window.preceding.count("\n") < SMALL.prefix_lines
    assert len(set(starts)) <= 10
    assert starts == sorted(starts)


def test_typing_changes_neither_start_nor_suffix() -> None:
    lines = list(LINES)
    window = move_window(*at(lines, 150), SMALL)
    first = window
    for typed in ("x", "y = 1;", "z"):
        lines.insert(151, typed)
        for column in range(len(typed) + 1):
            window = move_window(*at(lines, 151, column), SMALL, window)
            before, _ = at(lines, 151, column)
            assert window.following == first.following
            assert before.endswith(window.preceding)
        if window.start != first.start:
            break
    assert window.start == first.start


def test_lines_inserted_above_do_not_move_the_start() -> None:
    window = move_window(*at(LINES, 200), SMALL)
    lines = ["// licence", "// more", *LINES]
    moved = move_window(*at(lines, 202), SMALL, window)
    assert moved.preceding == window.preceding
    assert moved.start == window.start + 2


def test_going_down_a_few_lines_keeps_the_suffix_and_far_does_not() -> None:
    window = move_window(*at(LINES, 30), SMALL)
    assert move_window(*at(LINES, 32), SMALL, window).following == window.following
    assert move_window(*at(LINES, 28), SMALL, window).following == window.following
    assert move_window(*at(LINES, 90), SMALL, window).following == "\n".join(LINES[91:107])
    assert move_window(*at(LINES, 10), SMALL, window).following == "\n".join(LINES[11:27])


def test_an_edit_below_takes_the_suffix_anew() -> None:
    window = move_window(*at(LINES, 30), SMALL)
    lines = list(LINES)
    lines[33] = "edited;"
    assert "edited;" in move_window(*at(lines, 30), SMALL, window).following


def test_brackets_an_editor_closes_are_no_tail() -> None:
    assert move_window("f(x", ");", SMALL).tail == ""
    assert move_window("f(x", ", y);", SMALL).tail == ", y);"


def test_at_the_end_of_the_file() -> None:
    window = move_window("a\nb", "", SMALL)
    assert (window.preceding, window.following) == ("a\nb", "")
    assert move_window("a\nb\n", "", SMALL, window).following == ""
    assert move_window("a\nb\n", "\nc", SMALL, window).following == "c"
