"""The candidate that needs no model: written by a rule that is handed in, and judged like any other."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from kernelgen_ls.model.generation.candidate import (
    Attempt,
    Author,
    Candidate,
    Check,
    End,
    GenerationStage,
    Progress,
    Writer,
)

logger = logging.getLogger(__name__)


async def written_by_rule(
    writer: Writer, check: Check, on_progress: Callable[[Progress], None] | None = None
) -> Candidate | str:
    """The judged candidate; a line that says why no rule writes one."""
    if on_progress is not None:
        on_progress(Progress(GenerationStage.BY_RULE, 0, 0))
    began = time.monotonic()
    try:
        written = await asyncio.to_thread(writer)
    except Exception as error:
        # A fault of ours costs the user this candidate, not the model's.
        logger.exception("a kernel could not be written by rule")
        return f"an error of kernelgen-ls: {error}"
    if isinstance(written, str):
        return written
    files = tuple(written)
    attempt = Attempt(0, "", "", "", files, await check(files), seconds=time.monotonic() - began)
    known = ((attempt.outcome.failed, End.CHECK_FAILED), (attempt.wrong, End.WRONG), (attempt.clean, End.CLEAN))
    end = next((end for holds, end in known if holds), End.ROUNDS)
    return Candidate(0, 0, (attempt,), end, attempt.outcome.failed, Author.RULE)
