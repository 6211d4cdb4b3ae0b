"""The extension: its pure logic under Node, its grammar on kernels, and everything a user does in the real host."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from kernelgen_ls.settings import Origin, all_settings
from tests.editors.vscode.server import EXTENSION, PLAYWRIGHT, QUIET, ROOT, UNTRUSTED, VSCODE, errors_in, serve


def test_pure_logic(node: Path) -> None:
    tests = sorted(str(path) for path in (EXTENSION / "test/unit").glob("*.test.ts"))
    done = subprocess.run([str(node), "--test", *tests], cwd=EXTENSION, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_user_only_settings_cannot_come_from_a_workspace() -> None:
    properties = json.loads((EXTENSION / "package.json").read_text())["contributes"]["configuration"]["properties"]
    own = [f"kernelgen.{setting.name}" for setting in all_settings() if setting.about.origin is Origin.USER]
    assert {"kernelgen.model.path", "kernelgen.runners.pool"} < set(own)
    for name in ("kernelgen.server.path", *own):
        assert properties[name]["scope"] == "machine", name


@pytest.mark.parametrize("name", sorted(path.name for path in (EXTENSION / "test/grammar").iterdir()))
def test_grammar_on_annotated_kernels(vscode: Path, node: Path, bundle: Path, name: str) -> None:
    """Scopes as annotated, on top of the C++ grammar that VS Code carries."""
    base = [VSCODE / f"extensions/cpp/syntaxes/{part}.tmLanguage.json" for part in ("cpp", "cpp.embedded.macro", "c")]
    grammars = [*base, *sorted((ROOT / "grammars").glob("*.tmLanguage.json"))]
    options = [argument for grammar in grammars for argument in ("-g", str(grammar))]
    program = EXTENSION / "node_modules/vscode-tmgrammar-test/dist/unit.js"
    done = subprocess.run(
        [str(node), str(program), *options, f"test/grammar/{name}"], cwd=EXTENSION, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_grammar_on_the_kernels_of_this_project(vscode: Path, node: Path) -> None:
    """Every name of AscendC's has a scope of ours, in `.asc` and in C++."""
    base = [VSCODE / f"extensions/cpp/syntaxes/{part}.tmLanguage.json" for part in ("cpp", "cpp.embedded.macro", "c")]
    grammars = [*base, *sorted((ROOT / "grammars").glob("*.tmLanguage.json"))]
    kernels = [*(ROOT / "tests/kernels/clean").glob("*.cpp"), *(ROOT / "examples").glob("*/op_kernel/*.cpp")]
    command = [node, Path(__file__).parent / "tokenize.mjs", EXTENSION / "node_modules", *grammars, "--", *kernels]
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *problems, last = done.stdout.splitlines()
    assert problems == []
    assert json.loads(last)["names"] > 1000


HostResults = tuple[list[dict[str, object]], str, str]
"""One object a case, the page's console, the host's log."""


@pytest.fixture
def run_cases(
    bundle: Path, vscode: Path, workspace: Path, server_env: dict[str, str], tmp_path: Path
) -> Callable[..., HostResults]:
    """Runs cases of ``test/host`` in the extension host: the file's, with these settings of the user's."""

    def run(cases: str, user: Mapping[str, object]) -> HostResults:
        results = tmp_path / "results.jsonl"
        console = tmp_path / "console.jsonl"
        results.touch()
        console.touch()
        env = {**server_env, "KERNELGEN_TEST_RESULTS": str(results), "KERNELGEN_TEST_CASES": cases}
        with serve(tmp_path, {}, env, "--enable-smoke-test-driver", user=user) as server:
            payload = [
                ["extensionDevelopmentPath", server.remote(bundle)],
                ["extensionTestsPath", server.remote(bundle / "dist/test/index.js")],
            ]
            page = subprocess.Popen(
                [
                    str(ROOT / "build/node/bin/node"),
                    str(Path(__file__).parent / "open_page.mjs"),
                    str(PLAYWRIGHT),
                    server.page(workspace, payload),
                    str(console),
                ],
                stdin=subprocess.PIPE,
            )
            try:
                deadline = time.monotonic() + 600
                while '"done"' not in results.read_text() and time.monotonic() < deadline and page.poll() is None:
                    time.sleep(0.2)  # polls a file that another process writes
            finally:
                assert page.stdin is not None
                page.stdin.close()
                page.wait(timeout=30)
            log = server.logs("remoteexthost.log")
        return [json.loads(line) for line in results.read_text().splitlines()], console.read_text(), log

    return run


def assert_passed(found: HostResults, at_least: int) -> None:
    results, console, log = found
    for result in results:
        print(f"{result.get('ms', '')} ms  {result.get('name', 'done')}")
    assert results and results[-1] == {"done": True}, f"the host ended early: {results}\n{console[-3000:]}"
    failed = [result for result in results if result.get("error")]
    assert not failed, "\n\n".join(f"{result['name']}:\n{result['error']}" for result in failed)
    assert len(results) > at_least
    assert '"kind":"foreign"' not in console, "a request left this machine"
    assert "kernelgen.kernelgen-ls" in log, "the log is kept"
    assert errors_in(log) == []


def test_in_the_extension_host(run_cases: Callable[..., HostResults]) -> None:
    assert_passed(run_cases("trusted", {**QUIET, "kernelgen.generation.writer": "model"}), at_least=20)


def test_in_a_workspace_that_is_not_trusted(run_cases: Callable[..., HostResults]) -> None:
    assert_passed(run_cases("untrusted", UNTRUSTED), at_least=4)
