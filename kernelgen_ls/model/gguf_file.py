"""GGUF files, read carefully: what a file says of its model, and why llama.cpp should not be given it.

llama.cpp ends its process on some malformed files (no layers, an epsilon that is no number) and maps the rest into
memory, where a file cut short is a bus error. So a file is checked here first, from its header and its length alone.
The format is ggml's GGUF, versions 2 and 3, little-endian (docs/gguf.md of the ggml project).
"""

from __future__ import annotations

import hashlib
import math
import mmap
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

Value: TypeAlias = "int | float | bool | str | list[int | float | bool | str]"

_MAX_STRING = 1 << 24
_MAX_TENSORS = 1 << 16
_MAX_KEYS = 1 << 16
_KEPT_ARRAY = 512
"""Longer arrays (vocabularies) are only counted."""
_MAX_LAYERS = 512

_SCALARS: Mapping[int, str] = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d",
}  # fmt: skip
_STRING, _ARRAY = 8, 9

# Elements a block and bytes a block of each tensor type (ggml_type in ggml.h).
_BLOCKS: Mapping[int, tuple[str, int, int]] = {
    0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20), 6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24), 8: ("Q8_0", 32, 34), 9: ("Q8_1", 32, 36), 10: ("Q2_K", 256, 84), 11: ("Q3_K", 256, 110),
    12: ("Q4_K", 256, 144), 13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210), 15: ("Q8_K", 256, 292),
    16: ("IQ2_XXS", 256, 66), 17: ("IQ2_XS", 256, 74), 18: ("IQ3_XXS", 256, 98), 19: ("IQ1_S", 256, 50),
    20: ("IQ4_NL", 32, 18), 21: ("IQ3_S", 256, 110), 22: ("IQ2_S", 256, 82), 23: ("IQ4_XS", 256, 136),
    24: ("I8", 1, 1), 25: ("I16", 1, 2), 26: ("I32", 1, 4), 27: ("I64", 1, 8), 28: ("F64", 1, 8),
    29: ("IQ1_M", 256, 56), 30: ("BF16", 1, 2), 34: ("TQ1_0", 256, 54), 35: ("TQ2_0", 256, 66),
}  # fmt: skip

_NO_TEXT = frozenset(
    {"bert", "nomic-bert", "jina-bert-v2", "clip", "whisper", "t5encoder", "wavtokenizer-dec", "mmproj"}
)


class GgufError(ValueError):
    """The file cannot be used; the text says why and what to do."""


@frozen
class TensorInfo:
    """A tensor's place: ``offset`` and ``bytes`` within the tensor data; ``bytes`` is 0 for an unknown type."""

    name: str
    shape: tuple[int, ...]
    type_name: str
    offset: int
    bytes: int


@frozen
class GgufFile:
    """A file's header."""

    path: Path
    size: int
    version: int
    metadata: Mapping[str, Value]
    lengths: Mapping[str, int]
    """Lengths of the arrays of ``metadata``, the long ones that are not kept included."""
    tensors: tuple[TensorInfo, ...]
    data_start: int

    def text(self, key: str) -> str:
        """A text value, empty where there is none."""
        value = self.metadata.get(key, "")
        return value if isinstance(value, str) else ""

    def number(self, key: str) -> float | None:
        """A number, the largest of a list (some architectures give one a layer); None where there is none."""
        value = self.metadata.get(key)
        if isinstance(value, list):
            numbers = [entry for entry in value if isinstance(entry, (int, float))]
            return max(numbers, default=None)
        return value if isinstance(value, (int, float)) else None

    @property
    def architecture(self) -> str:
        """``general.architecture``."""
        return self.text("general.architecture")

    def parameter(self, name: str) -> float | None:
        """A hyperparameter of the architecture, e.g. ``block_count``."""
        return self.number(f"{self.architecture}.{name}")

    @property
    def name(self) -> str:
        """What the model calls itself, else the file's name."""
        return self.text("general.name") or self.path.stem

    @property
    def context(self) -> int:
        """Context length it was trained for, tokens; 0 where it does not say."""
        return int(self.parameter("context_length") or 0)

    @property
    def layers(self) -> int:
        """Number of blocks."""
        return int(self.parameter("block_count") or 0)

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""
        return self.lengths.get("tokenizer.ggml.tokens", 0)

    @property
    def parameters(self) -> int:
        """Number of weights."""
        return sum(math.prod(tensor.shape) for tensor in self.tensors)

    @property
    def quantisation(self) -> str:
        """The tensor type most of the bytes are in, e.g. ``Q4_K``."""
        totals: dict[str, int] = {}
        for tensor in self.tensors:
            totals[tensor.type_name] = totals.get(tensor.type_name, 0) + tensor.bytes
        return max(totals, key=lambda name: totals[name], default="")

    @property
    def cell_bytes(self) -> int:
        """Bytes of the KV cache for one token in 16 bits; 0 where the header does not say."""
        heads = self.parameter("attention.head_count") or 0
        width = self.parameter("embedding_length") or 0
        shared = self.parameter("attention.head_count_kv") or heads
        if not heads or not width:
            return 0
        key = self.parameter("attention.key_length") or width / heads
        value = self.parameter("attention.value_length") or width / heads
        return int(self.layers * shared * (key + value) * 2)

    @property
    def fingerprint(self) -> str:
        """Names this content for caches: a hash of the header, the size and a sample of every part of the weights."""
        digest = hashlib.sha256(f"{self.size}".encode())
        with self.path.open("rb") as file:
            digest.update(file.read(min(self.data_start, 1 << 20)))
            for part in range(64):
                file.seek(self.data_start + (self.size - self.data_start) * part // 64)
                digest.update(file.read(4096))
        return digest.hexdigest()[:24]

    @property
    def parts(self) -> tuple[Path, ...]:
        """All files of a model split over several (``name-00001-of-00003.gguf``), this one alone otherwise."""
        count = int(self.number("split.count") or 0)
        if count <= 1:
            return (self.path,)
        ending = f"-00001-of-{count:05d}"
        if not self.path.stem.endswith(ending):
            raise GgufError(f"{self.path.name} is one of {count} parts: choose the first (…{ending}.gguf)")
        stem = self.path.stem[: -len(ending)]
        return tuple(self.path.with_name(f"{stem}-{part:05d}-of-{count:05d}.gguf") for part in range(1, count + 1))


def read(path: Path) -> GgufFile:
    """Read a file's header and check that the file is whole. Raises :class:`GgufError`, and nothing else."""
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise GgufError(f"{path} is no file: give the path of a .gguf file")
        if size < 24:
            raise GgufError(f"{path.name} is {'empty' if not size else f'only {size} bytes long'}: fetch it again")
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
            return _Reader(view, path).file()
    except FileNotFoundError:
        raise GgufError(f"there is no file {path}: check the path, or run `kernelgen-ls model list`") from None
    except (OSError, ValueError) as error:
        if isinstance(error, GgufError):
            raise
        raise GgufError(f"{path} cannot be read: {error}") from error


def check(path: Path) -> GgufFile:
    """A header whose model llama.cpp can be given. Raises :class:`GgufError` for the first thing that is wrong."""
    file = read(path)
    _check_language_model(file)
    _check_numbers(file)
    for part in file.parts[1:]:
        read(part)
    return file


def _check_language_model(file: GgufFile) -> None:
    name = file.path.name
    if not file.architecture:
        raise GgufError(f"{name} does not say its architecture: it is no model file, or its conversion went wrong")
    if file.architecture in _NO_TEXT or file.text("general.type") in {"mmproj", "adapter", "imatrix"}:
        kind = file.text("general.type") or file.architecture
        raise GgufError(f"{name} ({kind}) does not write text: choose a language model")
    if not file.vocabulary:
        raise GgufError(f"{name} has no vocabulary: convert the model again, with its tokenizer")
    if not file.tensors:
        raise GgufError(f"{name} has no weights: choose a whole model, not a vocabulary file")


def _check_numbers(file: GgufFile) -> None:
    name = file.path.name
    for key in ("block_count", "embedding_length", "context_length"):
        value = file.parameter(key)
        if value is None or not 0 < value < 1 << 31:
            raise GgufError(f"{name}: {file.architecture}.{key} is {value}: the file is damaged or wrongly converted")
    heads = file.parameter("attention.head_count")
    if heads is not None and not 0 < heads <= 1 << 16:
        raise GgufError(f"{name}: {file.architecture}.attention.head_count is {heads}: the file is damaged")
    shared = file.parameter("attention.head_count_kv")
    if heads and shared is not None and not 0 < shared <= heads:
        raise GgufError(f"{name}: {file.architecture}.attention.head_count_kv is {shared}: the file is damaged")
    for key in ("attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"):
        epsilon = file.parameter(key)
        if epsilon is not None and not 0 < epsilon < 1:
            raise GgufError(f"{name}: {file.architecture}.{key} is {epsilon}: the file is damaged")
    base = file.parameter("rope.freq_base")
    if base is not None and not 0 < base < math.inf:
        raise GgufError(f"{name}: {file.architecture}.rope.freq_base is {base}: the file is damaged")
    _check_layers(file)


def _check_layers(file: GgufFile) -> None:
    name, layers = file.path.name, file.layers
    if layers > _MAX_LAYERS:
        raise GgufError(f"{name}: {layers} layers are more than llama.cpp takes: the file is damaged")
    numbers = {int(part) for tensor in file.tensors if (part := _block_number(tensor.name)).isdecimal()}
    if len(file.parts) == 1 and (not numbers or max(numbers) + 1 < layers):
        raise GgufError(
            f"{name} says it has {layers} layers and holds {max(numbers, default=-1) + 1}: the file is damaged"
        )
    embedding = next((tensor for tensor in file.tensors if tensor.name == "token_embd.weight"), None)
    if embedding is not None and len(embedding.shape) == 2 and embedding.shape[1] != file.vocabulary:
        raise GgufError(
            f"{name} has {file.vocabulary} tokens and embeddings for {embedding.shape[1]}: convert the model again"
        )


def _block_number(tensor: str) -> str:
    prefix, _, rest = tensor.partition(".")
    return rest.partition(".")[0] if prefix == "blk" else ""


class _Reader:
    """Reads a header from bytes, never past their end."""

    def __init__(self, view: mmap.mmap, path: Path) -> None:
        self._view = view
        self._path = path
        self._at = 0
        self._size = len(view)

    def _fail(self, what: str) -> GgufError:
        return GgufError(f"{self._path.name} {what}")

    def _take(self, count: int) -> int:
        at = self._at
        if count < 0 or count > self._size - at:
            raise self._fail("ends in the middle of its header: it is cut short or damaged; fetch it again")
        self._at += count
        return at

    def _scalar(self, layout: str) -> int | float | bool:
        at = self._take(struct.calcsize(layout))
        value: int | float | bool = struct.unpack_from(layout, self._view, at)[0]
        return value

    def _count(self, layout: str = "<Q") -> int:
        return int(self._scalar(layout))

    def _text(self) -> str:
        length = self._count()
        if length > _MAX_STRING:
            raise self._fail("has a text of impossible length: it is damaged; fetch it again")
        at = self._take(length)
        return self._view[at : at + length].decode("utf-8", "replace")

    def _check_distinct(self, count: int) -> None:
        """A vocabulary that has a token twice ends llama.cpp's process."""
        start = self._at
        self._skip_texts(count)
        at, view, seen, empty = start, self._view, set(), 0
        for _ in range(count):
            end = at + 8 + int.from_bytes(view[at : at + 8], "little")
            # llama.cpp reads a C string here, and gives empty ones names of their own.
            text = view[at + 8 : end].partition(b"\0")[0]
            empty += not text
            seen.add(text)
            at = end
        self._at = start
        if len(seen - {b""}) + empty < count:
            raise self._fail("has a token twice in its vocabulary: it is damaged or wrongly converted; fetch it again")

    def _skip_texts(self, count: int) -> None:
        view, at, size = self._view, self._at, self._size
        unpack = struct.Struct("<Q").unpack_from
        for _ in range(count):
            if at + 8 > size:
                break
            at += 8 + unpack(view, at)[0]
        if at > size or at < self._at:
            raise self._fail("ends in the middle of its header: it is cut short or damaged; fetch it again")
        self._at = at

    def _value(self, kind: int) -> Value:
        if kind == _STRING:
            return self._text()
        if kind in _SCALARS:
            return self._scalar(_SCALARS[kind])
        raise self._fail(f"holds a value of unknown type {kind}: it is damaged, or newer than this program")

    def _array(self, key: str) -> tuple[list[int | float | bool | str], int]:
        kind, count = self._count("<I"), self._count()
        if kind == _STRING:
            if count > (self._size - self._at) // 8:
                raise self._fail("has a list of impossible length: it is damaged; fetch it again")
            if key == "tokenizer.ggml.tokens":
                self._check_distinct(count)
            if count > _KEPT_ARRAY:
                self._skip_texts(count)
                return [], count
            return [self._text() for _ in range(count)], count
        if kind not in _SCALARS:
            raise self._fail(f"holds a list of unknown type {kind}: it is damaged, or newer than this program")
        width = struct.calcsize(_SCALARS[kind])
        if count > (self._size - self._at) // width:
            raise self._fail("has a list of impossible length: it is damaged; fetch it again")
        if count > _KEPT_ARRAY:
            self._take(count * width)
            return [], count
        return [self._scalar(_SCALARS[kind]) for _ in range(count)], count

    def file(self) -> GgufFile:
        """The whole header."""
        if self._view[:4] != b"GGUF":
            raise self._fail("is no GGUF file (its first bytes are not `GGUF`): convert the model with llama.cpp first")
        self._at = 4
        version = self._count("<I")
        if version in {1 << 24, 2 << 24, 3 << 24}:
            raise self._fail("is a big-endian GGUF file: convert it for this machine")
        if version not in {2, 3}:
            raise self._fail(f"is a GGUF file of version {version}; versions 2 and 3 can be read: convert it again")
        tensors, keys = self._count(), self._count()
        if tensors > _MAX_TENSORS or keys > _MAX_KEYS:
            raise self._fail("has an impossible number of entries: it is damaged; fetch it again")
        metadata, lengths = self._metadata(keys)
        alignment = metadata.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment <= 0 or alignment & (alignment - 1) or alignment > 1 << 20:
            raise self._fail(f"has an alignment of {alignment}: it is damaged; fetch it again")
        infos = tuple(self._tensor(alignment) for _ in range(tensors))
        start = -(-self._at // alignment) * alignment
        self._check_length(infos, start)
        return GgufFile(self._path, self._size, version, metadata, lengths, infos, start)

    def _metadata(self, keys: int) -> tuple[dict[str, Value], dict[str, int]]:
        metadata: dict[str, Value] = {}
        lengths: dict[str, int] = {}
        for _ in range(keys):
            key = self._text()
            kind = self._count("<I")
            if kind == _ARRAY:
                values, lengths[key] = self._array(key)
                metadata[key] = values
            else:
                metadata[key] = self._value(kind)
        return metadata, lengths

    def _tensor(self, alignment: int) -> TensorInfo:
        name = self._text()
        dimensions = self._count("<I")
        if not 0 < dimensions <= 4:
            raise self._fail(f"has a tensor {name!r} of {dimensions} dimensions: it is damaged; fetch it again")
        shape = tuple(self._count() for _ in range(dimensions))
        kind, offset = self._count("<I"), self._count()
        if any(not 0 < length < 1 << 40 for length in shape) or math.prod(shape) >= 1 << 50:
            raise self._fail(f"has a tensor {name!r} of impossible shape {shape}: it is damaged; fetch it again")
        if offset % alignment:
            raise self._fail(f"has a tensor {name!r} that is not aligned: it is damaged; fetch it again")
        if kind not in _BLOCKS:
            return TensorInfo(name, shape, f"type {kind}", offset, 0)
        type_name, elements, width = _BLOCKS[kind]
        if shape[0] % elements:
            raise self._fail(f"has a tensor {name!r} whose rows are no whole {type_name} blocks: it is damaged")
        return TensorInfo(name, shape, type_name, offset, math.prod(shape) // elements * width)

    def _check_length(self, infos: tuple[TensorInfo, ...], start: int) -> None:
        need = start + max((info.offset + info.bytes for info in infos), default=0)
        if need > self._size:
            raise self._fail(
                f"is cut short: {self._size:,} bytes of at least {need:,}; wait for it to be complete or fetch it again"
            )
