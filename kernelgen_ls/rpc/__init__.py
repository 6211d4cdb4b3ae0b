"""msgpack-RPC between this project's processes: frames, limits, calls, cancellation, progress.

Knows nothing of kernels, models or editors. ``Connection`` works over any asyncio stream pair; ``spawn`` and
``serve_stdio`` are its two ends over a child's pipes; ``blobs`` moves large content by hash.
"""

from kernelgen_ls.rpc.blobs import BlobStore, blob_handlers, blob_hash, parts_hash, send_blobs
from kernelgen_ls.rpc.connection import Call, Connection, Handler
from kernelgen_ls.rpc.errors import ErrorCode, RpcError
from kernelgen_ls.rpc.frames import MAGIC, Limits
from kernelgen_ls.rpc.hello import PROTOCOL, Hello
from kernelgen_ls.rpc.process import Child, serve_stdio, spawn

__all__ = [
    "MAGIC",
    "PROTOCOL",
    "BlobStore",
    "Call",
    "Child",
    "Connection",
    "ErrorCode",
    "Handler",
    "Hello",
    "Limits",
    "RpcError",
    "blob_handlers",
    "blob_hash",
    "parts_hash",
    "send_blobs",
    "serve_stdio",
    "spawn",
]
