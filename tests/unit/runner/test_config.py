"""The operator's configuration file, and the runners of the user's settings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kernelgen_ls.runner.client.fleet import Fleet
from kernelgen_ls.runner.jobs.config import RunnerConfig, config_from_json, config_to_json, read_config
from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome, SourceFile
from kernelgen_ls.runner.server.routes import routes
from kernelgen_ls.settings import Origin, RunnerSettings, RunnersSettings, Settings, Transport, read


def test_a_configuration_file_sets_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "runner.json"
    file.write_text(
        json.dumps(
            {"toolchain": "cann", "devices": [0, 3], "budgets": {"check": 5}, "users": {"ab": "alice"}, "cache": "/c"}
        )
    )
    config = read_config(file)
    assert (config.toolchain, config.devices, config.budgets.check, config.cache) == ("cann", (0, 3), 5.0, Path("/c"))
    assert config.budgets.measure == RunnerConfig().budgets.measure
    assert config_from_json(config_to_json(config)) == config
    assert read_config(file, "embedded").toolchain == "cann"
    file.write_text("{}")
    assert read_config(file, "cann").toolchain == "cann"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "runner.json"),
        ('{"workrs": 3}', "workrs"),
        ('{"workers": "many"}', "workers"),
        ('{"sandbox": {"user": "no-such-user"}}', "no user 'no-such-user'"),
    ],
)
def test_a_mistake_in_it_is_named(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "runner.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=said):
        read_config(file)


def test_a_project_can_name_no_runner() -> None:
    evil = {"runners": {"pool": [{"name": "evil", "transport": "tls", "host": "evil.example"}], "measure": "evil"}}
    settings, problems = read(evil, base=Settings(), origin=Origin.PROJECT)
    assert (settings.runners, len(problems) >= 1) == (RunnersSettings(), True)
    assert all("runners." in problem.name for problem in problems)


def test_an_unknown_name_lists_the_known_ones() -> None:
    fleet = Fleet(RunnersSettings(pool=(RunnerSettings(name="lab", transport=Transport.SSH, host="npu"),)))
    with pytest.raises(KeyError, match="lab, local"):
        fleet.named("lap")


async def test_jobs_go_to_the_runner_that_has_the_chip() -> None:
    pool = tuple(
        RunnerSettings(name="lab", transport=Transport.TLS, host="127.0.0.1", port=port, soc=soc)
        for port, soc in [(1, "Ascend310P3"), (2, "Ascend910B4")]
    )
    fleet = Fleet(RunnersSettings(pool=pool))
    lab = fleet.named("lab")
    files = (SourceFile("k.cpp", "pass"),)
    asked = await lab.run(CheckRequest("k.cpp", files, chip="Ascend910B1"))
    assert asked.outcome is Outcome.INFRA_ERROR and "127.0.0.1:2 " in asked.message
    nobody = await lab.run(CheckRequest("k.cpp", files, chip="Ascend310B1", version=4))
    assert "no runner called 'lab' has a Ascend310B1" in nobody.message and nobody.version == 4
    await fleet.close()


def test_the_configuration_in_the_documentation_is_one(tmp_path: Path) -> None:
    """Every key it shows exists, and what it shows of the budgets are the defaults."""
    page = (Path(__file__).parents[3] / "docs/runner.md").read_text(encoding="utf-8")
    (shown,) = [text for text in re.findall(r"```json\n(.*?)```", page, re.S) if '"budgets"' in text]
    file = tmp_path / "runner.json"
    file.write_text(shown)
    config = read_config(file)
    assert config.budgets == RunnerConfig().budgets
    assert config.build_bytes == RunnerConfig().build_bytes


def test_every_tool_chain_that_the_documentation_configures_answers(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs/runner.md").read_text(encoding="utf-8")
    (shown,) = [text for text in re.findall(r"```json\n(.*?)```", page, re.S) if '"toolchains"' in text]
    file = tmp_path / "runner.json"
    file.write_text(shown)
    assert routes(read_config(file)) == {"check": "embedded", "verify": "cann", "measure": "cann"}
