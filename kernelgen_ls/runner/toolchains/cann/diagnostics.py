"""From what bisheng prints to findings at the user's line. Text in, data out.

bisheng is a clang: ``file:line:column: error: message`` with notes. Around that come ANSI colours, indents and the
wrappers of the operator build; the error itself often lies in one of CANN's own headers, with the user's line only in
a note. What is reported is the deepest frame inside the user's files; linker and backend errors, which have no line,
are put on the entry function. The classes and hints come from public reports of such messages.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping

from attrs import define, field, frozen

from kernelgen_ls.kernel.findings import Finding, Fix, FoundBy, Location, Position, Range, Related, Severity, TextEdit

MAX_FINDINGS = 200
_MAX_LINE = 2000
"""Longer lines are cut: a megabyte without a line end would be searched for the square of its length."""

ToProject = Callable[[str], "str | None"]
"""The project's path of a path that the compiler printed; None for a file that is not the project's."""


@frozen
class Parsed:
    """``findings`` on the user's files; ``infrastructure`` says in one line what is wrong with the tools themselves."""

    findings: tuple[Finding, ...]
    infrastructure: str = ""


_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_PLACED = re.compile(
    r"(?P<path>(?:[A-Za-z]:)?[^\s:\[\]]+):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<kind>fatal error|error|warning|note|remark): (?P<message>.*)"
)
_INCLUDED = re.compile(r"(?:In file included|^\s+) from (?P<path>[^\s:]+):(?P<line>\d+)[:,]")
_FIXIT = re.compile(
    r'fix-it:"(?P<path>[^"]+)":\{(?P<l1>\d+):(?P<c1>\d+)-(?P<l2>\d+):(?P<c2>\d+)\}:"(?P<text>(?:\\.|[^"\\])*)"'
)
_FRAME = re.compile(r"requested here|expanded from|in instantiation of|while substituting|in call to")
_FLAG = re.compile(r"\s*\[(?P<flags>-W[\w+=,-]+(?:,-W[\w+=-]+)*)\]$")
_WORD = re.compile(r"\w+|[^\w\s]")


@frozen
class _Rule:
    pattern: re.Pattern[str]
    code: str
    hint: str


def _rule(pattern: str, code: str, hint: str = "") -> _Rule:
    return _Rule(re.compile(pattern), code, hint)


_HINTS = (
    _rule(
        r"no matching function for call to '\w*Cast\w*Impl'",
        "unsupported-dtype",
        "This chip has no conversion between these element types.",
    ),
    _rule(
        r"no matching function for call to '\w+Impl'",
        "unsupported-dtype",
        "This chip's instruction does not take these element types.",
    ),
    _rule(
        r"could not match 'LocalTensor.*' against 'TBuf|could not match 'TBuf.*' against 'LocalTensor",
        "wrong-argument",
        "A TBuf is memory, not a tensor: take the tensor with its Get<T>().",
    ),
    _rule(r"could not match '", "wrong-argument", "An argument has another kind than the function takes."),
    _rule(r"no matching (?:member )?function for call to", "no-matching-function"),
    _rule(
        r"'[^']*\.h' file not found",
        "missing-header",
        "The installed CANN has no such header: the kernel is for another version, or the project lacks the file.",
    ),
    _rule(
        r"kernel type of __global__ func.* is not marked",
        "kernel-type",
        "Mark the entry function with __vector__, __cube__ or __mix__(cube, vector).",
    ),
    _rule(r"is deprecated", "deprecated"),
    _rule(r"undeclared identifier|unknown type name|no member named|no type named|no template named", "undeclared"),
    _rule(r"expected ", "syntax"),
)
_UNPLACED = (
    _rule(
        r"out of jump(?:/jumpc)? imm range|jumpc? imm\w* (?:is )?out of range",
        "too-large",
        "The kernel is too large for its jumps: split it, or compile with -mllvm -cce-aicore-jump-expand=true.",
    ),
    _rule(
        r"undefined symbol: (?P<symbol>\S+)", "undefined-symbol", "Something is declared and used, but defined nowhere."
    ),
    _rule(r"error in backend: ", "backend", "The compiler's back end refused the kernel."),
    _rule(
        r"frontend command failed with exit code \d+|due to signal",
        "compiler-crash",
        "The compiler itself crashed on this kernel: make it smaller until it does not, and report it to its makers.",
    ),
    _rule(r"linker command failed|(?:cceld|ld\.lld).*(?:ReturnCode|error)", "link"),
    _rule(r"kernel type of __global__ func.* is not marked", "kernel-type", _HINTS[6].hint),
)
_TOOLCHAIN = (
    _rule(
        r"unsupported option '(?P<what>--npu-arch[^']*)'|unknown argument:? '?(?P<what2>--[\w-]+)",
        "",
        "this CANN's compiler is too old for the flag {what}",
    ),
    _rule(
        r"Unsupported CCE architecture|unsupported (?:npu|cce)[ -]arch|unknown target CPU",
        "",
        "this CANN's compiler does not know the chip",
    ),
    _rule(
        r"error: no such file or directory: '(?P<what>[^']*)'|error: no input files",
        "",
        "the compiler did not find its input {what}",
    ),
    _rule(r"No space left on device", "", "the runner's disk is full"),
)
_NOISE = re.compile(r"Command execution failed, the returnCode is non-zero|Output of ascendc_compiler")


@define
class _Diagnostic:
    path: str
    line: int
    column: int
    kind: str
    message: str
    notes: list[_Diagnostic] = field(factory=list)
    included_from: list[tuple[str, int]] = field(factory=list)
    fixits: list[re.Match[str]] = field(factory=list)


class DiagnosticsParser:
    """Reads one compilation's output for a project of ``texts`` (path to text) with the entry function at ``entry``."""

    def __init__(self, texts: Mapping[str, str], to_project: ToProject, entry: Location) -> None:
        self._lines = {path: text.split("\n") for path, text in texts.items()}
        self._to_project = to_project
        self._entry = entry

    def parse(self, output: str) -> Parsed:
        """The findings in ``output``, in its order, each once."""
        plain = "\n".join(line[:_MAX_LINE] for line in _ANSI.sub("", output).replace("\r", "").split("\n"))
        found: dict[tuple[Location, str], Finding] = {}
        for diagnostic in _diagnostics(plain):
            finding = self._finding(diagnostic)
            found.setdefault((finding.location, finding.message), finding)
        for finding in self._unplaced(plain):
            found.setdefault((finding.location, finding.message), finding)
        errors = any(f.severity is Severity.ERROR and not f.code.endswith("/link") for f in found.values())
        kept = [f for f in found.values() if not (errors and f.code == "bisheng/link")]
        return Parsed(tuple(kept[:MAX_FINDINGS]), "" if errors else _infrastructure(plain))

    # ---- one diagnostic -----------------------------------------------------------------------------------------

    def _finding(self, raw: _Diagnostic) -> Finding:
        location = self._place(raw)
        flag = _FLAG.search(raw.message)
        message = _FLAG.sub("", raw.message)
        rule = next((rule for rule in _HINTS if rule.pattern.search(raw.message)), None)
        if self._to_project(raw.path) is None:
            message += f" (in {posixpath.basename(raw.path)}:{raw.line})"
        reasons = [n.message for n in raw.notes if n.message.startswith("candidate ") and ": " in n.message]
        if rule is not None and rule.code in ("wrong-argument", "no-matching-function") and reasons:
            message += f"; {reasons[0]}"
            rule = next((r for r in _HINTS if r.pattern.search(message)), rule)
        if rule is not None and rule.hint:
            message += f". {rule.hint}"
        code = rule.code if rule is not None else flag.group("flags").split(",")[-1].removeprefix("-W") if flag else ""
        severity = Severity.WARNING if raw.kind in ("warning", "remark") else Severity.ERROR
        related = tuple(self._related(raw, location))
        fixes = tuple(self._fixes(raw))
        return Finding(location, severity, message, FoundBy.BISHENG, f"bisheng/{code or 'error'}", related, fixes)

    def _place(self, raw: _Diagnostic) -> Location:
        frames = [raw, *(note for note in raw.notes if _FRAME.search(note.message))]
        for frame in frames:
            path = self._to_project(frame.path)
            if path is not None:
                return Location(path, self._range(path, frame.line, frame.column))
        for name, line in reversed(raw.included_from):
            path = self._to_project(name)
            if path is not None:
                return Location(path, self._whole_line(path, line))
        return self._entry

    def _related(self, raw: _Diagnostic, at: Location) -> Iterator[Related]:
        for note in raw.notes[:12]:
            path = self._to_project(note.path)
            if path is not None:
                place = Location(path, self._range(path, note.line, note.column))
                if place != at:
                    yield Related(place, note.message)

    def _fixes(self, raw: _Diagnostic) -> Iterator[Fix]:
        edits = []
        for match in raw.fixits:
            path = self._to_project(match.group("path"))
            if path is None:
                return
            start = self._position(path, int(match.group("l1")), int(match.group("c1")))
            end = self._position(path, int(match.group("l2")), int(match.group("c2")))
            text = re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), match.group("text"))
            edits.append(TextEdit(path, Range(start, end), text))
        if edits:
            yield Fix(f"Change to '{edits[0].new_text}'" if edits[0].new_text else "Remove this", tuple(edits))

    # ---- without a line -----------------------------------------------------------------------------------------

    def _unplaced(self, output: str) -> Iterator[Finding]:
        for line in output.split("\n"):
            if _PLACED.search(line) or _NOISE.search(line) or _toolchain_trouble(line):
                continue
            rule = next((rule for rule in _UNPLACED if rule.pattern.search(line)), None)
            if rule is None:
                continue
            said = _without_wrapper(line)
            message = f"{said}. {rule.hint}" if rule.hint else said
            yield Finding(self._entry, Severity.ERROR, message, FoundBy.BISHENG, f"bisheng/{rule.code}")

    # ---- positions ----------------------------------------------------------------------------------------------

    def _range(self, path: str, line: int, column: int) -> Range:
        """The word at clang's one-based line and byte column."""
        start = self._position(path, line, column)
        text = self._line(path, start.line)
        match = _WORD.match(text, start.column)
        return Range(start, Position(start.line, match.end() if match else max(start.column, len(text))))

    def _whole_line(self, path: str, line: int) -> Range:
        number = self._position(path, line, 1).line
        text = self._line(path, number)
        return Range(Position(number, len(text) - len(text.lstrip())), Position(number, len(text.rstrip())))

    def _position(self, path: str, line: int, column: int) -> Position:
        number = min(max(line - 1, 0), max(len(self._lines.get(path, [])) - 1, 0))
        text = self._line(path, number)
        return Position(number, len(text.encode()[: max(column - 1, 0)].decode(errors="ignore")))

    def _line(self, path: str, number: int) -> str:
        lines = self._lines.get(path, [])
        return lines[number].rstrip("\r") if number < len(lines) else ""


def _diagnostics(output: str) -> Iterator[_Diagnostic]:
    """Errors and warnings with their notes; clang prints the chain of includes before an error in a header."""
    current: _Diagnostic | None = None
    included: list[tuple[str, int]] = []
    for line in output.split("\n"):
        placed = _PLACED.search(line)
        if placed is None:
            fixit = _FIXIT.search(line)
            if fixit is not None and current is not None:
                current.fixits.append(fixit)
            chain = _INCLUDED.search(line)
            if chain is not None:
                included.append((chain["path"], int(chain["line"])))
            continue
        kind, number, column = placed["kind"], int(placed["line"]), int(placed["column"])
        diagnostic = _Diagnostic(placed["path"], number, column, kind, placed["message"].strip())
        if kind == "note":
            if current is not None:
                current.notes.append(diagnostic)
        else:
            if current is not None:
                yield current
            current = diagnostic
            current.included_from = included
        included = []
    if current is not None:
        yield current


def _toolchain_trouble(line: str) -> str:
    for rule in _TOOLCHAIN:
        match = rule.pattern.search(line)
        if match:
            what = next((value for value in match.groupdict().values() if value), "")
            return rule.hint.format(what=what).strip()
    return ""


def _infrastructure(output: str) -> str:
    return next((said for line in output.split("\n") if (said := _toolchain_trouble(line))), "")


_WRAPPER = re.compile(r"^\s*(?:\[[^\]]*\]\s*)*(?:\S+\s+)?(?=(?:ld\.lld|cceld|clang|bisheng|fatal error|error)\b)")


def _without_wrapper(line: str) -> str:
    said = _WRAPPER.sub("", line).strip()
    return re.sub(r"^(?:fatal )?error: ", "", said)


_RUN_TIME = (
    (
        re.compile(r"unaligned UUB addresses|UUB.*unalign"),
        "an address in the unified buffer is not aligned to 32 bytes",
    ),
    (re.compile(r"illegal (?:write|read) of size (?P<size>\d+)"), "an access of {size} bytes lies outside its memory"),
    (re.compile(r"507015"), "the vector core raised an exception (507015)"),
    (re.compile(r"507035"), "the kernel faulted on a vector core (507035)"),
    (re.compile(r"507046"), "the kernel did not end in time on the device (507046)"),
    (re.compile(r"aiv(?:ec)? error exception|aicore exception"), "the core raised an exception"),
)


def explain_fault(output: str) -> str:
    """What a run-time error code of the device means, in one line; "" where the output names none."""
    for pattern, meaning in _RUN_TIME:
        match = pattern.search(output)
        if match:
            return meaning.format(**match.groupdict())
    return ""
