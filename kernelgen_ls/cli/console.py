"""What a command prints, on whatever console there is."""

from __future__ import annotations

import io
import json
import sys

import click


def accept_every_character() -> None:
    """Let standard output take every text: what its encoding cannot say is replaced.

    A redirected output on a Chinese Windows is GBK, and a file's name may be no Unicode at all: neither ends a command.
    Standard error is like that by itself.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def print_json(value: object, *, indent: int | None = None) -> None:
    """Print plain ``value`` as JSON, with escapes in ASCII where the output is not in UTF-8 or cannot say it.

    A replaced character would be another value to the program that reads it.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    encoding = (sys.stdout.encoding or "").lower()
    try:
        text.encode(encoding if encoding.startswith("utf") else "ascii")
    except UnicodeEncodeError:
        text = json.dumps(value, ensure_ascii=True, indent=indent)
    click.echo(text)
