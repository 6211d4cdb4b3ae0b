"""The small parts of a session: what is said once, what failing work leaves, whom a change of a file reaches."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from kernelgen_ls.lsp.following.watch import FileWatch
from kernelgen_ls.lsp.server import create_server
from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.session.documents import Documents
from kernelgen_ls.lsp.session.editor import Editor
from kernelgen_ls.lsp.session.tasks import Tasks
from kernelgen_ls.settings import user_file


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> tuple[Editor, list[Any]]:
    """An editor and what is sent to it."""
    server, messages = create_server(), list[Any]()
    monkeypatch.setattr(server.protocol, "notify", lambda method, params: messages.append(params))
    return server.session.editor, messages


def test_the_same_line_is_shown_once_unless_asked_otherwise(sent: tuple[Editor, list[Any]]) -> None:
    editor, messages = sent
    editor.say("one")
    editor.say("one")
    editor.say("two", types.MessageType.Info, once=False)
    editor.say("two", types.MessageType.Info, once=False)
    assert [message.message for message in messages] == ["one", "two", "two"]
    assert messages[0].type is types.MessageType.Warning


async def test_lenses_are_not_refreshed_where_the_client_cannot_be_asked(sent: tuple[Editor, list[Any]]) -> None:
    editor, messages = sent
    await editor.refresh_lenses()
    assert messages == []


async def test_background_work_that_fails_is_logged_and_the_rest_ends_with_the_session(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tasks, never = Tasks(), asyncio.Event()

    async def fail() -> None:
        raise ValueError("broken")

    failed, waiting = tasks.spawn(fail(), "a check"), tasks.spawn(never.wait(), "a wait")
    with caplog.at_level(logging.ERROR):
        await asyncio.wait({failed})
        await tasks.close()
    assert [record.getMessage() for record in caplog.records] == ["a check failed"]
    assert waiting.cancelled()


ROOT = Path("/w").absolute()
OPEN = ROOT / "open.cpp"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ([ROOT / ".kernelgen.json"], ["settings"]),
        ([user_file()], ["settings"]),
        ([ROOT / "tiling.h", ROOT / ".kernelgen.json"], ["settings", "sources"]),
        ([ROOT / "tiling.h", ROOT / "other.cpp"], ["sources"]),
        ([ROOT / "cases.json"], ["sources"]),
        ([OPEN, ROOT / "a.py"], []),
        ([ROOT / "k_cases.py"], ["cases"]),
    ],
)
def test_whom_a_change_outside_the_editor_reaches(
    changed: list[Path], told: list[str], sent: tuple[Editor, list[Any]]
) -> None:
    editor, documents, heard = sent[0], Documents(), list[str]()
    editor.client = Client(roots=(ROOT,))
    documents.open(types.TextDocumentItem(OPEN.as_uri(), types.LanguageKind.Cpp, 1, ""))
    watch = FileWatch(
        documents,
        editor,
        lambda: heard.append("settings"),
        lambda: heard.append("sources"),
        lambda: heard.append("cases"),
    )
    watch.changed(changed)
    assert heard == told


def test_a_file_belongs_to_the_innermost_folder_of_the_workspace_that_holds_it() -> None:
    client = Client(roots=(ROOT, ROOT / "inner"))
    assert client.root == ROOT
    assert client.root_of(ROOT / "inner" / "k.cpp") == ROOT / "inner"
    assert client.root_of(ROOT / "k.cpp") == ROOT
    assert client.root_of(Path("/elsewhere/k.cpp")) == Path("/elsewhere")
