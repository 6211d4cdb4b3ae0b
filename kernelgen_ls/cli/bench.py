"""``kernelgen-ls bench``: programs that measure this project's own speed and quality; no editor runs them."""

from __future__ import annotations

import click

from kernelgen_ls.cli.lazy_group import Entry, LazyGroup

BENCHMARKS = {
    "all": Entry("kernelgen_ls.bench.everything:everything", "Every benchmark that needs nothing given, one by one."),
    "make-gguf": Entry("kernelgen_ls.testing.make_gguf:make_gguf", "Write a random model of a given shape."),
    "engine": Entry("kernelgen_ls.bench.engine:engine", "Our worker against llama.cpp's own loop."),
    "typing": Entry("kernelgen_ls.bench.typing:typing", "A typing trace through the whole server."),
    "server": Entry("kernelgen_ls.bench.server:server", "Round trips of the server, idle and while generating."),
    "soak": Entry("kernelgen_ls.bench.soak:soak", "Thousands of edits, cancels and killed workers against the server."),
    "check": Entry("kernelgen_ls.bench.check:check", "Time of a check."),
    "defects": Entry("kernelgen_ls.bench.defects:defects", "Share of injected defects that the checker finds."),
    "runner": Entry("kernelgen_ls.bench.runner:runner", "Many clients against one runner."),
    "grammar": Entry("kernelgen_ls.bench.grammar:grammar", "Tokens a second with and without the answer's grammar."),
    "generate": Entry("kernelgen_ls.bench.generate:generate", "A kernel for each specification of a folder, timed."),
    "repositories": Entry("kernelgen_ls.bench.repositories:repositories", "Released kernels through the checker."),
    "twin": Entry("kernelgen_ls.bench.twin:twin", "Kernels run on the twin: right or not, and at what cost."),
    "npukb": Entry("kernelgen_ls.bench.npukb:npukb", "Generation over a checkout of NPUKernelBench."),
}


@click.group(cls=LazyGroup, entries=BENCHMARKS)
def bench() -> None:
    """Measure this project's own speed and quality."""
