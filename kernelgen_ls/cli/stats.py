"""``kernelgen-ls stats``: how often ghost text was asked for, shown and accepted on this machine."""

from __future__ import annotations

import attrs
import click

from kernelgen_ls.cli.console import print_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def stats(as_json: bool) -> None:
    """Print how often proposals were shown and accepted. The counts never leave this machine."""
    from kernelgen_ls.model.completion.usage import Usage, usage_file

    counts = Usage(usage_file()).counts
    if as_json:
        print_json(attrs.asdict(counts))
        return
    click.echo(f"requests             {counts.requests:>9,}")
    click.echo(
        f"answered             {counts.answered:>9,}   {_share(counts.answered, counts.requests)} of the requests"
    )
    click.echo(f"  from the cache     {counts.from_cache:>9,}   {_share(counts.from_cache, counts.answered)} of these")
    click.echo(f"shown                {counts.shown:>9,}")
    click.echo(f"accepted             {counts.accepted:>9,}   {_share(counts.accepted, counts.shown)} of those shown")
    click.echo(f"partly accepted      {counts.partly_accepted:>9,}")
    click.echo(
        f"characters accepted  {counts.accepted_characters:>9,}   "
        f"{_share(counts.accepted_characters, counts.shown_characters)} of those shown"
    )
    click.echo(f"({usage_file()})")


def _share(part: int, whole: int) -> str:
    return f"{part / whole:4.0%}" if whole else "   -"
