"""Mends that need no model: a finding's own safe fix, a declaration said twice or
forgotten, a conversion that takes two steps.

They are tried before a repair is asked for and kept only where the checker then finds fewer errors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kernelgen_ls.kernel.findings import Finding, TextEdit
from kernelgen_ls.model.prompts.task import GeneratedFile

_CAST = re.compile(
    r"^(?P<indent>\s*)(?P<call>(?:AscendC::)?Cast)\s*\(\s*(?P<to>\w+)\s*,\s*(?P<source>\w+)\s*,"
    r"\s*(?P<mode>[\w:]+)\s*,\s*(?P<count>[^;]+?)\)\s*;\s*$"
)
_NARROW = ("int8_t", "uint8_t")
_COMPARISON = re.compile(r"^(?P<indent>\s*)(?P<q>(?:AscendC::)?)Compare(?:Scalar)?\s*\(\s*(?P<mask>\w+)\s*,")
_QUEUE = re.compile(r"^(?P<indent>\s*)(?:AscendC::)?TQue<[^;]*>\s*\w[^;]*;")
_INIT = re.compile(
    r"^(?P<indent>\s*)(?P<pipe>\w+(?:\.|->))InitBuffer\(\s*\w+\s*,\s*\w+\s*,\s*(?P<length>.+?)\s*\*\s*sizeof\([^()]*\)\s*\);"
)
_AGAIN = re.compile(r"duplicate member |redefinition of ")


def mended_by_rule(files: Sequence[GeneratedFile], errors: Sequence[Finding]) -> tuple[GeneratedFile, ...]:
    """The files with every error mended that a rule knows; the same files when it knows none."""
    mended = []
    for file in files:
        mine = [finding for finding in errors if finding.location.path == file.path]
        text = _narrowed(file.text, [finding for finding in mine if "Cast" in finding.message])
        if text == file.text:
            text = _said_once(file.text, mine)
        if text == file.text:
            text = _with_mask(file.text, mine)
        if text == file.text:
            text = _fixed(file, mine)
        mended.append(GeneratedFile(file.path, text))
    return tuple(mended)


def _fixed(file: GeneratedFile, errors: Sequence[Finding]) -> str:
    """The text after the findings' safe fixes, those left out that overlap an earlier one."""
    lines = file.text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    edits: list[tuple[int, int, TextEdit]] = []
    for finding in errors:
        for fix in finding.fixes[:1]:
            spans = [
                (starts[e.range.start.line] + e.range.start.column, starts[e.range.end.line] + e.range.end.column, e)
                for e in fix.edits
            ]
            free = all(end <= start or stop <= begin for start, stop, _ in spans for begin, end, _ in edits)
            if fix.safe and free and all(edit.path == file.path for edit in fix.edits):
                edits += spans
    text = file.text
    for start, end, edit in sorted(edits, key=lambda one: one[0], reverse=True):
        text = text[:start] + edit.new_text + text[end:]
    return text


def _said_once(text: str, errors: Sequence[Finding]) -> str:
    """The text without declarations that an earlier line makes in the very same words."""
    lines = text.split("\n")
    again = {finding.location.range.start.line for finding in errors if _AGAIN.match(finding.message)}
    kept = [
        line
        for number, line in enumerate(lines)
        if number not in again or line.strip() not in map(str.strip, lines[:number])
    ]
    return "\n".join(kept)


def _with_mask(text: str, errors: Sequence[Finding]) -> str:
    """The text with the buffer that a comparison writes to, where the kernel forgot it: a byte an element will do.

    It is declared, initialised and taken beside the kernel's queues; what is there of these already stays.
    """
    lines = text.split("\n")
    for finding in sorted(errors, key=lambda one: one.location.range.start.line):
        row = finding.location.range.start.line
        used = _COMPARISON.match(lines[row]) if row < len(lines) else None
        if used is None or f"undeclared identifier '{used['mask']}'" not in finding.message:
            continue
        mask, q = used["mask"], used["q"]
        queues = [(at, found) for at, line in enumerate(lines) if (found := _QUEUE.match(line))]
        inits = [(at, found) for at, line in enumerate(lines) if (found := _INIT.match(line))]
        if not queues or not inits:
            return text
        holder, (member, queue), (init, call) = f"{mask}Buf", queues[-1], inits[-1]
        fresh = [(row, f"{used['indent']}{q}LocalTensor<uint8_t> {mask} = {holder}.Get<uint8_t>();")]
        if not re.search(rf"InitBuffer\(\s*{holder}\b", text):
            fresh.append((init + 1, f"{call['indent']}{call['pipe']}InitBuffer({holder}, {call['length']});"))
        if not re.search(rf"TBuf<[^;]*>\s*{holder}\b", text):
            fresh.append((member + 1, f"{queue['indent']}{q}TBuf<{q}TPosition::VECCALC> {holder};"))
        for at, line in sorted(fresh, reverse=True):
            lines.insert(at, line)
        return "\n".join(lines)
    return text


def _narrowed(text: str, errors: Sequence[Finding]) -> str:
    """Casts from float to 8 bits go through half, in the source's own buffer: no vector unit does it in one step."""
    lines = text.split("\n")
    for number in sorted({finding.location.range.start.line for finding in errors}, reverse=True):
        cast = _CAST.match(lines[number]) if number < len(lines) else None
        if cast is None:
            continue
        before = "\n".join(lines[:number])
        if _element(before, cast["to"]) in _NARROW and _element(before, cast["source"]) == "float":
            half = f"{cast['source']}.ReinterpretCast<half>()"
            start = f"{cast['indent']}{cast['call']}("
            lines[number : number + 1] = [
                f"{start}{half}, {cast['source']}, {cast['mode'].rpartition('::')[0]}::CAST_NONE, {cast['count']});",
                f"{start}{cast['to']}, {half}, {cast['mode']}, {cast['count']});",
            ]
    return "\n".join(lines)


def _element(before: str, name: str) -> str:
    """The element type of a local tensor by its latest declaration; empty where there is none."""
    found = re.findall(rf"\bLocalTensor<\s*([\w:]+)\s*>\s*&?\s*{re.escape(name)}\b", before)
    return found[-1] if found else ""
