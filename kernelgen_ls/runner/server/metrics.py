"""What a runner counts, as Prometheus text, served on loopback only."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

from kernelgen_ls.runner.jobs.messages import Outcome

_BUCKETS = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0)


class Metrics:
    """Jobs by kind and outcome, and how long they took."""

    def __init__(self) -> None:
        self._jobs: Counter[tuple[str, str]] = Counter()
        self._cached: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._buckets: Counter[tuple[str, float]] = Counter()
        self.gauges: dict[str, Callable[[], float]] = {}
        """Read when the text is written: name to the value of the moment."""

    def job(self, kind: str, outcome: Outcome, seconds: float, *, cached: bool) -> None:
        """Count one finished job."""
        self._jobs[kind, outcome.value] += 1
        self._cached[kind] += cached
        self._seconds[kind] += seconds
        for bucket in _BUCKETS:
            self._buckets[kind, bucket] += seconds <= bucket

    def text(self) -> str:
        """Everything in Prometheus' exposition format."""
        lines = ["# TYPE kernelgen_jobs_total counter"]
        lines += [f'kernelgen_jobs_total{{kind="{k}",outcome="{o}"}} {n}' for (k, o), n in sorted(self._jobs.items())]
        lines.append("# TYPE kernelgen_cached_total counter")
        lines += [f'kernelgen_cached_total{{kind="{kind}"}} {n}' for kind, n in sorted(self._cached.items())]
        lines.append("# TYPE kernelgen_job_seconds histogram")
        for kind in sorted(self._seconds):
            count = sum(n for (k, _), n in self._jobs.items() if k == kind)
            for bucket in _BUCKETS:
                lines.append(
                    f'kernelgen_job_seconds_bucket{{kind="{kind}",le="{bucket:g}"}} {self._buckets[kind, bucket]}'
                )
            lines.append(f'kernelgen_job_seconds_bucket{{kind="{kind}",le="+Inf"}} {count}')
            lines.append(f'kernelgen_job_seconds_sum{{kind="{kind}"}} {self._seconds[kind]:.6f}')
            lines.append(f'kernelgen_job_seconds_count{{kind="{kind}"}} {count}')
        for name, read in self.gauges.items():
            lines += [f"# TYPE kernelgen_{name} gauge", f"kernelgen_{name} {read():g}"]
        return "\n".join(lines) + "\n"


async def serve_metrics(pages: Mapping[str, Callable[[], str]], host: str, port: int) -> asyncio.Server:
    """A minimal HTTP server for ``pages`` (path to text); the caller has made sure that ``host`` is loopback."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
            page = pages.get(request.split(b" ", 2)[1].decode("latin-1"))
        except (asyncio.TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, IndexError, OSError):
            page = None
        body = page().encode() if page else b"not found\n"
        status = "200 OK" if page else "404 Not Found"
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {len(body)}\r\n"
        writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
        writer.close()

    return await asyncio.start_server(answer, host, port, limit=8192)
