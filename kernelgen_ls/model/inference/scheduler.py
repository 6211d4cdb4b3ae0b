"""One engine thread, one queue: typing before generation before warming up, cancelled work stops at the next step.

A job is a Python generator that yields before every evaluation of the model. Between two steps the thread takes the
most urgent job, so a keystroke waits for one token or one chunk of another request and no more.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from enum import IntEnum
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import define, field

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, T]
"""A job's work: yields where it may be left, returns its result."""


class Priority(IntEnum):
    """The smaller the sooner."""

    CONTROL = 0
    TYPING = 1
    GENERATION = 2
    WARM = 3


@define(eq=False)
class Job(Generic[T]):
    """A piece of work in the queue; ``future`` gets its result in the engine thread."""

    priority: Priority
    steps: Callable[[], Steps[T]]
    number: int = 0
    future: Future[T] = field(factory=Future)
    cancelled: bool = False
    running: Steps[T] | None = None

    def __lt__(self, other: Job[T]) -> bool:
        return (self.priority, self.number) < (other.priority, other.number)


class Scheduler:
    """Runs jobs in its own thread. ``abort`` and ``resume`` stop the evaluation under way, where that is possible."""

    def __init__(self, abort: Callable[[], None], resume: Callable[[], None]) -> None:
        self._abort = abort
        self._resume = resume
        self._condition = threading.Condition()
        self._queue: list[Job[Any]] = []
        self._current: Job[Any] | None = None
        self._count = 0
        self._stopping = False
        self._interruptible = False
        self.cancelled = 0
        self.requests = 0
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._thread.start()

    def submit(self, priority: Priority, steps: Callable[[], Steps[T]]) -> Job[T]:
        """Queue work; a running job of lower priority that reads its prompt gives way at once."""
        job: Job[T] = Job(priority, steps)
        with self._condition:
            if self._stopping:
                job.future.cancel()
                return job
            self._count += 1
            self.requests += 1
            job.number = self._count
            heapq.heappush(self._queue, job)
            current = self._current
            if current is not None and current.priority > priority and self._interruptible:
                self._abort()
            self._condition.notify_all()
        return job

    def cancel(self, job: Job[T]) -> None:
        """Stop a job wherever it stands; its future is cancelled once the engine is free of it."""
        with self._condition:
            job.cancelled = True
            if self._current is job:
                self._abort()
            self._condition.notify_all()

    def interruptible(self, state: bool) -> None:
        """The running job says whether its next evaluation is long enough to be worth stopping."""
        self._interruptible = state

    def stop(self, timeout: float = 5.0) -> None:
        """Cancel everything and end the thread."""
        with self._condition:
            self._stopping = True
            for job in self._queue:
                job.cancelled = True
            if self._current is not None:
                self._current.cancelled = True
                self._abort()
            self._condition.notify_all()
        self._thread.join(timeout)

    def _run(self) -> None:
        while (job := self._next()) is not None:
            self._step(job)

    def _next(self) -> Job[Any] | None:
        with self._condition:
            while True:
                for job in [job for job in self._queue if job.cancelled]:
                    self._queue.remove(job)
                    self._end(job)
                heapq.heapify(self._queue)
                if self._queue:
                    self._current = self._queue[0]
                    self._interruptible = False
                    self._resume()
                    return self._current
                if self._stopping:
                    return None
                self._condition.wait()

    def _step(self, job: Job[Any]) -> None:
        """One step of the job at the head of the queue; it leaves the queue when it has ended."""
        try:
            if job.running is None:
                job.future.set_running_or_notify_cancel()
                job.running = job.steps()
            next(job.running)
        except StopIteration as end:
            self._leave(job)
            job.future.set_result(end.value)
        except BaseException as error:
            # Whatever a request meets is its own answer: the thread must live for the next one.
            self._leave(job)
            job.future.set_exception(error)
        else:
            with self._condition:
                self._current = None

    def _leave(self, job: Job[Any]) -> None:
        with self._condition:
            self._current = None
            self._queue.remove(job)
            heapq.heapify(self._queue)

    def _end(self, job: Job[Any]) -> None:
        self.cancelled += 1
        if job.running is not None:
            job.running.close()
            job.future.set_exception(CancelledError())
        else:
            job.future.cancel()


def once(work: Callable[[], T]) -> Callable[[], Steps[T]]:
    """A job of one step."""

    def steps() -> Steps[T]:
        yield from ()
        return work()

    return steps
