"""``kernelgen-ls serve``."""

from __future__ import annotations

import gc
import logging
import os
import sys

import click

from kernelgen_ls.cli.options import model_worker_option

LEVELS = ("error", "warning", "info", "debug")


@click.command()
@click.option("--stdio", is_flag=True, help="Serve over standard input and output (the only way; editors pass it).")
@click.option("--log-level", type=click.Choice(LEVELS), help="Log from this level on, whatever log.level says.")
@model_worker_option
def serve(stdio: bool, log_level: str | None, model_worker: tuple[str, ...] | None) -> None:
    """Run the language server; an editor starts this and speaks to it over its pipes."""
    del stdio
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("kernelgen_ls").setLevel((log_level or "warning").upper())
    # pygls logs whole messages: user code does not belong into a log. Errors of handlers are logged by the server.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    # Importing builds thousands of classes that stay for ever: collecting among them costs a fifth of the start.
    gc.disable()
    from kernelgen_ls.lsp.transport.fast_start import kept_code

    with kept_code():
        from kernelgen_ls.lsp.server import run_stdio

    gc.freeze()
    gc.enable()
    code = run_stdio(model_worker, log_level or "")
    logging.shutdown()
    # The reader's thread may be blocked in a read of the client's pipe for ever; nothing is left to be cleaned up.
    sys.stderr.flush()
    os._exit(code)
