"""The embedded tool chain: checks kernels and host files with libclang over this project's own declarations.

It needs neither CANN nor a compiler nor a C++ library. It sees what a C++ front end sees, in every dtype column and
tiling key, plus the lints; it does not see code generation or linking, and it says so.
"""

from __future__ import annotations

import logging
import posixpath
import re
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from attrs import define, evolve, field

from kernelgen_ls.folders import forwarded_headers
from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.kernel.host_half import host_half
from kernelgen_ls.kernel.lints import Linted
from kernelgen_ls.kernel.program import Program
from kernelgen_ls.kernel.roles import role_of
from kernelgen_ls.runner.execution.ended import EndedError, known_chip
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, Coverage, Outcome, ToolchainInfo
from kernelgen_ls.runner.toolchains import Cancelled, Handler, OnStage, never, untold
from kernelgen_ls.runner.toolchains.configurations import (
    PRELUDE,
    Configuration,
    KernelConfigurations,
    chip_flags,
    chip_macros,
    kernel_configurations,
)
from kernelgen_ls.runner.toolchains.embedded import agreement
from kernelgen_ls.runner.toolchains.embedded.findings import Reader
from kernelgen_ls.runner.toolchains.embedded.merging import merged
from kernelgen_ls.runner.toolchains.embedded.names import suggest
from kernelgen_ls.runner.toolchains.embedded.parser import Parser, ParserCrashedError, clang_version
from kernelgen_ls.runner.toolchains.embedded.refusal import refusal
from kernelgen_ls.runner.toolchains.embedded.unknown import code_lines
from kernelgen_ls.runner.toolchains.source_tree import KnownTexts, SourceText, SourceTree
from kernelgen_ls.workspace.build_files import cmake_definitions

log = logging.getLogger(__name__)

LIMITS = "It does not see instruction selection, register pressure or linking."
"""What the embedded check cannot find; shown wherever its verdict is."""

_MAX_PROGRAMS = 8
"""Programs whose texts are kept read for the next check of them."""

_OPERATOR_HEADER = re.compile(
    r'#[ \t]*include[ \t]*["<](?:kernel_operator\w*|kernel_(?:basic|vec|cube)_intf|kernel_tpipe|kernel_tensor'
    r'|(?:lib|basic_api|adv_api)/[\w/]+)\.h[">]'
)
_HOST_HEADERS = re.compile(
    r'#[ \t]*include[ \t]*["<](?:register/(?:op_|tilingdata)|tiling/(?:platform|tiling_api)|graph/|exe_graph/)'
)
_MOST_SECONDS = 5.0
"""After this long no further configuration of a kernel is begun; a usual check takes a tenth of it."""

_KERNEL_HEADER = "kernel_operator.h"
_HOST_HEADER = "kernelgen_host.h"
_LANGUAGE_HEADER = "ascendc/language.h"


@define
class _Found:
    """What a check found, how much it could judge, and whether configurations are left that it was not asked for."""

    findings: list[Finding]
    coverage: Coverage = field(factory=Coverage)
    more: bool = False


class EmbeddedToolchain:
    """Checks one file after the other; keeps translation units warm. One object serves one thread.

    It has another of its own, in which a kernel's texts are read and linted while clang parses them.
    """

    def __init__(self) -> None:
        self._parser = Parser()
        self._reader = ThreadPoolExecutor(1, "lints")
        self._programs: OrderedDict[str, Program] = OrderedDict()
        self._texts = KnownTexts()

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """It checks."""
        return {"check": self.check}

    def info(self) -> ToolchainInfo:
        """The C++ front end's version, and what the check cannot see."""
        return ToolchainInfo("embedded", clang_version(), limits=LIMITS)

    def check(self, request: CheckRequest, cancelled: Cancelled = never, on_stage: OnStage = untold) -> CheckResult:
        """The findings on the request's entry file and the project's files that it includes.

        Never raises for anything in the sources: what cannot be parsed is a finding that says why.
        """
        started = time.perf_counter()
        try:
            chip = known_chip(request.chip)
        except EndedError as ended:
            return self._result(request, "", started, [], ended.outcome, ended.message)
        texts = {item.path: item.text for item in request.files if item.text is not None}
        tree = SourceTree.of(texts, self._parser.root, self._texts)
        entry = posixpath.normpath(request.entry)
        source = tree.files.get(entry)
        if source is None:
            return self._result(
                request, chip.soc, started, [], Outcome.INFRA_ERROR, f"the text of {entry} was not sent"
            )
        try:
            refused = self._refused(source)
            found = _Found(refused) if refused else self._found(tree, entry, chip, cancelled, request.foremost)
        except ParserCrashedError as problem:
            message = f"the C++ front end gave up on {entry}: {problem}"
            return self._result(request, chip.soc, started, [], Outcome.INFRA_ERROR, message)
        if cancelled():
            return self._result(request, chip.soc, started, [], Outcome.CANCELLED, "a newer version is being checked")
        failed = any(finding.severity is Severity.ERROR for finding in found.findings)
        outcome = Outcome.COMPILE_ERROR if failed else Outcome.PASSED
        result = self._result(request, chip.soc, started, found.findings, outcome)
        if refused:
            return evolve(result, covered=False, message=refused[0].message)
        return evolve(result, coverage=found.coverage, more=found.more)

    def _result(
        self,
        request: CheckRequest,
        soc: str,
        started: float,
        findings: list[Finding],
        outcome: Outcome,
        message: str = "",
    ) -> CheckResult:
        return CheckResult(
            outcome,
            tuple(findings),
            toolchain=evolve(self.info(), soc=soc),
            version=request.version,
            seconds=time.perf_counter() - started,
            message=message,
        )

    def _refused(self, source: SourceText) -> list[Finding]:
        refused = refusal(source)
        if refused is None:
            return []
        where = Location(source.path, Range(refused.position, refused.position))
        return [Finding(where, Severity.WARNING, refused.message, FoundBy.EMBEDDED, "embedded/not-checked")]

    def _found(self, tree: SourceTree, entry: str, chip: Chip, cancelled: Callable[[], bool], foremost: bool) -> _Found:
        if role_of(entry, tree.files[entry].text).is_host:
            plan = KernelConfigurations((Configuration("", ""),))
            found = self._parsed(tree, entry, plan, [], cancelled)
            found.findings += agreement.of_host(tree, entry)
        else:
            main = tree.kernel_of(entry) or entry
            whole = kernel_configurations(tree, main, chip)
            plan = whole.foremost() if foremost else whole
            reading = self._reader.submit(self._read, tree, main, chip, plan)  # clang, meanwhile, needs no interpreter
            try:
                found = evolve(self._parsed(tree, main, plan, chip_flags(chip), cancelled), more=plan is not whole)
            finally:
                disagreements, linted = reading.result()
            found.findings += _assumptions(tree, main, plan)
            if not cancelled():
                found.findings += disagreements
                evaluated = [one for one in found.findings if one.source is FoundBy.LINT]
                found.findings = [one for one in found.findings if one.source is not FoundBy.LINT]
                found.findings += _unsaid(linted.findings(evaluated), found.findings)
        found.findings += _text_findings(tree.files[entry])
        return found

    def _read(
        self, tree: SourceTree, main: str, chip: Chip, plan: KernelConfigurations
    ) -> tuple[list[Finding], Linted]:
        """What is found by reading a kernel's texts, without clang."""
        program = self._program(tree, main, chip_macros(chip))
        return agreement.of_kernel(tree, program, plan.host), Linted.of(program, chip)

    def _program(self, tree: SourceTree, main: str, macros: Mapping[str, str]) -> Program:
        """The texts that are compiled with ``main``; what has not changed since the last check is not read again."""

        def included(path: str) -> tuple[str, Mapping[int, str]] | None:
            source = tree.files[path]
            return (source.text, tree.included(path)) if refusal(source) is None else None

        program = Program.of(main, included, macros, self._programs.pop(main, None))
        self._programs[main] = program
        while len(self._programs) > _MAX_PROGRAMS:
            self._programs.popitem(last=False)
        return program

    def _parsed(
        self,
        tree: SourceTree,
        main: str,
        plan: KernelConfigurations,
        flags: list[str],
        cancelled: Callable[[], bool],
    ) -> _Found:
        reachable = list(tree.reachable(main))
        texts = {tree.virtual(item.path): item.prepared for item in reachable if refusal(item) is None}
        texts = {**tree.forwarded(main), **texts}
        text = "\n".join(item.text for item in reachable)
        kernel = bool(flags)
        included = {include.name for item in reachable for include in item.includes}
        self._parser.forward({name: header for name, header in forwarded_headers().items() if name in included})
        header = _header(kernel, text)
        folders = [f"-I{folder}" for folder in tree.search_folders(main)]
        builds = (item.text for path, item in tree.files.items() if path.endswith("CMakeLists.txt"))
        by_build = frozenset(name for text in builds for name in cmake_definitions(text))
        by_configuration: list[tuple[str, list[Finding]]] = []
        unjudged: dict[str, set[int]] = {source.path: set() for source in reachable}
        half = cache(lambda: host_half({item.path: item.text for item in reachable}) if kernel else {})
        waiting = deque(plan.configurations)
        looked_at = 0
        deadline = time.monotonic() + _MOST_SECONDS
        while waiting and (not by_configuration or time.monotonic() < deadline):
            if cancelled():
                return _Found([])
            configuration = waiting.popleft()
            given = dict(texts)
            arguments = [*flags, *folders, f"-I{tree.virtual(posixpath.dirname(main))}"]
            if kernel:
                if not header:
                    arguments += ["-include", _LANGUAGE_HEADER]
                given[PRELUDE] = configuration.prelude
                given[tree.virtual(main)] += "\n" + configuration.postlude
                arguments += ["-include", PRELUDE]
            reader = Reader(
                tree,
                suggest,
                reachable,
                configuration.prelude,
                plan.unknown_tiling,
                by_build=by_build,
                host=not kernel,
                host_half=half,
            )
            diagnostics = self._parser.parse(tree.virtual(main), given, arguments, header, configuration.name, kernel)
            read = list(reader.read(diagnostics))
            if len(configuration.instances) > 1 and reader.of_instances:
                waiting.extendleft(reversed(configuration.apart()))
                continue
            by_configuration.append((configuration.name, read))
            if reader.unknown is not None:
                for path, lines in unjudged.items():
                    lines.update(reader.unknown.lines(path))
            looked_at += max(len(configuration.instances), 1)
        findings = merged(by_configuration, everywhere=bool(plan.guesses_dtypes) and len(by_configuration) > 1)
        if looked_at < plan.total:
            message = f"checked {looked_at:,} of {plan.total:,} configurations: every dtype and tiling key in turn"
            findings.append(_note(tree, main, plan.entry, message, "embedded/sampled"))
        return _Found(findings, _coverage(reachable, unjudged))


def _coverage(sources: Iterable[SourceText], unjudged: Mapping[str, set[int]]) -> Coverage:
    code = {source.path: code_lines(source.prepared) for source in sources}
    judged = sum(len(lines - unjudged[path]) for path, lines in code.items())
    return Coverage(judged, sum(map(len, code.values())))


def _header(kernel: bool, text: str) -> str:
    """Which of our headers is read from its precompiled form for ``text``: none where the text does not include it."""
    if kernel:
        return _KERNEL_HEADER if _OPERATOR_HEADER.search(text) else ""
    return _HOST_HEADER if _HOST_HEADERS.search(text) else ""


def _unsaid(lints: Iterable[Finding], said: Sequence[Finding]) -> list[Finding]:
    """The lints but those of element types at a call whose element types were refused already."""
    refused = {(one.location.path, one.location.range.start.line) for one in said if one.code == "embedded/constraint"}
    lines = ((one, (one.location.path, one.location.range.start.line)) for one in lints)
    return [one for one, place in lines if one.code != "kernel/dtype" or place not in refused]


def _assumptions(tree: SourceTree, main: str, plan: KernelConfigurations) -> list[Finding]:
    """What the check had to assume for want of the operator's host code, at the first place that needs it."""
    found = []
    if plan.guesses_dtypes and plan.host.operator_for(plan.entry) is None:
        names = ", ".join(plan.guesses_dtypes[:4])
        message = f"{names} come from the operator's op_host, which was not found: checked as half and as float"
        found.append(_note(tree, main, plan.guesses_dtypes[0], message, "embedded/assumed-dtype"))
    if plan.unknown_tiling:
        message = "the tiling struct comes from the operator's op_host, which was not found: its fields are not checked"
        found.append(_note(tree, main, "GET_TILING_DATA", message, "embedded/assumed-tiling"))
    return found


def _note(tree: SourceTree, main: str, name: str, message: str, code: str) -> Finding:
    for source in tree.reachable(main):
        match = re.search(rf"\b{re.escape(name)}\b", source.text)
        if match:
            start = source.position_at(match.start())
            end = Position(start.line, start.column + len(name))
            return Finding(
                Location(source.path, Range(start, end)), Severity.INFORMATION, message, FoundBy.EMBEDDED, code
            )
    start = Position(0, 0)
    return Finding(Location(main, Range(start, start)), Severity.INFORMATION, message, FoundBy.EMBEDDED, code)


def _text_findings(source: SourceText) -> list[Finding]:
    """What is wrong with the text as text: NUL bytes, which the check reads as spaces."""
    offset = source.text.find("\0")
    if offset < 0:
        return []
    start = source.position_at(offset)
    message = "the file contains NUL bytes; they were read as spaces"
    where = Location(source.path, Range(start, Position(start.line, start.column + 1)))
    return [Finding(where, Severity.WARNING, message, FoundBy.EMBEDDED, "embedded/nul-byte")]
