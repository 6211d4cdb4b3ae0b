"""An engine call under way: for which text it was made, who waits for it, and when it is given up."""

from __future__ import annotations

import asyncio

from attrs import define

from kernelgen_ls.model.completion.cache import CachedText
from kernelgen_ls.model.completion.document import Cursor

ABANDONED_SECONDS = 0.1
"""How long an answer that nobody waits for any more goes on: time for the next keystroke's request to take it over."""


@define(eq=False)
class Running:
    """An engine call under way, and the cursor it was made for."""

    before: str
    after: str
    multiline: bool
    started: float
    task: asyncio.Task[CachedText | None]
    waiters: int = 0

    def may_answer(self, cursor: Cursor, *, multiline: bool) -> bool:
        """Whether the cursor only typed on since; whether it typed what the answer says, only the answer will tell."""
        return (
            not self.task.done()
            and (self.multiline or not multiline)
            and cursor.before.startswith(self.before)
            and cursor.after.endswith(self.after)
            and len(cursor.after) - len(self.after) <= 2
        )

    async def wait(self) -> CachedText | None:
        """The call's answer. When its last waiter goes, the call is cancelled unless taken over soon."""
        self.waiters += 1
        try:
            await asyncio.wait({self.task})
        finally:
            self.waiters -= 1
            if not self.waiters and not self.task.done():
                asyncio.get_running_loop().call_later(ABANDONED_SECONDS, self._abandon)
        # Cancelled: for a newer request, or with its document.
        return None if self.task.cancelled() else self.task.result()

    def _abandon(self) -> None:
        if not self.waiters:
            self.task.cancel()
