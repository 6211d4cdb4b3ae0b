"""A start that compiles nothing twice.

``lsprotocol`` makes some 570 attrs classes, and attrs writes and compiles a piece of Python for each: 0.2 s of every
start, nearly always the same code. Here the compiled pieces are kept in the user's cache, keyed by the source they come
from, as Python keeps modules in ``__pycache__``. Without the file, with a damaged one, or when attrs no longer compiles
this way, the start is merely slower.
"""

from __future__ import annotations

import importlib.util
import marshal
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType
from typing import Any

from kernelgen_ls.folders import cache_folder, write_bytes

_SUM_BYTES = 4


@contextmanager
def kept_code() -> Iterator[None]:
    """Within the block attrs takes compiled code from the cache and what is new is added to it at the end."""
    import attr._make as make

    path = _file()
    known = _read(path)
    used: dict[str, CodeType] = {}
    fresh = 0

    def compile_once(source: Any, filename: Any, mode: str, *rest: Any, **more: Any) -> Any:
        nonlocal fresh
        if mode != "exec" or rest or more or not isinstance(source, str):
            return compile(source, filename, mode, *rest, **more)
        code = known.get(source) or used.get(source)
        if code is None:
            code = compile(source, filename, mode)
            fresh += 1
        used[source] = code
        return code

    vars(make)["compile"] = compile_once
    try:
        yield
    finally:
        del vars(make)["compile"]
        # A few pieces are another text in each process; they are not worth a longer file at every start.
        if 2 * fresh > len(used):
            _write(path, used)


def _file() -> Path:
    name = f"start-{sys.implementation.cache_tag}-{importlib.util.MAGIC_NUMBER.hex()}.bin"
    return cache_folder() / name


def _read(path: Path) -> dict[str, CodeType]:
    try:
        data = path.read_bytes()
    except OSError:
        return {}
    if len(data) < _SUM_BYTES or zlib.crc32(data[_SUM_BYTES:]).to_bytes(_SUM_BYTES, "big") != data[:_SUM_BYTES]:
        return {}  # unmarshalling damaged data could end the process
    found = marshal.loads(data[_SUM_BYTES:])  # noqa: S302  # the user's own cache, like Python's own __pycache__
    return found if isinstance(found, dict) else {}


def _write(path: Path, code: dict[str, CodeType]) -> None:
    data = marshal.dumps(code)
    with suppress(OSError):
        write_bytes(path, zlib.crc32(data).to_bytes(_SUM_BYTES, "big") + data, durable=False)
