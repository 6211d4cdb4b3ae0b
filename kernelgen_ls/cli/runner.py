"""``kernelgen-ls runner``: serve compile and measure jobs, and make the certificates for it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shlex
import signal
from pathlib import Path

import click
from attrs import evolve

from kernelgen_ls.cli.errors import NoAnswerError
from kernelgen_ls.rpc import RpcError, serve_stdio
from kernelgen_ls.runner.client.client import cache_folder
from kernelgen_ls.runner.execution.sandbox import remove_orphans
from kernelgen_ls.runner.jobs.config import RunnerConfig, read_config
from kernelgen_ls.runner.server.access import read_token, token_hash
from kernelgen_ls.runner.server.listen import ListenConfig, Listener, is_loopback, parse_address
from kernelgen_ls.runner.server.metrics import serve_metrics
from kernelgen_ls.runner.server.service import RunnerService
from kernelgen_ls.runner.toolchains import TOOLCHAINS

log = logging.getLogger("kernelgen_ls.runner")

_FILE = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.group(invoke_without_command=True)
@click.option("--stdio", is_flag=True, help="Serve one client over standard input and output (what ssh starts).")
@click.option("--listen", metavar="HOST:PORT", help="Serve any number of clients over TLS 1.3.")
@click.option("--config", "config_file", type=_FILE, help="Configuration file (JSON); options here win.")
@click.option(
    "--toolchain",
    type=click.Choice(sorted(TOOLCHAINS)),
    help="Who compiles (default: cann where it is installed, else embedded).",
)
@click.option("--workers", type=click.IntRange(1, 256), help="Jobs that run at the same time.")
@click.option("--cache", type=click.Path(path_type=Path), help="Folder for results (default: the user's cache).")
@click.option("--no-cache", is_flag=True, help="Keep results in memory only.")
@click.option("--record", type=click.Path(path_type=Path), help="Record for the tool chains replay and record.")
@click.option("--cert", type=_FILE, help="This runner's certificate.")
@click.option("--key", type=_FILE, help="The certificate's private key.")
@click.option("--client-ca", type=_FILE, help="Want a certificate of this authority from every client.")
@click.option("--token-file", type=_FILE, help="Want the token in this file from every client.")
@click.option("--token-command", help="Want the token that this command prints from every client.")
@click.option("--metrics", metavar="HOST:PORT", help="Serve Prometheus text at /metrics; loopback only.")
@click.option("--log-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def runner(
    context: click.Context,
    stdio: bool,
    listen: str | None,
    config_file: Path | None,
    toolchain: str | None,
    workers: int | None,
    cache: Path | None,
    no_cache: bool,
    record: Path | None,
    cert: Path | None,
    key: Path | None,
    client_ca: Path | None,
    token_file: Path | None,
    token_command: str | None,
    metrics: str | None,
    log_format: str,
) -> None:
    """Run the compile and measure service: beside an editor, behind ssh, or for a network.

    Stops gently on SIGTERM: running jobs end, new ones are refused.
    """
    if context.invoked_subcommand is not None:
        return
    if stdio == (listen is not None):
        raise click.UsageError("say where to serve: --stdio, or --listen HOST:PORT")
    set_up_log(log_format)
    try:
        default = toolchain or found_toolchain()
        config = read_config(config_file, default) if config_file else RunnerConfig(default)
        kept = None if no_cache else cache or config.cache or cache_folder()
        config = evolve(
            config,
            cache=kept,
            toolchain=toolchain or config.toolchain,
            toolchains={} if toolchain else config.toolchains,
            workers=workers or config.workers,
            record=record or config.record,
        )
        if listen is None:
            work = _serve_stdio(config)
        else:
            users = dict(config.users)
            if token_file or token_command:
                users[token_hash(read_token(token_file, shlex.split(token_command) if token_command else ()))] = "token"
            address = ListenConfig(*parse_address(listen), cert, key, client_ca, users)
            config = evolve(config, nice=config.nice or 5, confined=True)
            work = _serve_network(config, address, parse_address(metrics) if metrics else None)
        asyncio.run(work)
    except ValueError as problem:
        raise NoAnswerError(str(problem)) from problem
    except RpcError as problem:
        raise NoAnswerError(f"the client is no kernelgen-ls: {problem}") from problem
    logging.shutdown()
    os._exit(0)  # without waiting for threads


@runner.command("init-certs")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--host", "hosts", multiple=True, required=True, help="Name or address the runner is reached by.")
@click.option("--client", "clients", multiple=True, help="A client to make a certificate for; may be repeated.")
@click.option("--days", default=825, show_default=True, type=click.IntRange(1, 3650))
def init_certs(folder: Path, hosts: tuple[str, ...], clients: tuple[str, ...], days: int) -> None:
    """Make a small certificate authority in FOLDER: ca, server, and one pair for each client.

    Run it again with further --client names to add clients.
    """
    try:
        from kernelgen_ls.runner.server.certs import write_certificates
    except ImportError as problem:
        message = "making certificates needs the package cryptography: pip install 'kernelgen-ls[runner]'"
        raise NoAnswerError(message) from problem
    try:
        written = write_certificates(folder, hosts, clients, days)
    except (OSError, ValueError) as problem:
        raise NoAnswerError(str(problem)) from problem
    for path in written:
        click.echo(path)
    if clients:
        click.echo(
            f"Give each client {folder / 'ca.pem'} and its own .pem and .key; keep ca.key to yourself.", err=True
        )


def found_toolchain() -> str:
    """The tool chain for a runner that names none: CANN where it is installed."""
    from kernelgen_ls.runner.toolchains.cann.install import has_cann

    return "cann" if has_cann() else "embedded"


async def _serve_stdio(config: RunnerConfig) -> None:
    remove_orphans()
    service = RunnerService(config)
    try:
        await serve_stdio(service.handlers(), features=service.features)
    finally:
        await service.close()


async def _serve_network(config: RunnerConfig, address: ListenConfig, metrics: tuple[str, int] | None) -> None:
    if metrics is not None and not is_loopback(metrics[0]):
        raise ValueError(f"metrics are served on loopback only, not on {metrics[0]}")
    removed = remove_orphans()
    if removed:
        log.info("removed %d folders of jobs whose worker is gone", removed)
    service = RunnerService(config)
    listener = Listener(service, address)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    port = await listener.start()
    click.echo(f"kernelgen-ls runner: listening on {address.host}:{port}", err=True)
    pages = None
    if metrics is not None:
        service.metrics.gauges.update(
            connections=lambda: listener.connections,
            running=lambda: service.pools.running,
            waiting=lambda: service.pools.waiting,
            blob_bytes=lambda: service.blobs.size,
        )
        pages = await serve_metrics({"/metrics": service.metrics.text}, *metrics)
    await stop.wait()
    log.info("draining: running jobs end, new ones are refused")
    await listener.stop_accepting()
    await service.drain()
    if pages is not None:
        pages.close()
    await listener.close()
    await service.close()
    remove_orphans()
    log.info("stopped")


class _JsonLines(logging.Formatter):
    """One JSON object a line, for whoever collects logs."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {"at": round(record.created, 3), "level": record.levelname.lower(), "logger": record.name}
        entry["message"] = record.getMessage()
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def set_up_log(kind: str) -> None:
    """Log to standard error: readable lines, or JSON ones."""
    handler = logging.StreamHandler()
    text = logging.Formatter("runner: %(levelname)s %(message)s")
    handler.setFormatter(_JsonLines() if kind == "json" else text)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
