"""The demo's scenes. Everything on the screen comes from the server's answers; nothing is prepared."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import attrs
import click
from attrs import frozen
from rich.console import Console
from rich.text import Text

from kernelgen_ls.settings import load, project_folder
from kernelgen_ls.testing.lsp_client import LspClient, running_server

KERNEL = (Path(__file__).parent / "scale_shift.cpp").read_text(encoding="utf-8")
SPECIFICATION = """// op: AbsDiffCustom
// formula: z = abs(x - y)
// in x: float16 [131072]
// in y: float16 [131072]
// out z: float16 [131072]
"""
CURSORS = (
    ("        LocalTensor<half> xLocal = inQueueX.AllocTensor<half>();\n", "        "),
    ("        LocalTensor<half> yLocal = outQueueY.AllocTensor<half>();\n", "        Mu"),
    ("        LocalTensor<half> yLocal = outQueueY.DeQue<half>();\n", "        "),
)
"""Where the demo types: after a line of the kernel, with this much of the next one already there."""
BROKEN = ("inQueueX.FreeTensor(xLocal)", "inQueueX.FreeTensr(xLocal)")
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"applyEdit": True, "configuration": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "inlineCompletion": {},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor.rewrite"]}}},
    },
    "experimental": {"kernelgenStatus": True},
}
LOAD_SECONDS = 600.0
GENERATE_SECONDS = 1800.0


@frozen
class Model:
    """The model of the demo; ``random`` weights write nonsense and are said to."""

    path: Path
    random: bool
    starter: bool


async def show(model_path: Path | None, generate: bool | None) -> bool:
    """Run the scenes; whether all went as they should. Raises ``ClickException`` where there is no model to show."""
    console = Console(highlight=False)
    async with running_server() as (client, workspace):
        model = choose(model_path, workspace.parent)
        if model is None:
            raise click.ClickException("There is no model. Give one: make demo MODEL=path/to/file.gguf")
        stage = Stage(console, client, workspace)
        console.rule("[bold]kernelgen-ls demo")
        if model.random:
            console.print("[yellow]No model is chosen, so this one has random weights: it shows that everything works,")
            console.print(
                "[yellow]not what it is worth. A real one: make demo MODEL=path, or kernelgen-ls model pull.\n"
            )
        await stage.begin(model)
        await stage.complete()
        right = await stage.check()
        if generate if generate is not None else model.starter:
            right = await stage.fix() and right
            right = await stage.generate() and right
        console.rule("[bold]the same in your editor: see README.md")
        return right


def choose(path: Path | None, folder: Path) -> Model | None:
    """The model given, else the one chosen, else the starter, else a random one where it can be written."""
    from kernelgen_ls.model.store import NoModelError, is_starter, typing_choice

    settings, _ = load(project_folder(Path.cwd()))
    if path is not None:
        return Model(path.absolute(), random=False, starter=is_starter(path))
    try:
        chosen = typing_choice(settings.model).path
        return Model(chosen, random=False, starter=is_starter(chosen))
    except NoModelError:
        pass
    try:
        from kernelgen_ls.testing.make_gguf import make

        tiny = folder / "random-tiny.gguf"
        make(tiny, "tiny", "q4_0", folder)
    except ImportError:
        return None
    return Model(tiny, random=True, starter=False)


@attrs.define
class Stage:
    """The terminal, the server, and the documents of the demo."""

    console: Console
    client: LspClient
    workspace: Path
    version: int = 0

    async def begin(self, model: Model) -> None:
        """Start the server and wait for the model. Raises ``ClickException`` where it does not load."""
        started = time.monotonic()
        options = {"model.path": str(model.path), "check.onIdle": False, "completion.alternatives": 1}
        await self.client.initialize(self.workspace, options, CAPABILITIES)
        self.say(f"server initialised in {time.monotonic() - started:.1f} s; loading {model.path.name}")
        state = await self.until_model()
        if state["state"] not in ("ready", "slow"):
            raise click.ClickException(state["detail"])
        self.say(f"{state['name']} ready after {time.monotonic() - started:.1f} s")

    async def complete(self) -> None:
        """Ghost text at some places of the kernel."""
        self.scene("While typing: ghost text")
        for line, typed in CURSORS:
            before, after = KERNEL.split(line, 1)
            rest = after.split("\n", 1)[1]
            uri = self.open("typing.cpp", before + line + typed + "\n" + rest)
            place = {"line": (before + line).count("\n"), "character": len(typed)}
            started = time.monotonic()
            found = await self.client.request(
                "textDocument/inlineCompletion",
                {"textDocument": {"uri": uri}, "position": place, "context": {"triggerKind": 1}},
            )
            took = (time.monotonic() - started) * 1000
            items = found["items"] if found else []
            ghost = items[0]["insertText"] if items else ""
            self.console.print(Text((before + line).splitlines()[-2] + "\n" + line.rstrip("\n"), style="dim"))
            self.console.print(Text(typed) + Text(ghost or "(nothing)", style="bold cyan"))
            self.say(f"{took:.0f} ms\n")

    async def check(self) -> bool:
        """Diagnostics of a kernel with a mistake, and of the same without."""
        self.scene("On save: compile diagnostics, without CANN")
        found = await self.diagnostics(self.open("save.cpp", KERNEL.replace(*BROKEN)))
        self.print_findings(KERNEL.replace(*BROKEN), found)
        clean = await self.diagnostics(self.open("save.cpp", KERNEL))
        self.say(f"without the mistake: {len(errors(clean))} errors\n")
        return len(errors(found)) == 1 and not errors(clean)

    async def fix(self) -> bool:
        """Fix with KernelGen."""
        self.scene("On request: Fix with KernelGen")
        broken = KERNEL.replace(*BROKEN)
        uri = self.open("save.cpp", broken)
        found = errors(await self.diagnostics(uri))
        self.print_findings(broken, found)
        outcome = await self.run("kernelgen.fix", uri, found[0]["range"]["start"])
        self.print_edit()
        return self.report(outcome)

    async def generate(self) -> bool:
        """Generate kernel from a comment."""
        self.scene("On request: Generate kernel from a specification")
        self.console.print(Text(SPECIFICATION, style="dim"))
        uri = self.open("op_kernel/abs_diff_custom.cpp", SPECIFICATION)
        outcome = await self.run("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        self.print_edit()
        return self.report(outcome)

    async def run(self, command: str, uri: str, position: dict[str, int]) -> dict[str, Any]:
        """A generation command, its stages on the screen."""
        self.client.edits.clear()
        pending = asyncio.ensure_future(
            self.client.request("workspace/executeCommand", {"command": command, "arguments": [uri, position]})
        )
        with self.console.status("waiting for the model") as line:
            deadline = time.monotonic() + GENERATE_SECONDS
            while not pending.done() and time.monotonic() < deadline:
                await asyncio.wait({pending}, timeout=0.2)
                now = self.last_status().get("generation")
                if now:
                    of = f" (candidate {now['candidate']} of {now['candidates']}, {now['tokens']} tokens)"
                    line.update(f"{now['stage']}{of if now['candidates'] else ''}")
        outcome: dict[str, Any] = await asyncio.wait_for(pending, 1)
        return outcome

    def report(self, outcome: dict[str, Any]) -> bool:
        """How a generation came out, and how that is known; whether the kernel compiles and was run and found right."""
        clean = bool(outcome.get("candidates")) and not outcome.get("errors")
        asked = f"{outcome.get('tokens', 0)} tokens, {outcome.get('rounds', 0)} repairs"
        how = "written by rule, no model was asked" if outcome.get("byRule") else asked
        self.say(
            f"{how}, {outcome.get('seconds', 0.0):.1f} s: "
            + (
                "the checker passes it"
                if clean
                else f"{outcome.get('errors', 0)} errors left; {outcome.get('reason', '')}"
            )
        )
        run = str(outcome.get("run", ""))
        if run:
            self.say(f"compiled and run on this CPU, compared with its formula in float64: {run}")
        self.say("")
        return clean and run.startswith("right")

    def print_edit(self) -> None:
        """What the server offered to insert."""
        for edit in self.client.edits:
            changes = edit["edit"].get("documentChanges") or [
                {"edits": one} for one in (edit["edit"].get("changes") or {}).values()
            ]
            for change in changes:
                for part in change.get("edits", []):
                    self.console.print(Text(part["newText"].rstrip("\n"), style="bold cyan"))

    def print_findings(self, text: str, found: list[dict[str, Any]]) -> None:
        """Diagnostics below the lines they stand in."""
        lines = text.splitlines()
        for one in errors(found):
            start, end = one["range"]["start"], one["range"]["end"]
            self.console.print(Text(lines[start["line"]], style="dim"))
            width = max(1, end["character"] - start["character"]) if end["line"] == start["line"] else 1
            self.console.print(Text(" " * start["character"] + "~" * width, style="red"))
            self.console.print(Text(f"line {start['line'] + 1}: {one['message']} [{one['source']}]", style="red"))

    def open(self, name: str, text: str) -> str:
        """Open a document anew; returns its URI."""
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        uri = path.as_uri()
        if path.exists():
            self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        path.write_text(text, encoding="utf-8")
        self.version += 1
        self.client.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "cpp", "version": self.version, "text": text}},
        )
        return uri

    async def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics of the newest version of a document."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for method, params in reversed(self.client.notifications):
                if method == "textDocument/publishDiagnostics" and params["uri"] == uri:
                    if params.get("version") == self.version:
                        found: list[dict[str, Any]] = params["diagnostics"]
                        return found
                    break
            await asyncio.sleep(0.05)
        raise TimeoutError(f"no diagnostics for {uri} within a minute")

    async def until_model(self) -> dict[str, Any]:
        """The model's state once it is loaded, or cannot be."""
        deadline = time.monotonic() + LOAD_SECONDS
        while time.monotonic() < deadline:
            state: dict[str, Any] = self.last_status().get("model") or {"state": "loading"}
            if state["state"] not in ("loading", "off") or state.get("detail", "").startswith("The model engine"):
                return state
            await asyncio.sleep(0.05)
        return {"state": "failed", "detail": f"the model did not load within {LOAD_SECONDS:.0f} s"}

    def last_status(self) -> dict[str, Any]:
        """The latest status that the server sent."""
        for method, params in reversed(self.client.notifications):
            if method == "kernelgen/status":
                status: dict[str, Any] = params
                return status
        return {}

    def scene(self, title: str) -> None:
        """A headline."""
        self.console.print(f"[bold]{title}[/]\n")

    def say(self, text: str) -> None:
        """A remark."""
        self.console.print(Text(text, style="green"))


def errors(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The errors among diagnostics."""
    return [one for one in found if one["severity"] == 1]
