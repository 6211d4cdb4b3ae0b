"""Options that several commands take."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def model_worker_option(command: F) -> F:
    """``--model-worker``, for tests and benchmarks: the command line of another worker, as a tuple or None."""
    return click.option(
        "--model-worker",
        envvar="KERNELGEN_MODEL_WORKER",
        hidden=True,
        callback=lambda _context, _option, value: tuple(shlex.split(value)) if value else None,
        help="Another model worker (tests).",
    )(command)
