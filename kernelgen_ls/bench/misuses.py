"""Kinds of mistakes that compile: queues, buffers, copies and masks used wrongly, and what only a run shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from kernelgen_ls.bench.edits import Edit, Finder, Kind, calls

_QUEUE_CALL = re.compile(
    r"^[ \t]+(?P<call>(?P<queue>[\w.>\[\]-]+)(?:\.|->)(?P<name>\w+)\((?P<argument>[^;\n]*)\);)[ \t]*$", re.MULTILINE
)
_SIZEOF = re.compile(r"InitBuffer\([^;\n]*?(?P<size>(?: \* sizeof\([\w:]+\)|sizeof\([\w:]+\) \* ?))[^;\n]*\);")
_FLAG = re.compile(r"\b(?:SetFlag|WaitFlag)<(?:AscendC::)?HardEvent::(?P<event>\w+)>")
_COUNT = r"[\w:.]+(?:\(\))?"
_CEILING = re.compile(rf"\((?P<dividend>{_COUNT}) \+ (?P<by>{_COUNT}) - 1\) / (?P=by)(?!\w)")
_LOCAL = re.compile(
    r"^[ \t]+(?:AscendC::)?LocalTensor<(?P<type>float|half|int32_t)> (?P<name>\w+) = \w+\.\w+<\w+>\(\);$", re.MULTILINE
)
_TENSOR = re.compile(r"\bLocalTensor<[^<>]*> (?:&\s*)?(?P<name>\w+)\b")
_MEMBER = re.compile(r"^[ \t]+(?P<name>[a-z]\w*_) = [^;\n]+;", re.MULTILINE)
_LOAD = re.compile(r"\bDataCopy(?:Pad)?\((?P<to>\w+), (?P<from>\w+Gm_?(?:\[[^\]\n]*\])?), ")
_BARRIER = re.compile(
    r"^[ \t]+(?:AscendC::)?(?:PipeBarrier<PIPE_\w+>\(\)|(?:Set|Wait)Flag<[^;\n]*);[ \t]*$", re.MULTILINE
)


def _removed(method: str, description: str) -> Callable[[str, Random], list[Edit]]:
    def edits(plain: str, random: Random) -> list[Edit]:
        return [
            Edit(*match.span("call"), "", f"{description}: {match.group('call')}")
            for match in _QUEUE_CALL.finditer(plain)
            if match.group("name") == method
        ]

    return edits


def _after(method: str, text: str, description: str) -> Callable[[str, Random], list[Edit]]:
    """Edits that put ``text`` (with {queue} and {tensor}) behind a queue's call."""

    def edits(plain: str, random: Random) -> list[Edit]:
        return [
            Edit(match.end("call"), match.end("call"), text.format(**match.groupdict()), description)
            for match in _QUEUE_CALL.finditer(plain)
            if match.group("name") == method and re.fullmatch(r"\w+", match.group("argument"))
        ]

    return edits


def _other_queue(method: str) -> Callable[[str, Random], list[Edit]]:
    def edits(plain: str, random: Random) -> list[Edit]:
        found = [match for match in _QUEUE_CALL.finditer(plain) if match.group("name") in ("EnQue", "FreeTensor")]
        queues = sorted({match.group("queue") for match in found})
        return [
            Edit(*match.span("queue"), other, f"{method} on {other} instead of {match.group('queue')}")
            for match in found
            if match.group("name") == method
            for other in queues
            if other != match.group("queue")
        ]

    return edits


def _bytes(plain: str, random: Random) -> list[Edit]:
    return [Edit(*match.span("size"), "", "InitBuffer in elements") for match in _SIZEOF.finditer(plain)]


def _flags(plain: str, random: Random) -> list[Edit]:
    edits = _behind_tensor(
        "SetFlag<HardEvent::MTE2_V>(EVENT_ID0); WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);", "flags of two events"
    )(plain, random)
    for match in _FLAG.finditer(plain):
        other = "V_MTE3" if match.group("event") != "V_MTE3" else "MTE2_V"
        edits.append(Edit(*match.span("event"), other, f"{match.group('event')} written {other}"))
    return edits


def _ceiling(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(*match.span(), f"{match.group('dividend')} / {match.group('by')}", f"{match.group()} rounded down")
        for match in _CEILING.finditer(plain)
    ]


def _behind_tensor(text: str, description: str) -> Callable[[str, Random], list[Edit]]:
    """Edits that put a statement (with {name} and {type}) behind the declaration of a tensor."""

    def edits(plain: str, random: Random) -> list[Edit]:
        return [
            Edit(match.end(), match.end(), f" {text.format(**match.groupdict())}", description)
            for match in _LOCAL.finditer(plain)
        ]

    return edits


def _unaligned(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(*spans[2], "7", "DataCopy of 7 elements")
        for name, spans in calls(plain)
        if name == "DataCopy" and len(spans) == 3 and "{" not in plain[slice(*spans[2])]
    ]


def _past_end(plain: str, random: Random) -> list[Edit]:
    tensors = {match.group("name") for match in _TENSOR.finditer(plain)}
    return [
        Edit(spans[0][1], spans[0][1], "[1048576]", f"{plain[slice(*spans[0])]} a million elements on")
        for name, spans in calls(plain)
        if name != "Broadcast" and spans and plain[slice(*spans[0])] in tensors
    ]


def _shadowed(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(match.start("name"), match.start("name"), "uint32_t ", f"{match.group('name')} set as a local variable")
        for match in _MEMBER.finditer(plain)
        if match.group().count(match.group("name")) == 1
    ]


def _swapped(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(
            match.start("to"), match.end("from"), f"{match.group('from')}, {match.group('to')}", "a copy the wrong way"
        )
        for match in _LOAD.finditer(plain)
    ]


def _no_wait(plain: str, random: Random) -> list[Edit]:
    return [Edit(*match.span(), "", f"removed {match.group().strip()}") for match in _BARRIER.finditer(plain)]


MISUSES = (
    *(
        Kind(name, Finder.LINT, edits)
        for name, edits in {
            "free-twice": _after("FreeTensor", " {call}", "a tensor freed twice"),
            "use-after-free": _after("FreeTensor", " {argument}.SetValue(0, 0);", "a tensor used after FreeTensor"),
            "forgotten-init-buffer": _removed("InitBuffer", "no InitBuffer"),
            "forgotten-global-buffer": _removed("SetGlobalBuffer", "no SetGlobalBuffer"),
            "forgotten-enque": _removed("EnQue", "no EnQue"),
            "forgotten-free": _removed("FreeTensor", "no FreeTensor"),
            "bytes-without-sizeof": _bytes,
            "flags-that-differ": _flags,
            "enque-on-another-queue": _other_queue("EnQue"),
            "free-to-another-queue": _other_queue("FreeTensor"),
            "early-return": _behind_tensor(
                "if (GetBlockIdx() > 3) {{ return; }}", "a return between AllocTensor and FreeTensor"
            ),
            "mask-beyond-type": _behind_tensor(
                "Duplicate({name}, ({type})0, 256, 1, 1, 8);", "a mask of more elements than a repeat has"
            ),
            "repeat-beyond-255": _behind_tensor(
                "Duplicate({name}, ({type})0, 64, 300, 1, 8);", "more repeats than a call takes"
            ),
            "unaligned-count": _unaligned,
            "subtensor-past-end": _past_end,
        }.items()
    ),
    *(
        Kind(name, Finder.RUN, edits)
        for name, edits in {
            "floor-for-ceiling": _ceiling,
            "shadowed-member": _shadowed,
            "copy-the-wrong-way": _swapped,
            "missing-wait": _no_wait,
        }.items()
    ),
)
"""What compiles and is wrong."""
