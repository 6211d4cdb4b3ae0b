"""``kernelgen-ls demo``: the main jobs of the server, shown in the terminal by the real server over its pipes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from kernelgen_ls.cli.errors import ExitStatus


@click.command()
@click.option("--model", "model_path", type=click.Path(path_type=Path), help="GGUF file; default: the chosen model.")
@click.option("--generate/--no-generate", default=None, help="Generate and fix too (default: with the starter alone).")
def demo(model_path: Path | None, generate: bool | None) -> None:
    """Complete, check, fix and generate a kernel with the model in use."""
    from kernelgen_ls.demo.show import show

    right = asyncio.run(show(model_path, generate))
    raise SystemExit(ExitStatus.DONE if right else ExitStatus.WRONG)
