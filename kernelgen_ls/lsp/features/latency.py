"""textDocument/codeLens and the command that measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.lsp.features.commands import document_argument, position_argument
from kernelgen_ls.lsp.features.generation import wire_position
from kernelgen_ls.lsp.following.latency import without_latency
from kernelgen_ls.report.latency_page import summary

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer

MEASURE = "kernelgen.measure"


def register(server: KernelServer) -> None:
    """Register the lenses and the command."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions())
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        document = session.documents.get(params.text_document.uri)
        if document is None or not session.settings.latency.lens:
            return None
        lenses = []
        for reading in await session.latencies.readings(document):
            span = document.range_to_client(reading.entry.range, session.documents.encoding)
            at = wire_position(session, document, reading.entry.range.start)
            text = summary(reading)
            can_measure = bool(session.settings.runners.measure)
            parts = [part for part in (text, "Measure" if can_measure else "") if part]
            if parts:
                command = MEASURE if can_measure else ""
                lenses.append(
                    types.CodeLens(
                        range=span,
                        command=types.Command(title=" | ".join(parts), command=command, arguments=[document.uri, at]),
                    )
                )
        return lenses or None

    @server.command(MEASURE)
    async def measure(params: types.ExecuteCommandParams) -> dict[str, Any]:
        document = document_argument(session, params)
        given = len(params.arguments or []) > 1
        position: Position | None = position_argument(session, params, document, 1) if given else None
        result = await session.latencies.measure(document, position, params.work_done_token)
        if isinstance(result, str):
            return {"reason": result}
        latency = result.latency
        if latency is None:
            return without_latency(result)
        entry = session.latencies.entry_at(document, position)
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
