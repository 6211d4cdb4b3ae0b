"""kernel/flag-pairs: a ``WaitFlag`` for an event that nothing sets, or a ``SetFlag`` that nothing waits for.

A flag is of one event: the unit that sets it and the unit that waits. A wait without its set hangs; a set without its
wait leaves the flag up, and the next set of it is undefined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.structure import Call

_EVENT = re.compile(r"(?:AscendC\s*::\s*)?HardEvent\s*::\s*(?P<event>\w+)")
_RAW = re.compile(r"\b(?:set_flag|wait_flag|SetFlag|WaitFlag)\b")


def _check(context: LintContext) -> Iterator[Report]:
    if context.source.is_header:
        return
    calls = [call for call in context.structure.calls_of("SetFlag", "WaitFlag") if not call.receiver]
    if not calls:
        return
    events = {call.span.start: _event(call) for call in calls}
    # A flag of a template's event, or one that a macro sets, may be any.
    if None in events.values() or len(_mentions(context)) != len(calls):
        return
    sets = {events[call.span.start] for call in calls if call.name == "SetFlag"}
    waits = {events[call.span.start] for call in calls if call.name == "WaitFlag"}
    for call in calls:
        event = events[call.span.start]
        if not calls_of(context).surely_runs(call.span.start):
            continue
        if call.name == "WaitFlag" and event not in sets:
            yield Report(call.span, f"this waits for a flag of {event}, and no SetFlag sets one: the kernel hangs here")
        elif call.name == "SetFlag" and event not in waits:
            yield Report(call.span, f"no WaitFlag waits for this flag of {event}: it stays up, and orders nothing")


def _event(call: Call) -> str | None:
    match = _EVENT.fullmatch(call.template_arguments[0]) if len(call.template_arguments) == 1 else None
    return match.group("event") if match else None


def _mentions(context: LintContext) -> list[int]:
    return [match.start() for match in _RAW.finditer(context.source.plain)]


LINT = Lint("kernel/flag-pairs", Severity.ERROR, "a flag is set and not waited for, or the other way round", _check)
