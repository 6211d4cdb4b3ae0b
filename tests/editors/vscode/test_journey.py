"""The packaged extension in a browser, as a user installs and sees it. Pictures go to ``build/artefacts/vscode``."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.editors.vscode.server import EXTENSION, NODE, PLAYWRIGHT, ROOT, VSCODE, serve

SHOTS = ROOT / "build/artefacts/vscode"
MEBIBYTE = 1024 * 1024


def place(path: Path, text: str, offset: int) -> tuple[int, int]:
    """The one-based line and column ``offset`` characters after the start of ``text`` in a file."""
    before = path.read_text(encoding="utf-8").partition(text)[0]
    line = before.count("\n") + 1
    return line, len(before) - (before.rfind("\n") + 1) + offset + 1


def test_packaged_extension(
    node: Path, vscode: Path, bundle: Path, workspace: Path, server_env: dict[str, str], tmp_path: Path
) -> None:
    vsix = tmp_path / "kernelgen-ls.vsix"
    path = f"{node.parent}{os.pathsep}{os.environ['PATH']}"
    package = [str(node), str(EXTENSION / "node_modules/@vscode/vsce/vsce"), "package", "--no-dependencies"]
    subprocess.run(
        [*package, "--skip-license", "--allow-missing-repository", "--out", str(vsix)],
        cwd=EXTENSION, check=True, capture_output=True, env={**os.environ, "PATH": path},
    )  # fmt: skip
    assert vsix.stat().st_size < 2 * MEBIBYTE
    folders = ["--extensions-dir", str(tmp_path / "ext"), "--server-data-dir", str(tmp_path / "sd")]
    subprocess.run(
        [str(NODE), "out/server-main.js", "--install-extension", str(vsix), "--accept-server-license-terms", *folders],
        cwd=VSCODE, check=True, capture_output=True, env={**os.environ, "EXTENSIONS_GALLERY": '{"serviceUrl":""}'},
    )  # fmt: skip
    places = {
        "half.asc: enqueue": place(workspace / "half.asc", "inQueueX.EnQ", len("inQueueX.EnQ")),
        "add.asc: free": place(workspace / "add.asc", "outQueueZ.FreeTensor", len("outQueueZ.FreeT")),
        "add.asc: entry": place(workspace / "add.asc", "void add_custom", len("void add_c")),
        "spec.asc: entry": place(workspace / "spec.asc", "void doubled", len("void dou")),
    }
    with serve(tmp_path, {}, server_env) as server:
        done = subprocess.run(
            [node, Path(__file__).parent / "journey.mjs", PLAYWRIGHT, server.page(workspace), SHOTS],
            capture_output=True,
            text=True,
            env={**os.environ, "KERNELGEN_TEST_PLACES": json.dumps(places)},
            timeout=420,
        )
        host_log = server.logs("remoteexthost.log")
    print(done.stdout, done.stderr)
    steps = {step["step"]: step for step in map(json.loads, done.stdout.splitlines())}
    assert "failed" not in steps and "done" in steps, done.stdout + done.stderr
    assert steps["done"]["foreign"] == [], "a request left this machine"
    assert "starter" in steps["status"]["text"].lower()
    assert "KernelGen" in steps["quick fixes"]["text"]
    errors = [line for line in host_log.splitlines() if "[error]" in line and "kernelgen" in line.lower()]
    assert errors == []
