"""A click group that imports a command only when it runs: ``kernelgen-ls serve`` must not pay for the others."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click
from attrs import frozen


@frozen
class Entry:
    """Where a command stands (``package.module:attribute``) and its one line of help."""

    target: str
    help: str


class LazyGroup(click.Group):
    """A group over a table of entries."""

    def __init__(self, *args: Any, entries: Mapping[str, Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command's name, in the table's order."""
        return list(self._entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        entry = self._entries.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, importing none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self._entries.items()])
