"""Which model is used: settings first, then the user's choice, then the starter."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from kernelgen_ls.cli.model import model
from kernelgen_ls.model import store
from kernelgen_ls.model.store import NoModelError, Purpose, StoredModels
from kernelgen_ls.settings import ModelSettings, user_file
from tests.unit.model.hub import Hub, serving


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with nothing of its own, and no starter unless a test puts one there."""
    for name, folder in (
        ("HOME", ""),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_DATA_HOME", "data"),
    ):
        monkeypatch.setenv(name, str(tmp_path / folder))
    monkeypatch.delenv("HF_HOME", raising=False)
    monkeypatch.setattr(store, "STARTER", tmp_path / "starter.gguf")
    return tmp_path


def test_settings_come_before_the_choice_and_a_role_before_both(home: Path) -> None:
    choice = StoredModels(both="/c/both.gguf", typing="/c/typing.gguf")
    cases = [
        (ModelSettings(), Purpose.TYPING, "/c/typing.gguf"),
        (ModelSettings(), Purpose.GENERATION, "/c/both.gguf"),
        (ModelSettings(path="/s/both.gguf"), Purpose.TYPING, "/s/both.gguf"),
        (ModelSettings(path="/s/both.gguf", typing_path="/s/t.gguf"), Purpose.TYPING, "/s/t.gguf"),
        (ModelSettings(generation_path="/s/g.gguf"), Purpose.GENERATION, "/s/g.gguf"),
    ]
    for settings, role, path in cases:
        found = store.chosen(settings, role, choice)
        assert found is not None and found.path == Path(path)


def test_the_starter_where_nothing_is_chosen_and_an_error_where_there_is_none(home: Path, tiny_gguf: Path) -> None:
    with pytest.raises(NoModelError, match="model pull"):
        store.typing_choice(ModelSettings())
    shutil.copy(tiny_gguf, home / "starter.gguf")
    found = store.generation_choice(ModelSettings())
    assert found.starter and found.path == home / "starter.gguf"


def test_settings_reach_the_engine() -> None:
    found = store.chosen(
        ModelSettings(path="/m.gguf", gpu_layers=7, threads=3, context=99, state_cache=5, spin_count=-1), Purpose.TYPING
    )
    assert found is not None
    assert (found.gpu_layers, found.threads, found.context, found.state_bytes) == (7, 3, 99, 5 << 20)
    assert found.spin is None
    off = store.chosen(ModelSettings(path="/m.gguf", state_cache=0), Purpose.TYPING)
    assert off is not None and off.state_dir is None


def test_use_stores_and_list_shows(home: Path, tiny_gguf: Path) -> None:
    run = CliRunner()
    assert "No GGUF file" in run.invoke(model, ["list"]).output
    place = home / "models" / "mine"
    place.mkdir(parents=True)
    path = place / "tiny.gguf"
    shutil.copy(tiny_gguf, path)
    (place / "broken.gguf").write_bytes(b"no")
    (place / "big-00002-of-00002.gguf").write_bytes(b"no")
    assert run.invoke(model, ["use", str(path)]).exit_code == 0
    assert store.typing_choice(ModelSettings()).path == path
    entries = json.loads(run.invoke(model, ["list", "--json"]).output)
    assert {Path(entry["file"]).name for entry in entries} == {"tiny.gguf", "broken.gguf"}
    mine = next(entry for entry in entries if entry["file"] == str(path))
    assert mine["used for"] == ["typing", "generation"]
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(json.dumps({"model.typingPath": str(tiny_gguf)}))
    entries = json.loads(run.invoke(model, ["list", "--json"]).output)
    uses = {entry["file"]: entry["used for"] for entry in entries}
    assert (uses[str(tiny_gguf)], uses[str(path)]) == (["typing"], ["generation"])
    assert "typing uses " + str(tiny_gguf) in run.invoke(model, ["use", str(path)]).output.replace("\n", "")
    user_file().unlink()
    assert "unusable" in run.invoke(model, ["list"], env={"COLUMNS": "300"}).output
    assert run.invoke(model, ["use", "--typing", str(place / "broken.gguf")]).exit_code != 0
    assert run.invoke(model, ["use", "--starter"]).exit_code == 0
    assert store.read_stored() == StoredModels()


def test_a_role_of_its_own(home: Path, tiny_gguf: Path) -> None:
    run = CliRunner()
    run.invoke(model, ["use", str(tiny_gguf)])
    other = home / "other.gguf"
    shutil.copy(tiny_gguf, other)
    run.invoke(model, ["use", "--typing", str(other)])
    assert store.typing_choice(ModelSettings()).path == other
    assert store.generation_choice(ModelSettings()).path == tiny_gguf


def test_info_says_what_the_file_holds_or_why_it_cannot_be_used(home: Path, tiny_gguf: Path) -> None:
    facts = json.loads(CliRunner().invoke(model, ["info", "--json", str(tiny_gguf)]).output)
    assert (facts["architecture"], facts["layers"], facts["trained context"]) == ("qwen3", 2, 4096)
    bad = home / "bad.gguf"
    bad.write_bytes(b"x" * 99)
    result = CliRunner().invoke(model, ["info", str(bad)])
    assert result.exit_code != 0 and "GGUF" in result.output


def test_pull_fetches_and_uses(home: Path, tiny_gguf: Path) -> None:
    with serving(Hub({"tiny.gguf": tiny_gguf.read_bytes()})) as hub:
        result = CliRunner().invoke(model, ["pull", "me/kernels", "--endpoint", hub.address])
    assert result.exit_code == 0, result.output
    path = store.typing_choice(ModelSettings()).path
    assert path.read_bytes() == tiny_gguf.read_bytes()
    assert str(path) in result.output.replace("\n", "")


def test_a_damaged_choice_is_said_and_does_not_stop(home: Path) -> None:
    store.stored_file().parent.mkdir(parents=True)
    store.stored_file().write_text("{")
    with pytest.raises(NoModelError):
        store.typing_choice(ModelSettings())
    result = CliRunner().invoke(model, ["list"])
    assert result.exit_code == 0 and "cannot be read" in result.output
