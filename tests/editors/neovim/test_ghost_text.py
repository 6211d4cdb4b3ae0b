"""Ghost text on the screen: shown, typed through, accepted in whole and in part, dismissed, undone."""

from __future__ import annotations

import pytest

from .conftest import Script, Start
from .editor import Editor

PROPOSAL = "auto queue = pipe.InitBuffer(inQueueX, BUFFER_NUM, tileLength);"

pytestmark = pytest.mark.editors


def insert(editor: Editor) -> None:
    """Put the cursor into the empty line of the kernel's body, in insert mode."""
    editor.keys("5GA")
    editor.wait(lambda: editor.mode() == "i", "insert mode")


def test_a_proposal_is_shown_dimmed_and_accepted(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start()
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    assert f"    {PROPOSAL}" in editor.screen()
    editor.lua("require('kernelgen.ghost').accept('all')")
    assert editor.text()[4] == f"    {PROPOSAL}"
    assert editor.cursor() == (4, 4 + len(PROPOSAL))
    assert editor.ghost() == ""
