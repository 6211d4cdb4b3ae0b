"""``kernelgen-ls settings``: what can be set, as a table, JSON schema or Markdown, or what holds now."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kernelgen_ls.cli.console import print_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="The JSON schema that the editors use.")
@click.option("--markdown", "as_markdown", is_flag=True, help="The settings page.")
@click.option(
    "--root",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="The project whose .kernelgen.json counts (default: this folder).",
)
def settings(as_json: bool, as_markdown: bool, root: Path) -> None:
    """Print every setting; without an option, the values that hold here."""
    from kernelgen_ls.settings import all_settings, camel, load, project_folder, user_file
    from kernelgen_ls.settings.schema import json_schema, markdown, plain

    if as_json:
        print_json(json_schema(), indent=2)
        return
    if as_markdown:
        click.echo(markdown(), nl=False)
        return
    values, problems = load(project_folder(root))
    sections = plain(values)
    for setting in all_settings():
        section, _, key = setting.name.partition(".")
        value = sections[camel(section)][key]
        mark = "" if value == plain(setting.default) else "  (set)"
        click.echo(f"{setting.name} = {json.dumps(value, ensure_ascii=False)}{mark}")
    click.echo(f"\nuser's file: {user_file()}", err=True)
    for problem in problems:
        click.echo(problem.message, err=True)
