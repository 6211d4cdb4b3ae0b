"""The settings in force: which layer wins, what the editor is asked and told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field
from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError

from kernelgen_ls.lsp.session import configuration
from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.session.configuration import Configuration
from kernelgen_ls.settings import Settings


@define
class Editor:
    """Answers with what it is given; remembers what was said and registered."""

    client: Client
    answer: Any = None
    said: list[str] = field(factory=list)
    registered: list[str] = field(factory=list)

    def say(self, message: str, kind: types.MessageType = types.MessageType.Warning, *, once: bool = True) -> None:
        self.said.append(message)

    async def register(self, identifier: str, method: str, options: Any) -> None:
        self.registered.append(method)

    async def settings(self, section: str) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return await self.answer if isinstance(self.answer, asyncio.Future) else self.answer


@pytest.fixture(autouse=True)
def no_user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernelgen_ls.settings.layers.user_file", lambda: tmp_path / "none.json")


def started(editor: Editor, options: Any = None) -> Configuration:
    settings = Configuration(editor)
    settings.start(options)
    return settings


def project(folder: Path, text: str) -> Client:
    (folder / ".kernelgen.json").write_text(text)
    return Client(roots=(folder,), configuration=True, registers_configuration=True)


async def test_what_the_editor_sends_lies_over_the_project_s_file(tmp_path: Path) -> None:
    editor = Editor(project(tmp_path, '{"check.chip": "Ascend310P3", "check.onIdle": false}'))
    settings = started(editor, {"check": {"onIdle": True}, "completion": {"items": True}})
    assert (settings.now.check.chip, settings.now.check.on_idle) == ("Ascend310P3", True)
    editor.answer = {"check": {"onIdle": False}}
    await settings.begin()
    # The answer lies over what came at the start.
    assert (settings.now.check.on_idle, settings.now.completion.items) == (False, True)
    assert editor.registered == [types.WORKSPACE_DID_CHANGE_CONFIGURATION]
    assert editor.said == []


async def test_what_could_not_be_taken_is_said_in_one_line_once_the_client_may_be_spoken_to(tmp_path: Path) -> None:
    editor = Editor(Client())
    settings = started(editor, {"check": {"onIdle": "perhaps"}, "nothing": {"known": 1}})
    assert editor.said == []
    await settings.begin()
    assert editor.registered == []
    first, *_ = editor.said
    assert "onIdle" in first and "nothing" in first


async def test_an_editor_that_refuses_keeps_what_it_sent_at_the_start() -> None:
    editor = Editor(Client(configuration=True), answer=JsonRpcInternalError("no"))
    settings = started(editor, {"check.onIdle": False})
    await settings.pull()
    assert settings.now.check.on_idle is False
    assert editor.said == ["The editor gave no settings (no); what it sent at the start holds."]


async def test_an_editor_that_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "ANSWER_SECONDS", 0.0)
    editor = Editor(Client(configuration=True), answer=asyncio.get_running_loop().create_future())
    await started(editor).pull()
    assert editor.said == ["The editor gave no settings (no answer); what it sent at the start holds."]


async def test_a_client_that_cannot_be_asked_sends_its_settings_along() -> None:
    settings = started(Editor(Client()), {"check.onIdle": False})
    await settings.told({"check.onSave": False})
    assert (settings.now.check.on_idle, settings.now.check.on_save) == (True, False)
    await settings.told(None)
    assert settings.now.check.on_save is False


async def test_listeners_hear_of_changes_and_of_nothing_else() -> None:
    settings = started(Editor(Client()))
    heard: list[tuple[Settings, Settings]] = []
    settings.on_change(lambda old, new: heard.append((old, new)))
    settings.reread()
    assert heard == []
    before = settings.now
    await settings.told({"check.onSave": False})
    assert heard == [(before, settings.now)]
