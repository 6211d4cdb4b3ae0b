"""A few slots and many clients: whoever waits is served round robin by client, in order within a client."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable


class QueueFullError(Exception):
    """More are waiting than the queue takes."""


class FairSlots:
    """``count`` slots, at most ``max_waiting`` waiting for one. A hundred jobs of one client delay another's by one."""

    def __init__(self, count: int, max_waiting: int = 4096) -> None:
        self.free = count
        self.max_waiting = max_waiting
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    async def take(self, client: Hashable, on_wait: Callable[[int], None] | None = None) -> None:
        """Wait for a slot; ``on_wait`` is told how many wait before it. Raises :class:`QueueFullError`."""
        if self.free > 0 and not self._waiting:
            self.free -= 1
            return
        ahead = self.waiting
        if ahead >= self.max_waiting:
            raise QueueFullError(f"{ahead} jobs are waiting already")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        if on_wait is not None:
            on_wait(ahead)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back()  # it was this one's turn at the very moment
            else:
                self._forget(client, turn)
            raise

    def give_back(self) -> None:
        """Return a slot: the next waiting job of the client that was served longest ago gets it."""
        while self._waiting:
            client, queue = next(iter(self._waiting.items()))
            turn = queue.popleft()
            if queue:
                self._waiting.move_to_end(client)
            else:
                del self._waiting[client]
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1

    def _forget(self, client: Hashable, turn: asyncio.Future[None]) -> None:
        queue = self._waiting.get(client)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[client]
