"""The lens that says how long a kernel takes, and the command that measures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.lsp.features.arguments import document_argument, position_argument, wire_position
from kernelgen_ls.lsp.features.code_lens import Lenses
from kernelgen_ls.lsp.features.verification import VERIFY, offer
from kernelgen_ls.lsp.following.latency import Latencies
from kernelgen_ls.lsp.following.verifications import Verifications
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import OpenDocuments, Registrar, SettingsInForce

if TYPE_CHECKING:
    from kernelgen_ls.runner.jobs.messages import MeasureResult
    from kernelgen_ls.work.readings import Reading

MEASURE = "kernelgen.measure"


def lenses(settings: SettingsInForce, documents: OpenDocuments, latencies: Latencies) -> Lenses:
    """What is known of each entry function's latency."""

    async def known(document: Document) -> Iterable[types.CodeLens]:
        if not settings.now.latency.lens:
            return ()
        can_measure = bool(settings.now.runners.measure)
        readings = await latencies.readings(document)
        found = [_lens(documents, document, reading, can_measure=can_measure) for reading in readings]
        return [lens for lens in found if lens is not None]

    return known


def register(
    registrar: Registrar,
    settings: SettingsInForce,
    documents: OpenDocuments,
    latencies: Latencies,
    verifications: Verifications,
) -> None:
    """Register the command."""

    @registrar.command(MEASURE)
    async def measure(params: types.ExecuteCommandParams) -> dict[str, Any]:
        document = document_argument(documents, params)
        given = len(params.arguments or []) > 1
        position: Position | None = position_argument(documents, params, document, 1) if given else None
        if not settings.now.runners.measure:
            return _without_runner(offer(verifications))
        result = await latencies.measure(document, position, params.work_done_token)
        if isinstance(result, str):
            return {"reason": result}
        latency = result.latency
        if latency is None:
            return _without_latency(result)
        entry = latencies.entries.at(document, position)
        return {
            "entry": entry.name if entry else "",
            "kind": latency.kind.value,
            "medianUs": latency.median_us,
            "spreadUs": latency.spread_us,
            "samples": len(latency.samples_us),
            "chip": latency.soc,
            "cann": latency.cann,
            "case": latency.case,
            "warnings": list(result.warnings),
        }


def _lens(
    documents: OpenDocuments, document: Document, reading: Reading, *, can_measure: bool
) -> types.CodeLens | None:
    """What is known of an entry function and, where a runner measures, the offer to; None for neither."""
    from kernelgen_ls.report.latency_page import summary

    title = " | ".join(part for part in (summary(reading), "Measure" if can_measure else "") if part)
    if not title:
        return None
    at = wire_position(documents, document, reading.entry.range.start)
    command = types.Command(title=title, command=MEASURE if can_measure else "", arguments=[document.uri, at])
    return types.CodeLens(range=document.range_to_client(reading.entry.range, documents.encoding), command=command)


def _without_runner(offered: str) -> dict[str, Any]:
    """What the command answers where nothing measures: how something could, and what can be done meanwhile."""
    reason = "No runner measures: set kernelgen.runners.pool and kernelgen.runners.measure (docs/runner.md)."
    if not offered:
        return {"reason": reason}
    return {
        "reason": f"{reason} {offered} says whether the kernel is right.",
        "instead": {"title": offered, "command": VERIFY},
    }


def _without_latency(result: MeasureResult) -> dict[str, Any]:
    """What a failed measurement's command answers."""
    return {"reason": result.message or f"not measured: {result.outcome.value}", "outcome": result.outcome.value}
