"""A VS Code server on loopback, with its own folders and no way to any gallery."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parents[3]
NODE = ROOT / "build/node/bin/node"
VSCODE = ROOT / "build/vscode-server"
EXTENSION = ROOT / "editors/vscode"
PLAYWRIGHT = EXTENSION / "node_modules/playwright-core/index.mjs"
CHROMIUM = Path("/usr/bin/chromium")

QUIET = {
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "security.workspace.trust.enabled": False,
    "editor.wordBasedSuggestions": "off",
    "editor.quickSuggestions": {"other": "off", "comments": "off", "strings": "off"},
    "workbench.startupEditor": "none",
    "files.autoSave": "off",
    "telemetry.telemetryLevel": "off",
    "editor.minimap.enabled": False,
}

UNTRUSTED = {
    **QUIET,
    "security.workspace.trust.enabled": True,
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.banner": "never",
}
"""The same, and no workspace is trusted."""


@attrs.frozen
class Server:
    """A running server: its address and the folder that holds all it writes."""

    port: int
    folder: Path

    def page(self, workspace: Path, payload: list[list[str]] | None = None) -> str:
        query = {"folder": str(workspace)}
        if payload is not None:
            query["payload"] = json.dumps(payload)
        return f"http://127.0.0.1:{self.port}/?{urllib.parse.urlencode(query)}"

    def remote(self, path: Path) -> str:
        return f"vscode-remote://127.0.0.1:{self.port}{path}"

    def logs(self, name: str) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.rglob(name)))


VS_CODES_OWN = (
    "Cannot find module './build/Release/watchdog'",  # a native module that the tests' VS Code server is without
    "Error: Channel has been closed",  # the host's word on calls under way when its window is closed at the end
    "Error: read ECONNRESET",  # the same, of its connection to that window; nothing of ours speaks over TCP there
)


def errors_in(log: str) -> list[str]:
    """The errors in an extension host's log, but for VS Code's own."""
    errors = [line for line in log.splitlines() if "[error]" in line]
    return [line for line in errors if not any(known in line for known in VS_CODES_OWN)]


class ProxyTrap:
    """The proxy that programs are told to use: it lets nothing through and knows who asked for another machine."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._listen, daemon=True)

    @property
    def env(self) -> dict[str, str]:
        """What makes a program ask it."""
        address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        names = ("http_proxy", "https_proxy", "all_proxy")
        proxies = {spelled: address for name in names for spelled in (name, name.upper())}
        return {**proxies, "no_proxy": "127.0.0.1,localhost", "NO_PROXY": "127.0.0.1,localhost"}

    def _listen(self) -> None:
        with contextlib.suppress(OSError):  # closed: the end
            while True:
                connection, _ = self._socket.accept()
                with connection:
                    connection.settimeout(5)
                    self.asked.append(connection.recv(1024).decode(errors="replace").partition("\r\n")[0])

    def __enter__(self) -> ProxyTrap:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serve(
    folder: Path,
    settings: Mapping[str, object],
    env: Mapping[str, str],
    *arguments: str,
    user: Mapping[str, object] = QUIET,
) -> Iterator[Server]:
    """Start the server, wait until it answers, end its whole process group afterwards."""
    # Workspace trust is read from the user's settings only.
    own = folder / "data/User"
    own.mkdir(parents=True, exist_ok=True)
    (own / "settings.json").write_text(json.dumps(user))
    # Beside a remote server a user's settings for that machine are kept there: those of the server's are such.
    machine = folder / "data/Machine"
    machine.mkdir(parents=True, exist_ok=True)
    (machine / "settings.json").write_text(json.dumps(settings))
    port = free_port()
    command = [
        str(NODE), "out/server-main.js", "--host", "127.0.0.1", "--port", str(port), "--without-connection-token",
        "--accept-server-license-terms", "--user-data-dir", str(folder / "data"),
        "--extensions-dir", str(folder / "ext"),
        "--server-data-dir", str(folder / "sd"), "--telemetry-level", "off", *arguments,
    ]  # fmt: skip
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            command,
            cwd=VSCODE,
            env={**os.environ, "EXTENSIONS_GALLERY": '{"serviceUrl":""}', **env},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_until_up(process, port, folder / "server.log")
        yield Server(port, folder)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_until_up(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the VS Code server ended: {log.read_text()}")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/version", timeout=2):
            return
        time.sleep(0.1)  # polls a process that cannot tell when it is up
    raise RuntimeError(f"the VS Code server never answered: {log.read_text()}")
