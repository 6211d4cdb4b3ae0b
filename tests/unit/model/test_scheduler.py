"""Order of work, cancellation and interruption of the one engine thread; every wait is for an event, none for time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError

import pytest

from kernelgen_ls.model.inference.scheduler import Priority, Scheduler, Steps, once

WAIT = 10


class Bench:
    """A scheduler whose jobs write down what they do."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.aborts = 0
        self.on_abort: Callable[[], None] = lambda: None
        self.scheduler = Scheduler(self.abort, lambda: None)

    def abort(self) -> None:
        self.aborts += 1
        self.on_abort()

    def job(
        self, name: str, steps: int, at_step: Callable[[int], None] = lambda step: None
    ) -> Callable[[], Steps[str]]:
        def work() -> Steps[str]:
            try:
                for step in range(steps):
                    self.log.append(f"{name}{step}")
                    at_step(step)
                    yield
                return name
            finally:
                self.log.append(f"{name} ended")

        return work

    def blocked(self) -> threading.Event:
        """Hold the engine until the event is set, so that what is queued meanwhile is ordered by priority."""
        gate, reached = threading.Event(), threading.Event()

        def hold() -> None:
            reached.set()
            gate.wait(WAIT)

        self.scheduler.submit(Priority.CONTROL, once(hold))
        assert reached.wait(WAIT)
        return gate


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.scheduler.stop()


def test_typing_comes_before_generation_before_warming(bench: Bench) -> None:
    gate = bench.blocked()
    jobs = [
        bench.scheduler.submit(priority, bench.job(name, 1))
        for priority, name in ((Priority.WARM, "w"), (Priority.GENERATION, "g"), (Priority.TYPING, "t"))
    ]
    gate.set()
    assert [job.future.result(WAIT) for job in jobs] == ["w", "g", "t"]
    assert [entry for entry in bench.log if entry.endswith("0")] == ["t0", "g0", "w0"]


def test_a_generation_gives_way_between_two_tokens_and_goes_on(bench: Bench) -> None:
    typing: list[object] = []

    def interrupt(step: int) -> None:
        if step == 1:
            typing.append(bench.scheduler.submit(Priority.TYPING, bench.job("t", 2)))

    generation = bench.scheduler.submit(Priority.GENERATION, bench.job("g", 4, interrupt))
    assert generation.future.result(WAIT) == "g"
    assert bench.log == ["g0", "g1", "t0", "t1", "t ended", "g2", "g3", "g ended"]


def test_equal_work_runs_in_the_order_it_came_without_mixing(bench: Bench) -> None:
    gate = bench.blocked()
    jobs = [bench.scheduler.submit(Priority.TYPING, bench.job(name, 2)) for name in "ab"]
    gate.set()
    for job in jobs:
        job.future.result(WAIT)
    assert bench.log == ["a0", "a1", "a ended", "b0", "b1", "b ended"]


def test_a_cancelled_job_that_waits_never_runs(bench: Bench) -> None:
    gate = bench.blocked()
    job = bench.scheduler.submit(Priority.TYPING, bench.job("a", 1))
    bench.scheduler.cancel(job)
    gate.set()
    with pytest.raises(CancelledError):
        job.future.result(WAIT)
    assert bench.log == []


def test_a_cancelled_job_that_runs_takes_no_further_step_and_cleans_up(bench: Bench) -> None:
    def cancel(step: int) -> None:
        if step == 2:
            bench.scheduler.cancel(job)

    gate = bench.blocked()
    job = bench.scheduler.submit(Priority.TYPING, bench.job("a", 100, cancel))
    gate.set()
    with pytest.raises(CancelledError):
        job.future.result(WAIT)
    assert bench.log == ["a0", "a1", "a2", "a ended"]
    assert bench.aborts == 1


def test_something_urgent_stops_a_long_evaluation_but_not_a_short_one(bench: Bench) -> None:
    for long, aborts in ((False, 0), (True, 1)):

        def interrupt(step: int, long: bool = long) -> None:
            bench.scheduler.interruptible(long)
            bench.scheduler.submit(Priority.TYPING, bench.job("t", 1))

        bench.scheduler.submit(Priority.WARM, bench.job("w", 1, interrupt)).future.result(WAIT)
        assert bench.aborts == aborts


def test_a_failing_job_fails_alone(bench: Bench) -> None:
    def fail() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        bench.scheduler.submit(Priority.TYPING, once(fail)).future.result(WAIT)
    assert bench.scheduler.submit(Priority.TYPING, bench.job("a", 1)).future.result(WAIT) == "a"


def test_stopping_cancels_what_waits(bench: Bench) -> None:
    gate = bench.blocked()
    job = bench.scheduler.submit(Priority.WARM, bench.job("a", 1))
    bench.on_abort = gate.set  # the engine is only let go once it was told to stop
    bench.scheduler.stop()
    with pytest.raises(CancelledError):
        job.future.result(WAIT)
    with pytest.raises(CancelledError):
        bench.scheduler.submit(Priority.TYPING, bench.job("late", 1)).future.result(WAIT)
