"""``kernelgen-ls records``: what was recorded of generations on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import NoAnswerError
from kernelgen_ls.folders import write_text
from kernelgen_ls.model.generation.records import ExportFormat, export, read_records, records_file


@click.group()
def records() -> None:
    """Records of generations (kept only where the setting generation.records is on)."""


@records.command()
def path() -> None:
    """Print where they are kept."""
    click.echo(records_file())


@records.command("export")
@click.option("--format", "layout", type=click.Choice([layout.value for layout in ExportFormat]), required=True)
@click.option("--records", "source", type=click.Path(path_type=Path), help="Another file of records.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write; default: standard output.")
def export_command(layout: str, source: Path | None, out: Path | None) -> None:
    """Write training examples as JSON lines, in the layout that TRL reads."""
    file = source or records_file()
    if not file.is_file():
        raise NoAnswerError(
            f"nothing is recorded: {file} is not there. Turn the setting generation.records on and generate."
        )
    examples = list(export(read_records(file), ExportFormat(layout)))
    if out is None:
        for example in examples:
            print_json(example)
    else:
        write_text(out, "".join(json.dumps(example, ensure_ascii=False) + "\n" for example in examples))
    click.echo(f"{len(examples)} examples", err=True)
