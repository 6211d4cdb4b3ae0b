"""Who may use a listening runner: a token as the first call, before anything else is served."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve

from kernelgen_ls.rpc import Call, Connection, ErrorCode, Handler, Limits, RpcError

AUTH_SECONDS = 10.0
_WRONG_TOKENS = 3
_STRANGERS_FRAME = 4096


def token_hash(token: str) -> str:
    """What a runner keeps of a token: its lower-case hexadecimal SHA-256."""
    return hashlib.sha256(token.encode()).hexdigest()


def read_token(file: Path | None, command: Sequence[str]) -> str:
    """The token in ``file``, or what ``command`` prints; stripped. Raises ValueError where there is none."""
    if file is not None:
        try:
            token = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as problem:
            raise ValueError(f"the token file cannot be read: {problem}") from problem
    else:
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=True)
            token = done.stdout.decode("utf-8", "replace").strip()
        except (OSError, subprocess.SubprocessError) as problem:
            raise ValueError(f"the token command {command[0]!r} failed: {problem}") from problem
    if len(token) < 16:
        raise ValueError("a token has 16 characters at least")
    return token


class Gate:
    """Lets nothing but ``auth {token}`` through on one connection until the token was right.

    ``users`` maps the hashes of tokens to users' names. Until then the peer is held to small frames; it has
    ``AUTH_SECONDS`` and three attempts.
    """

    def __init__(self, users: Mapping[str, str], handlers: Mapping[str, Handler]) -> None:
        self._users = users
        self._full: Limits | None = None
        self._attempts = 0
        self.user: str | None = None
        self.handlers: dict[str, Handler] = {name: self._guarded(handler) for name, handler in handlers.items()}
        self.handlers["auth"] = self._auth

    async def watch(self, connection: Connection) -> None:
        """Hold ``connection`` to small frames, and end it where nobody authenticated in time."""
        self._full = connection.limits
        connection.limits = evolve(connection.limits, frame_bytes=_STRANGERS_FRAME)
        await asyncio.sleep(AUTH_SECONDS)
        if self.user is None:
            await connection.close()

    def _guarded(self, handler: Handler) -> Handler:
        async def guarded(call: Call) -> object:
            if self.user is None:
                raise RpcError(ErrorCode.UNAUTHORISED, "this runner wants a token first")
            return await handler(call)

        return guarded

    async def _auth(self, call: Call) -> object:
        token = call.params.get("token")
        given = token_hash(token if isinstance(token, str) else "")
        user = next((name for known, name in self._users.items() if hmac.compare_digest(known, given)), None)
        if user is None:
            self._attempts += 1
            if self._attempts >= _WRONG_TOKENS:
                asyncio.get_running_loop().call_later(0.1, lambda: asyncio.ensure_future(call.connection.close()))
            raise RpcError(ErrorCode.UNAUTHORISED, "the runner does not know this token")
        self.user = user
        if self._full is not None:
            call.connection.limits = self._full
        return {"user": user}
