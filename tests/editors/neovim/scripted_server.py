"""A language server for timing: it answers from a script, when told to, wrongly or not at all. Standard library only.

Usage: ``scripted_server.py SCRIPT.json LOG.jsonl``. The script is read again at every message, so a test can change it:

``hold_answers``    questions for inline completions that arrive while it is true wait for ``release_answers``
``release_answers`` how many questions, in the order of their arrival, need wait no longer
``lines``           what it proposes: for a line that starts like one of these, the rest of it ("\\n" for more lines)
``alternatives``    for a manual request, further proposals by the same rule
``whole_line``      propose with a range over the typed part of the line, not an empty one
``ignore_cancel``   answer cancelled requests all the same
``die_on``          a method at which the process ends with code 3
``edit``            lines that ``kernelgen.generateKernel`` proposes for the document, with a confirmation
``behind``          by how many versions the proposal is older than the document
``new_file``        [path, text] that it proposes beside it
``held``            while true, a generation does not end
``measure``         what ``kernelgen.measure`` answers; without it a measurement runs until it is cancelled
``lens``            offer *Measure* above the third line
``configuration``   ask for the settings once the client is there
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

CANCELLED = -32800


class Server:
    def __init__(self, script: Path, log: Path) -> None:
        self.script_path = script
        self.log = log.open("a", encoding="utf-8")
        self.documents: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.cancelled: set[Any] = set()
        self.writing = threading.Lock()
        self.next_id = 1000
        self.waiting: dict[int, Any] = {}
        self.questions = 0

    @property
    def script(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.script_path.read_text(encoding="utf-8"))
        return found

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self.writing:
            sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            sys.stdout.buffer.flush()

    def note(self, **entry: Any) -> None:
        self.log.write(json.dumps(entry) + "\n")
        self.log.flush()

    def ask(self, method: str, params: Any) -> Any:
        """A request to the client, from a thread of its own; returns its answer."""
        self.next_id += 1
        arrived = threading.Event()
        self.waiting[self.next_id] = arrived
        number = self.next_id
        self.send({"id": number, "method": method, "params": params})
        arrived.wait()
        return self.waiting.pop(number)

    def run(self) -> None:
        stream = sys.stdin.buffer
        while True:
            length = 0
            while (header := stream.readline()) not in (b"\r\n", b""):
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
            if not length:
                return
            self.receive(json.loads(stream.read(length)))

    def receive(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            arrived = self.waiting[message["id"]]
            self.waiting[message["id"]] = message.get("result")
            self.note(answer=message.get("result"))
            arrived.set()
            return
        self.note(method=method, params=message.get("params"))
        if self.script.get("die_on") == method:
            os._exit(3)
        params = message.get("params") or {}
        if method == "textDocument/didOpen":
            self.documents[params["textDocument"]["uri"]] = params["textDocument"]["text"]
            self.versions[params["textDocument"]["uri"]] = params["textDocument"]["version"]
        elif method == "textDocument/didChange":
            self.documents[params["textDocument"]["uri"]] = params["contentChanges"][-1]["text"]
            self.versions[params["textDocument"]["uri"]] = params["textDocument"]["version"]
        elif method == "initialized" and self.script.get("configuration"):
            params = {"items": [{"section": "kernelgen"}]}
            threading.Thread(target=self.ask, args=("workspace/configuration", params), daemon=True).start()
        elif method == "window/workDoneProgress/cancel":
            self.cancelled.add(params["token"])
        elif method == "textDocument/didSave":
            self.diagnose(params["textDocument"]["uri"])
        elif method == "$/cancelRequest":
            self.cancelled.add(params["id"])
        elif method == "exit":
            os._exit(0)
        elif "id" in message:
            self.answer(message["id"], method, params)

    def answer(self, number: Any, method: str, params: dict[str, Any]) -> None:
        if method == "initialize":
            self.send({"id": number, "result": {"capabilities": self.capabilities()}})
        elif method == "textDocument/inlineCompletion":
            items = self.propose(params)
            self.questions += 1
            place = self.questions if self.script.get("hold_answers") else 0
            threading.Thread(target=self.reply, args=(number, items, place), daemon=True).start()
        elif method == "workspace/executeCommand" and params["command"] == "kernelgen.generateKernel":
            threading.Thread(target=self.generate, args=(number, params["arguments"][0]), daemon=True).start()
        elif method == "workspace/executeCommand" and params["command"] == "kernelgen.measure":
            threading.Thread(target=self.measure, args=(number,), daemon=True).start()
        elif method == "workspace/executeCommand" and params["command"] == "kernelgen.cancelGeneration":
            self.send({"id": number, "result": False})
        elif method == "textDocument/codeLens":
            command = {"title": "Measure", "command": "kernelgen.measure", "arguments": [params["textDocument"]["uri"]]}
            at = {"line": 2, "character": 0}
            self.send({"id": number, "result": [{"range": {"start": at, "end": at}, "command": command}]})
        elif method == "textDocument/hover":
            self.send({"id": number, "result": {"contents": {"kind": "markdown", "value": "about **this**"}}})
        else:
            self.send({"id": number, "result": None})

    def capabilities(self) -> dict[str, Any]:
        return {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": True, "change": 1, "save": True},
            "inlineCompletionProvider": {},
            "hoverProvider": True,
            "executeCommandProvider": {"commands": ["kernelgen.generateKernel", "kernelgen.measure"]},
            **({"codeLensProvider": {}} if self.script.get("lens") else {}),
        }

    def propose(self, params: dict[str, Any]) -> list[dict[str, Any]] | None:
        script = self.script
        position = params["position"]
        line = self.documents[params["textDocument"]["uri"]].split("\n")[position["line"]]
        units = line.encode("utf-16-le")
        before = units[: position["character"] * 2].decode("utf-16-le")
        typed = before.lstrip()
        lines = script.get("lines", [])
        if params["context"]["triggerKind"] == 1:
            lines = lines + script.get("alternatives", [])
        found = [proposal for proposal in lines if typed and proposal.startswith(typed) and proposal != typed]
        indent = before[: len(before) - len(typed)]
        start = {**position, "character": len(indent) if script.get("whole_line") else position["character"]}
        return [
            {
                "insertText": proposal.replace("\n", "\n" + indent)[0 if script.get("whole_line") else len(typed) :],
                "range": {"start": start, "end": position},
                "command": {
                    "title": "",
                    "command": "kernelgen.completionAccepted",
                    "arguments": [f"{typed}#{index}"],
                },
            }
            for index, proposal in enumerate(found)
        ] or None

    def reply(self, number: Any, items: Any, place: int) -> None:
        """Answer a question once so many as its place among them are released."""
        while self.script.get("release_answers", 0) < place:
            if number in self.cancelled and not self.script.get("ignore_cancel"):
                self.send({"id": number, "error": {"code": CANCELLED, "message": "cancelled"}})
                return
            time.sleep(0.002)
        self.send({"id": number, "result": items})
        self.note(answered=number, items=items)

    def diagnose(self, uri: str) -> None:
        found = []
        for row, line in enumerate(self.documents[uri].split("\n")):
            if "BROKEN" in line:
                start = line.index("BROKEN")
                found.append(
                    {
                        "range": {
                            "start": {"line": row, "character": start},
                            "end": {"line": row, "character": start + 6},
                        },
                        "severity": 1,
                        "source": "embedded",
                        "message": "unknown name 'BROKEN'",
                    }
                )
        params = {"uri": uri, "version": self.versions[uri], "diagnostics": found}
        self.send({"method": "textDocument/publishDiagnostics", "params": params})

    def generate(self, number: Any, uri: str) -> None:
        script = self.script
        title = "Generate kernel AddCustom"
        self.ask("window/workDoneProgress/create", {"token": "g"})
        self.progress("g", kind="begin", title=title, cancellable=True, percentage=0)
        for word in ("First ", "the\n", "tiles."):
            params = {"generation": "1", "title": title, "text": word, "done": False}
            self.send({"method": "kernelgen/reasoning", "params": params})
        self.progress("g", kind="report", message="writing", percentage=50)
        while self.script.get("held"):
            time.sleep(0.002)
        params = {"generation": "1", "title": title, "text": "", "done": True}
        self.send({"method": "kernelgen/reasoning", "params": params})
        self.progress("g", kind="end")
        said = script.get("said", "right on the twin: 3 cases")
        confirm = "kernelgen.wrong" if said.startswith("wrong") else "kernelgen"
        rows = self.documents[uri].count("\n") + 1
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": rows, "character": 0}}
        edits = [{"range": whole, "newText": "\n".join(script["edit"]) + "\n", "annotationId": confirm}]
        changes: list[dict[str, Any]] = [
            {
                "textDocument": {"uri": uri, "version": max(0, self.versions[uri] - script.get("behind", 0))},
                "edits": edits,
            },
        ]
        if "new_file" in script:
            path, text = script["new_file"]
            other = Path(path).as_uri()
            nothing = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
            edit = {"range": nothing, "newText": text, "annotationId": confirm}
            changes.append({"kind": "create", "uri": other, "annotationId": confirm})
            changes.append({"textDocument": {"uri": other, "version": None}, "edits": [edit]})
        label = f"{title}: {said}"
        annotations = {confirm: {"label": label, "needsConfirmation": True, "description": said}}
        edit = {"documentChanges": changes, "changeAnnotations": annotations}
        answer = self.ask("workspace/applyEdit", {"label": label, "edit": edit})
        outcome: dict[str, Any] = {
            "applied": True,
            "title": title,
            "errors": 0,
            "verdict": said.partition(" ")[0],
            "run": said,
        }
        if not answer["applied"]:
            outcome = {"applied": False, "reason": "the proposal was not applied: " + answer["failureReason"]}
        self.send({"id": number, "result": outcome})

    def measure(self, number: Any) -> None:
        answer = self.script.get("measure")
        if answer is None:
            self.ask("window/workDoneProgress/create", {"token": "m"})
            self.progress("m", kind="begin", title="Measure", cancellable=True)
            while "m" not in self.cancelled:
                time.sleep(0.002)
            self.progress("m", kind="end")
            answer = {"reason": "cancelled by the user"}
        self.send({"id": number, "result": answer})

    def progress(self, token: str, **value: Any) -> None:
        self.send({"method": "$/progress", "params": {"token": token, "value": value}})


if __name__ == "__main__":
    Server(Path(sys.argv[1]), Path(sys.argv[2])).run()
