"""The doctor: one line a check, what to do; the fragment for clangd."""

import importlib.util
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kernelgen_ls.cli.program import main
from kernelgen_ls.doctor import examinations
from kernelgen_ls.doctor.clangd import BEGIN, END, fragment, merged
from kernelgen_ls.doctor.diagnosis import Verdict
from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.model import store
from kernelgen_ls.settings import ModelSettings, Settings

CHIP = chip_named("Ascend910B1")


@pytest.mark.parametrize(
    ("existing", "expected"),
    [
        ("", "{new}"),
        ("CompileFlags: {}\n", "CompileFlags: {}\n---\n{new}"),
        (f"a: 1\n---\n{BEGIN}\nold\n{END}\nb: 2\n", "a: 1\n---\n{new}b: 2\n"),
    ],
)
def test_the_fragment_is_put_beside_what_is_there(existing: str, expected: str) -> None:
    new = fragment(CHIP)
    assert merged(existing, new) == expected.replace("{new}", new)
    assert merged(merged(existing, new), new) == merged(existing, new)


def test_the_fragment_points_at_our_declarations() -> None:
    text = fragment(CHIP)
    includes = [line.split("-isystem")[1].rstrip('"') for line in text.splitlines() if "-isystem" in line]
    assert [Path(folder).is_dir() for folder in includes] == [True, True]
    assert (Path(includes[0]) / "kernel_operator.h").is_file()


async def test_a_model_that_is_not_there_is_bad_news_with_advice(tmp_path: Path) -> None:
    settings = Settings(model=ModelSettings(path=str(tmp_path / "nothing.gguf")))
    (found,) = await examinations.model(settings)
    assert (found.verdict, "nothing.gguf" in found.message) == (Verdict.BAD, True)
    assert found.advice


async def test_what_there_is_not_has_its_advice_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    (no_engine,) = await examinations.engine(Settings())
    assert (no_engine.message, no_engine.advice[:16]) == (
        "The model engine is not installed (llama-cpp-python)",
        "Run `pip install",
    )

    def nothing(settings: ModelSettings) -> None:
        raise store.NoModelError("No model is chosen: none at all", "fetch one")

    monkeypatch.setattr(store, "typing_choice", nothing)
    (no_model,) = await examinations.model(Settings())
    assert (no_model.message, no_model.advice) == ("No model is chosen: none at all", "Fetch one.")


async def test_folders_that_cannot_be_written_are_no_more_than_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (found,) = await examinations.kept_folders(Settings())
    assert (found.verdict, found.name) == (Verdict.NOTE, "folders")
    assert "file/kernelgen-ls cannot be written (Not a directory): states of documents are not kept" in found.message
    assert list((tmp_path / "kernelgen-ls").iterdir()) == []


async def test_the_checker_is_examined_with_a_real_kernel() -> None:
    (found,) = await examinations.checker(Settings())
    assert (found.verdict, found.name) == (Verdict.GOOD, "checker")


def test_the_report_names_a_bad_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "kernelgen-ls").mkdir()
    (tmp_path / "kernelgen-ls" / "settings.json").write_text('{"model.threads": "many"}')
    monkeypatch.setattr(examinations, "EXAMINATIONS", (examinations.program,))
    result = CliRunner().invoke(main, ["doctor", "--json"])
    assert result.exit_code == 1
    assert [row["verdict"] for row in json.loads(result.output)] == ["good", "good", "bad"]
    shown = CliRunner().invoke(main, ["doctor"]).output
    assert "BAD   settings: 'kernelgen.model.threads': a whole number expected" in shown
    assert "-> Correct it there." in shown


def test_writing_the_fragment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, ["doctor", "--clangd", "--write"]).exit_code == 0
    assert (tmp_path / ".clangd").read_text() == fragment(CHIP)
    assert CliRunner().invoke(main, ["doctor", "--clangd"]).output == fragment(CHIP)
