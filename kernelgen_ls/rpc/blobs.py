"""Large content by its SHA-256: only what the peer lacks travels, and what it keeps is bounded.

The receiving side serves ``blob_handlers(store)``; the sending side calls :func:`send_blobs` and repeats it where a
later call answers ``BLOB_MISSING`` (the store is a cache and may have dropped one in between).
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping

from kernelgen_ls.rpc.connection import Call, Connection, Handler
from kernelgen_ls.rpc.errors import ErrorCode, RpcError

_HASHES_A_CALL = 10_000


def blob_hash(data: bytes) -> str:
    """The lower-case hexadecimal SHA-256 that names ``data``."""
    return hashlib.sha256(data).hexdigest()


def parts_hash(parts: Iterable[str]) -> str:
    """The SHA-256 of texts in their order, as hex; none can run into the next."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()


class BlobStore:
    """Content by hash in memory, least recently used dropped beyond ``max_bytes``; one blob at most ``max_blob``."""

    def __init__(self, max_bytes: int = 256 * 1024 * 1024, max_blob: int = 8 * 1024 * 1024) -> None:
        self.max_bytes = max_bytes
        self.max_blob = max_blob
        self.size = 0
        self._blobs: OrderedDict[str, bytes] = OrderedDict()

    def __contains__(self, name: str) -> bool:
        return name in self._blobs

    def get(self, name: str) -> bytes | None:
        """The content named ``name``, or None where it was never put or has been dropped."""
        data = self._blobs.get(name)
        if data is not None:
            self._blobs.move_to_end(name)
        return data

    def put(self, data: bytes) -> str:
        """Keep ``data``; returns its name. Raises :class:`RpcError` TOO_LARGE over ``max_blob``."""
        if len(data) > self.max_blob:
            raise RpcError(ErrorCode.TOO_LARGE, f"a file of {len(data)} bytes; this side takes {self.max_blob}")
        name = blob_hash(data)
        if name not in self._blobs:
            self._blobs[name] = data
            self.size += len(data)
            while self.size > self.max_bytes:
                self.size -= len(self._blobs.popitem(last=False)[1])
        return name


def blob_handlers(store: BlobStore) -> dict[str, Handler]:
    """``blob.missing {hashes} -> [hash]`` and ``blob.put {hash, data}`` over ``store``."""

    async def missing(call: Call) -> object:
        match call.params:
            case {"hashes": [*hashes]} if len(hashes) <= _HASHES_A_CALL and all(isinstance(h, str) for h in hashes):
                return [name for name in hashes if store.get(name) is None]
        raise RpcError(ErrorCode.INVALID_PARAMS, f"blob.missing wants up to {_HASHES_A_CALL} hashes")

    async def put(call: Call) -> object:
        match call.params:
            case {"hash": str(name), "data": bytes(data)}:
                if blob_hash(data) != name:
                    raise RpcError(
                        ErrorCode.INVALID_PARAMS, "blob.put: the content does not have the hash it is named by"
                    )
                store.put(data)
                return None
        raise RpcError(ErrorCode.INVALID_PARAMS, "blob.put wants a hash and its bytes")

    return {"blob.missing": missing, "blob.put": put}


async def send_blobs(connection: Connection, blobs: Mapping[str, bytes]) -> int:
    """Send the peer those of ``blobs`` (hash to content) that it lacks; returns the number of bytes sent."""
    names = list(blobs)
    sent = 0
    for at in range(0, len(names), _HASHES_A_CALL):
        for name in await connection.call("blob.missing", {"hashes": names[at : at + _HASHES_A_CALL]}):
            if name in blobs:
                await connection.call("blob.put", {"hash": name, "data": blobs[name]})
                sent += len(blobs[name])
    return sent
