"""A model hub on this machine that speaks what Hugging Face and ModelScope speak, and can drop connections."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Hub:
    """Serves one repository ``me/kernels``; drops the next connections after as many bytes as ``drops`` says."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.drops: list[int] = []
        self.wrong_checksum = False
        self.ranges: list[str] = []
        self.address = ""

    def sha256(self, name: str) -> str:
        digest = hashlib.sha256(self.files[name]).hexdigest()
        return digest[::-1] if self.wrong_checksum else digest

    def describe(self, path: str) -> object | None:
        if path.startswith("/api/models/me/kernels"):
            siblings = [
                {
                    "rfilename": name,
                    "size": len(content),
                    "blobId": "0" * 40,
                    "lfs": {"sha256": self.sha256(name), "size": len(content), "pointerSize": 130},
                }
                for name, content in self.files.items()
            ]
            return {"id": "me/kernels", "modelId": "me/kernels", "sha": "1" * 40, "siblings": siblings}
        if path.startswith("/api/v1/models/me/kernels/repo/files"):
            entries = [
                {"Path": name, "Size": len(content), "Sha256": self.sha256(name), "Type": "blob"}
                for name, content in self.files.items()
            ]
            return {"Code": 200, "Data": {"Files": entries}}
        return None


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            return

        def do_HEAD(self) -> None:
            self.answer(body=False)

        def do_GET(self) -> None:
            self.answer(body=True)

        def answer(self, *, body: bool) -> None:
            described = hub.describe(self.path)
            if described is not None:
                raw = json.dumps(described).encode()
                self.head(200, len(raw))
                self.wfile.write(raw if body else b"")
                return
            name = self.path.partition("?")[0].rpartition("/")[2]
            content = hub.files.get(name) if "/me/kernels/resolve/" in self.path else None
            if content is None:
                self.head(404, 0)
                return
            asked = self.headers.get("Range", "")
            start = int(asked.removeprefix("bytes=").partition("-")[0]) if asked else 0
            if body:
                hub.ranges.append(asked)
            self.head(206 if asked else 200, len(content) - start, name, (start, len(content)) if asked else None)
            if body:
                self.send(content[start:])

        def head(self, status: int, length: int, name: str = "", part: tuple[int, int] | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(length))
            if name:
                self.send_header("ETag", f'"{hub.sha256(name)}"')
                self.send_header("X-Repo-Commit", "1" * 40)
                self.send_header("Accept-Ranges", "bytes")
            if part is not None:
                self.send_header("Content-Range", f"bytes {part[0]}-{part[1] - 1}/{part[1]}")
            self.end_headers()

        def send(self, content: bytes) -> None:
            if hub.drops:
                self.wfile.write(content[: hub.drops.pop(0)])
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
                return
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
