"""How a job on a runner is followed in the editor: as work that says its stage and that the user can cancel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from kernelgen_ls.lsp.session.ports import ShowsWork
from kernelgen_ls.runner.jobs.messages import StageReport

if TYPE_CHECKING:
    from lsprotocol import types

Tell = Callable[[StageReport], None]


@asynccontextmanager
async def told_stages(editor: ShowsWork, title: str, token: types.ProgressToken | None) -> AsyncIterator[Tell]:
    """Show what this task does to the end of the block; gives what is to be told of the job's stages."""
    own = asyncio.current_task()
    async with editor.work_done(title, token=token, on_cancel=own.cancel if own else None) as shown:

        def tell(report: StageReport) -> None:
            ahead = f", {report.ahead} before it" if report.ahead else ""
            shown.report(f"{report.stage.value}{ahead} {report.detail}".strip())

        yield tell
