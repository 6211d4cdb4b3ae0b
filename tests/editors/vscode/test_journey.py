"""The packaged extension in a browser, as a user installs and sees it. Pictures go to ``build/artefacts/vscode``."""

from __future__ import annotations

import getpass
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.editors.vscode.server import EXTENSION, NODE, PLAYWRIGHT, ROOT, VSCODE, ProxyTrap, errors_in, serve
from tests.fakes.cann import environment, write_cann

SHOTS = ROOT / "build/artefacts/vscode"
MEBIBYTE = 1024 * 1024
# What the tests' stand-in for a device computes, and how long it says that it took.
STAND_IN = "// computes: x0 + x1\n// takes: 12.5 us\n"
CASES = """import numpy as np

CASES = [{"name": "whole", "n": 8 * 65536}]
BLOCK_DIM = 8


def inputs(case, rng):
    return [rng.standard_normal(case["n"]).astype(np.float16) for _ in range(2)]


def golden(case, inputs):
    return [inputs[0] + inputs[1]]
"""


def place(path: Path, text: str, offset: int) -> tuple[str, int, int]:
    """A file's name, and the one-based line and column ``offset`` characters after the start of ``text`` in it."""
    before = path.read_text(encoding="utf-8").partition(text)[0]
    line = before.count("\n") + 1
    return path.name, line, len(before) - (before.rfind("\n") + 1) + offset + 1


@pytest.fixture
def vsix(node: Path, tmp_path: Path) -> Path:
    """The extension, packaged as ``make vsix`` does."""
    package = tmp_path / "kernelgen-ls.vsix"
    path = f"{node.parent}{os.pathsep}{os.environ['PATH']}"
    script = json.loads((EXTENSION / "package.json").read_text())["scripts"]["package"]
    command = script.replace("../../build/kernelgen-ls.vsix", shlex.quote(str(package)))
    programs = f"{EXTENSION / 'node_modules/.bin'}{os.pathsep}{path}"
    subprocess.run(
        ["bash", "-c", command], cwd=EXTENSION, check=True, capture_output=True, env={**os.environ, "PATH": programs}
    )
    return package


@pytest.fixture
def installed(vsix: Path, vscode: Path, tmp_path: Path) -> Path:
    """A folder for a clean VS Code server into which the package is installed."""
    folders = ["--extensions-dir", str(tmp_path / "ext"), "--server-data-dir", str(tmp_path / "sd")]
    subprocess.run(
        [str(NODE), "out/server-main.js", "--install-extension", str(vsix), "--accept-server-license-terms", *folders],
        cwd=VSCODE, check=True, capture_output=True, env={**os.environ, "EXTENSIONS_GALLERY": '{"serviceUrl":""}'},
    )  # fmt: skip
    return tmp_path


@pytest.fixture
def runner_env(tmp_path: Path) -> dict[str, str]:
    """An ``ssh`` that reaches a runner with the stand-in for CANN and its device."""
    folder = tmp_path / "ssh"
    folder.mkdir()
    home = tmp_path / "cann"
    exports = environment(home, write_cann(home))
    config = {
        # Where root runs the tests, nobody else may reach the interpreter that the stand-ins are run by.
        "sandbox": {"readable": [str(ROOT), str(home)], "user": getpass.getuser()},
        "budgets": {"check": 300, "verify": 300, "measure": 300},
    }
    (tmp_path / "runner.json").write_text(json.dumps(config))
    sets = " ".join(f"{name}={shlex.quote(value)}" for name, value in exports.items())
    program = [sys.executable, "-m", "kernelgen_ls", "runner"]
    command = shlex.join([*program, "--stdio", "--toolchain", "cann", "--config", str(tmp_path / "runner.json")])
    (folder / "ssh").write_text(f"#!/bin/sh\nexec env {sets} {command}\n")
    (folder / "ssh").chmod(0o755)
    return {"PATH": str(folder)}


def test_packaged_extension(
    installed: Path, vsix: Path, workspace: Path, server_env: dict[str, str], runner_env: dict[str, str]
) -> None:
    kernel = workspace / "add.asc"
    kernel.write_text(STAND_IN + kernel.read_text(encoding="utf-8"), encoding="utf-8")
    (workspace / "add_custom_cases.py").write_text(CASES)
    assert vsix.stat().st_size < 2 * MEBIBYTE
    places = {
        "half.asc: enqueue": place(workspace / "half.asc", "inQueueX.EnQ", len("inQueueX.EnQ")),
        "add.asc: free": place(kernel, "outQueueZ.FreeTensor", len("outQueueZ.FreeT")),
        "add.asc: entry": place(kernel, "void add_custom", len("void add_c")),
        "add.asc: operand": place(kernel, "Add(zLocal, xLocal, y", len("Add(zLocal, xLocal, y")),
        "add.asc: process": place(kernel, "    op.Process();", len("    op.Process();")),
        "spec.asc: entry": place(workspace / "spec.asc", "void doubled", len("void dou")),
    }
    env = {**server_env, "PATH": f"{runner_env['PATH']}{os.pathsep}{server_env['PATH']}"}
    (Path(env["HOME"]) / ".profile").write_text(f'export PATH="{env["PATH"]}"\n')
    runner = {"name": "stand-in", "transport": "ssh", "host": "stand-in"}
    settings = {
        "kernelgen.runners.pool": [runner],
        "kernelgen.runners.measure": "stand-in",
        "kernelgen.runners.verify": "twin",
        "kernelgen.generation.writer": "model",
    }
    with ProxyTrap() as trap, serve(installed, settings, {**env, **trap.env}) as server:
        done = subprocess.run(
            [NODE, Path(__file__).parent / "journey.mjs", PLAYWRIGHT, server.page(workspace), workspace, SHOTS],
            capture_output=True,
            text=True,
            env={**os.environ, "KERNELGEN_TEST_PLACES": json.dumps(places)},
            timeout=600,
        )
        host_log = server.logs("remoteexthost.log")
    print(done.stdout, done.stderr, *trap.asked, sep="\n")
    steps: dict[str, dict[str, Any]] = {step["step"]: step for step in map(json.loads, done.stdout.splitlines())}
    assert "failed" not in steps and "done" in steps, done.stdout + done.stderr
    assert steps["done"]["foreign"] == trap.asked == [], "a request left this machine"
    assert "starter" in steps["status"]["text"].lower()
    for entry in ("model", "runner", "Pause", "Check", "log", "Doctor", "clangd", "Restart"):
        assert entry in steps["menu"]["text"], entry
    assert steps["typed through"]["framesWithout"] == 0
    assert "KernelGen" in steps["quick fixes"]["text"]
    assert "estimate" in steps["lens before"]["text"]
    assert re.search(r"1[23]\.\d us", steps["lens"]["text"])
    assert re.search(r"1[23]\.\d+ us measured", steps["hover"]["text"])
    assert "on stand-in" in steps["hover"]["text"]
    assert "Estimate: at least" in steps["hover"]["text"]
    assert steps["verdict"]["text"] == "right on the twin: 1 case | Run on CPU"
    assert "nearly every element" in steps["wrong"]["text"]
    assert steps["wrong"]["lens"] == "wrong on the twin | Run on CPU"
    assert steps["run cancelled"]["lens"] == "Run on CPU"
    assert "FORMULA" in steps["cases"]["text"]
    assert steps["generation cancelled"]["unchanged"]
    assert steps["diff shown"]["unchanged"]
    assert "__aicore__" in steps["generated"]["text"] and "doubled" in steps["generated"]["text"]
    assert "op: Doubled" in steps["generated"]["text"], "the specification is kept"
    assert "kernelgen.kernelgen-ls" in host_log, "the log is kept"
    assert errors_in(host_log) == []


def test_without_a_runner_the_twin_runs_instead_of_measuring_and_after_saves(
    installed: Path, workspace: Path, server_env: dict[str, str]
) -> None:
    kernel = workspace / "add.asc"
    (workspace / "add_custom_cases.py").write_text(CASES)
    places = {
        "entry": place(kernel, "void add_custom", len("void add_c")),
        "operand": place(kernel, "Add(zLocal, xLocal, y", len("Add(zLocal, xLocal, y")),
    }
    with serve(installed, {"kernelgen.twin.onSave": "findings"}, server_env) as server:
        done = subprocess.run(
            [NODE, Path(__file__).parent / "without_runner.mjs", PLAYWRIGHT, server.page(workspace), SHOTS],
            capture_output=True,
            text=True,
            env={**os.environ, "KERNELGEN_TEST_PLACES": json.dumps(places)},
            timeout=600,
        )
    print(done.stdout, done.stderr)
    steps: dict[str, dict[str, Any]] = {step["step"]: step for step in map(json.loads, done.stdout.splitlines())}
    assert "failed" not in steps and "done" in steps, done.stdout + done.stderr
    assert "Run on CPU says whether the kernel is right" in steps["refused"]["text"]
    assert steps["run instead"]["lens"].startswith("right on the twin: 1 case")
    assert steps["found after the save"]["lens"] == "wrong on the twin | Run on CPU"
