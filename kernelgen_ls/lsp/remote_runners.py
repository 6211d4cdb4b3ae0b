"""The runners that the user's settings name: one client each, made when first needed, its state in the status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kernelgen_ls.lsp.status import RunnerPart
from kernelgen_ls.settings import RunnerSettings, Settings, Transport

if TYPE_CHECKING:
    from kernelgen_ls.lsp.session import Session
    from kernelgen_ls.runner.client import OpenLink, RunnerClient, RunnerStatus


class RemoteRunners:
    """Clients by the names of the settings."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._clients: dict[str, RunnerClient] = {}
        session.on_settings(self._settings_changed)

    def client(self, name: str) -> RunnerClient | None:
        """The runner of that name; None, said once, when the settings know none."""
        if not name:
            return None
        if name not in self._clients:
            known = {one.name: one for one in self._session.settings.runners.pool}
            if name not in known:
                self._session.say(
                    f"There is no runner '{name}' in kernelgen.runners.pool (known: {', '.join(known) or 'none'})."
                )
                return None
            from kernelgen_ls.runner.client import RunnerClient

            self._clients[name] = RunnerClient(name, _open_link(known[name]), on_status=self._on_status)
        return self._clients[name]

    async def close(self) -> None:
        """End every connection."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.close()

    def _on_status(self, status: RunnerStatus) -> None:
        if status.name not in self._clients:
            return
        reason = f"{status.reason}. {status.advice}" if status.reason and status.advice else status.reason
        parts = {part.name: part for part in self._session.status.status.runners}
        parts[status.name] = RunnerPart(status.name, status.state.value, reason)
        self._session.status.update(runners=tuple(parts.values()))

    def _settings_changed(self, old: Settings, new: Settings) -> None:
        if old.runners.pool != new.runners.pool:
            self._session.status.update(runners=())
            self._session.spawn(self.close(), "end of the runners' connections after a change of settings")


def _open_link(settings: RunnerSettings) -> OpenLink:
    from kernelgen_ls.runner.client import Link, UnreachableError
    from kernelgen_ls.runner.transports import SshAddress, TlsAddress, open_ssh, open_tls

    async def open_it() -> Link:
        if settings.transport is Transport.SSH:
            return await open_ssh(SshAddress(settings.host, settings.program))
        if settings.transport is Transport.TLS:
            return await open_tls(
                TlsAddress(
                    settings.host,
                    settings.port,
                    authority=_file(settings.authority),
                    certificate=_file(settings.certificate),
                    key=_file(settings.key),
                    token_command=settings.token_command,
                )
            )
        raise UnreachableError(
            f"the runner '{settings.name}' has the transport 'local'", "Only ssh and tls runners are named in the pool."
        )

    return open_it


def _file(name: str) -> Path | None:
    return Path(name).expanduser() if name else None
