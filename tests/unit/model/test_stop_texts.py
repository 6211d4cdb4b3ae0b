"""Stop texts are found across pieces, and nothing of them shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.model.inference.stop_texts import StopTexts


@given(st.text(alphabet="ab<", max_size=30), st.lists(st.text(alphabet="ab<", min_size=1, max_size=4), max_size=3))
def test_the_same_as_cutting_the_whole_text(text: str, stops: list[str]) -> None:
    for size in (1, 2, 5):
        found = StopTexts(stops)
        shown = "".join(found.feed(text[at : at + size]) for at in range(0, len(text), size))
        ends = [at for stop in stops if (at := text.find(stop)) >= 0]
        if size == 1 or not ends:
            shown += found.rest()
        assert text.startswith(shown)
        if not ends:
            assert shown == text
        else:
            assert found.stopped
            assert not any(stop in shown for stop in stops)
