"""The command line: what it lists, what it imports, what the small commands print."""

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import kernelgen_ls
from kernelgen_ls.bench.everything import RUNS
from kernelgen_ls.cli.bench import BENCHMARKS, bench
from kernelgen_ls.cli.program import COMMANDS, main


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, list(arguments), catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def test_help_lists_every_command_and_imports_none() -> None:
    program = (
        "import sys; sys.argv = ['kernelgen-ls', '--help']\n"
        "from kernelgen_ls.cli.program import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted(name for name in sys.modules if name.startswith(('kernelgen_ls', 'pygls', 'llama', 'rich'))))"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert all(f"  {name} " in out for name in COMMANDS)
    assert (
        out.splitlines()[-1]
        == "['kernelgen_ls', 'kernelgen_ls.cli', 'kernelgen_ls.cli.lazy_group', 'kernelgen_ls.cli.program']"
    )


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    assert "Usage:" in run(name, "--help")


@pytest.mark.parametrize("name", list(BENCHMARKS))
def test_every_benchmark_explains_itself(name: str) -> None:
    assert "Usage:" in run("bench", name, "--help")


@pytest.mark.parametrize(("name", "arguments"), RUNS, ids=[name for name, _ in RUNS])
def test_every_run_of_all_benchmarks_is_a_command_that_writes_a_report(name: str, arguments: tuple[str, ...]) -> None:
    command, *rest = arguments
    found = bench.get_command(click.Context(bench), command)
    assert found is not None
    context = found.make_context(name, [*rest, "--json", "report.json"])
    assert Path("report.json") in context.params.values()


def test_version() -> None:
    assert run("--version") == f"kernelgen-ls, version {kernelgen_ls.__version__}\n"


def test_an_unknown_command_is_refused() -> None:
    assert "No such command" in run("sevre", code=2)


def test_settings_that_hold_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / ".kernelgen.json").write_text('{"check.chip": "Ascend310P3", "model.path": "x"}')
    out = run("settings", "--root", str(tmp_path))
    assert 'check.chip = "Ascend310P3"  (set)' in out
    assert "'kernelgen.model.path' in a project's file is refused" in out
    assert "kernelgen.check.chip" in json.loads(run("settings", "--json"))


def test_stats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    counts = {"requests": 10, "answered": 5, "from_cache": 1, "shown": 4, "accepted": 1}
    (tmp_path / "kernelgen-ls").mkdir()
    (tmp_path / "kernelgen-ls" / "usage.json").write_text(json.dumps(counts))
    assert json.loads(run("stats", "--json"))["accepted"] == 1
    assert " 25% of those shown" in run("stats")


def test_records_and_train_are_reachable() -> None:
    assert "export" in run("records", "--help")
