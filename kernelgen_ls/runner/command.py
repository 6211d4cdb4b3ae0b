"""``kernelgen-ls runner``: serve compile and measure jobs."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path

import click
from attrs import evolve

from kernelgen_ls.rpc import serve_stdio
from kernelgen_ls.runner.client import cache_folder
from kernelgen_ls.runner.config import RunnerConfig
from kernelgen_ls.runner.service import FEATURES, RunnerService


@click.command()
@click.option("--stdio", is_flag=True, help="Serve one client over standard input and output.")
@click.option("--workers", type=click.IntRange(1, 256), help="Jobs that run at the same time.")
@click.option("--cache", type=click.Path(path_type=Path), help="Folder for results (default: the user's cache).")
@click.option("--no-cache", is_flag=True, help="Keep results in memory only.")
def runner(stdio: bool, workers: int | None, cache: Path | None, no_cache: bool) -> None:
    """Run the compile and measure service."""
    if not stdio:
        raise click.UsageError("say where to serve: --stdio")
    logging.basicConfig(level=logging.INFO, format="runner: %(levelname)s %(message)s")
    config = evolve(RunnerConfig(), cache=None if no_cache else cache or cache_folder())
    if workers is not None:
        config = evolve(config, workers=workers)
    asyncio.run(_serve_stdio(config))
    os._exit(0)  # without waiting for threads


async def _serve_stdio(config: RunnerConfig) -> None:
    service = RunnerService(config)
    try:
        await serve_stdio(service.handlers(), features=FEATURES)
    finally:
        await service.close()
