"""Settings: every layer, every kind of bad value, and what derives from them."""

import json
from pathlib import Path

import pytest

from kernelgen_ls.settings import (
    PROJECT_FILE,
    CompletionTrigger,
    LintSeverity,
    Origin,
    Settings,
    Transport,
    all_settings,
    load,
    read,
)
from kernelgen_ls.settings.schema import json_schema, markdown

ROOT = Path(__file__).parents[2]


def check(raw: dict[str, object], expected_problem: str, origin: Origin = Origin.USER) -> Settings:
    settings, problems = read(raw, origin=origin)
    assert [problem.message for problem in problems if expected_problem in problem.message], problems
    return settings


def test_nested_flat_and_prefixed_names_mean_the_same() -> None:
    for raw in (
        {"completion": {"maxTokens": 7}},
        {"completion.maxTokens": 7},
        {"kernelgen.completion.maxTokens": 7},
        {"kernelgen": {"completion": {"maxTokens": 7}}},
    ):
        settings, problems = read(raw)
        assert (settings.completion.max_tokens, problems) == (7, ())


def test_values_become_types() -> None:
    settings, problems = read(
        {
            "completion": {"trigger": "manual", "exclude": ["secret/**"]},
            "check.lints": {"kernel/copy-alignment": "off"},
            "runners.pool": [{"name": "board", "transport": "ssh", "host": "npu1", "tokenCommand": ["pass", "x"]}],
        }
    )
    assert problems == ()
    assert settings.completion.trigger is CompletionTrigger.MANUAL
    assert settings.completion.exclude == ("secret/**",)
    assert settings.check.lints == {"kernel/copy-alignment": LintSeverity.OFF}
    assert settings.runners.pool[0].transport is Transport.SSH
    assert settings.runners.pool[0].token_command == ("pass", "x")


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (
            {"completion.enabled": "yes"},
            "'kernelgen.completion.enabled': true or false expected, not 'yes'; True is kept",
        ),
        ({"completion.maxTokens": 0}, "0 is less than 1; 96 is kept"),
        ({"completion.maxTokens": 1.5}, "a whole number expected"),
        ({"completion.maxTokens": True}, "a whole number expected"),
        ({"completion.maxTokens": float("inf")}, "'kernelgen.completion.maxTokens'"),
        ({"generation.temperature": float("nan")}, "'kernelgen.generation.temperature'"),
        ({"completion.trigger": "always"}, "one of 'automatic', 'manual' expected, not 'always'"),
        ({"completion.exclude": "x"}, "a list expected"),
        ({"completion.exclude": [1]}, "text expected"),
        ({"check.lints": {"a": "loud"}}, "one of 'off'"),
        ({"check.chip": "b200"}, "'kernelgen.check.chip': no chip is called 'b200'; known are Ascend910B1, "),
        ({"runners.pool": [{"nmae": "x"}]}, "unknown key 'nmae'"),
        ({"runners.pool": [{"port": 70000}]}, "port: 70000 is more than 65535"),
        ({"completion.maxTokenz": 3}, "there is no setting 'kernelgen.completion.maxTokenz'"),
        ({"completions": {"x": 1}}, "there is no setting 'kernelgen.completions.x'"),
        ({"completion": 3}, "there is no setting 'kernelgen.completion'"),
    ],
)
def test_a_bad_value_is_named_and_the_default_kept(raw: dict[str, object], problem: str) -> None:
    assert check(raw, problem) == Settings()


def test_a_chip_has_many_names() -> None:
    settings, problems = read({"check.chip": "ascend950"})
    assert (settings.check.chip, problems) == ("ascend950", ())


def test_one_bad_value_does_not_hide_the_good_ones() -> None:
    settings = check({"completion": {"maxTokens": -1, "maxLines": 3}}, "maxTokens")
    assert settings.completion.max_lines == 3


def test_a_bad_value_keeps_the_lower_layer() -> None:
    base, _ = read({"completion.maxTokens": 50})
    settings, problems = read({"completion.maxTokens": "many"}, base=base)
    assert settings.completion.max_tokens == 50
    assert "50 is kept" in problems[0].message


def test_a_default_that_an_editor_sends_was_chosen_there() -> None:
    base, _ = read({"runners": {"pool": [{"name": "board", "kind": "ssh", "host": "board"}], "check": "board"}})
    settings, _ = read({"runners.check": ""}, base=base)
    assert base.runners.check == "board"
    assert settings.runners.check == ""
    assert settings.runners.pool == base.runners.pool


@pytest.mark.parametrize("setting", [s for s in all_settings() if s.about.origin is Origin.USER], ids=lambda s: s.name)
def test_a_project_cannot_set_what_is_the_users(setting: object) -> None:
    name = setting.name  # type: ignore[attr-defined]  # parametrised values are objects to mypy
    settings, problems = read({name: "/evil/model.gguf"}, origin=Origin.PROJECT)
    assert settings == Settings()
    assert f"'kernelgen.{name}' in a project's file is refused" in problems[0].message


@pytest.mark.parametrize(
    "name",
    ["model.path", "model.typingPath", "model.generationPath", "runners.pool", "runners.check", "runners.measure"],
)
def test_models_and_endpoints_are_the_users(name: str) -> None:
    (setting,) = [setting for setting in all_settings() if setting.name == name]
    assert setting.about.origin is Origin.USER


def test_files_are_layered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "config" / "kernelgen-ls"
    folder.mkdir(parents=True)
    (folder / "settings.json").write_text('{"check": {"chip": "Ascend310P3"}, "model.threads": 3}')
    project = tmp_path / "project"
    project.mkdir()
    (project / PROJECT_FILE).write_text('{"check.chip": "Ascend910B4", "model.path": "x.gguf"}')
    settings, problems = load(project)
    assert (settings.check.chip, settings.model.threads, settings.model.path) == ("Ascend910B4", 3, "")
    assert len(problems) == 1
    assert "refused" in problems[0].message


@pytest.mark.parametrize("content", ["{", "[]", "\xff", '{"a":' * 100_000])
def test_a_broken_file_is_reported(tmp_path: Path, content: str) -> None:
    (tmp_path / PROJECT_FILE).write_text(content, encoding="latin-1")
    settings, problems = load(tmp_path)
    assert settings.check == Settings().check
    assert str(tmp_path / PROJECT_FILE) in problems[-1].name


def test_the_schema_knows_every_setting_and_its_default() -> None:
    schema = json_schema()
    assert list(schema) == [f"kernelgen.{setting.name}" for setting in all_settings()]
    settings, problems = read({name: entry["default"] for name, entry in json.loads(json.dumps(schema)).items()})
    assert (settings, problems) == (Settings(), ())
    assert schema["kernelgen.model.path"]["scope"] == "machine"
    assert schema["kernelgen.completion.trigger"]["enum"] == ["automatic", "manual"]


def test_the_settings_page_is_current() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert page == markdown(), "run: kernelgen-ls settings --markdown > docs/settings.md"
