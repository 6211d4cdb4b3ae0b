"""Writes a trained network as a GGUF that llama.cpp runs, in Q8_0, and proves the two agree token for token."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import gguf
import numpy as np
import torch
from attrs import frozen
from torch import nn

from kernelgen_ls.training.network import Network
from kernelgen_ls.training.tokenizer import SPECIALS, StarterTokenizer

NAME = "kernelgen-starter"
DESCRIPTION = (
    "A small AscendC model trained only on kernels that the kernelgen-ls project wrote or generated. It is a starter: "
    "KernelGen-LM writes far better kernels."
)
LICENCE = "Apache-2.0"
PRE_TOKENIZER = "superbpe"
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}"
)
_BLOCKS = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}  # fmt: skip
_OUTER = {"embed_tokens.weight": "token_embd.weight", "norm.weight": "output_norm.weight"}


def tensor_name(name: str) -> str:
    """GGUF's name of a parameter of ``Network``."""
    if name in _OUTER:
        return _OUTER[name]
    match = re.fullmatch(r"layers\.(\d+)\.(.+)\.weight", name)
    if match is None or match.group(2) not in _BLOCKS:
        raise ValueError(f"There is no GGUF name for the parameter {name}.")
    return f"blk.{match.group(1)}.{_BLOCKS[match.group(2)]}.weight"


def quantised(values: np.ndarray) -> np.ndarray:
    """A matrix in Q8_0 blocks of 32 (rows must be a multiple of that)."""
    return np.asarray(gguf.quants.quantize(values.astype(np.float32), gguf.GGMLQuantizationType.Q8_0))


def rounded(x: torch.Tensor) -> torch.Tensor:
    """Activations as llama.cpp multiplies them with Q8_0 weights: 8 bits in blocks of 32, with a scale in half."""
    blocks = x.reshape(-1, 32)
    largest = blocks.abs().amax(-1, keepdim=True)
    steps = torch.round(blocks * torch.where(largest > 0, 127 / largest, torch.zeros_like(largest)))
    return (steps * (largest / 127).half().float()).reshape(x.shape)


def dequantised(network: Network) -> Network:
    """A copy that computes what llama.cpp does with the Q8_0 file: rounded matrices, rounded inputs to each of them."""
    copy = Network(network.config)
    state = network.state_dict()
    for name, value in state.items():
        if value.ndim == 2:
            blocks = quantised(value.numpy())
            state[name] = torch.from_numpy(np.array(gguf.quants.dequantize(blocks, gguf.GGMLQuantizationType.Q8_0)))
    copy.load_state_dict(state)
    copy.rounding = rounded
    for module in copy.modules():
        if isinstance(module, nn.Linear):
            module.register_forward_pre_hook(lambda _, inputs: (rounded(inputs[0]),))
    copy.eval()
    return copy


def export(network: Network, tokenizer: StarterTokenizer, path: Path, *, description: str, context: int = 2048) -> None:
    """Write the GGUF."""
    config = network.config
    writer = gguf.GGUFWriter(str(path), "qwen3")
    writer.add_name(NAME)
    writer.add_description(description)
    writer.add_license(LICENCE)
    writer.add_size_label(f"{network.parameters_count() / 1e6:.1f}M")
    writer.add_context_length(context)
    writer.add_embedding_length(config.width)
    writer.add_block_count(config.layers)
    writer.add_feed_forward_length(config.feed_forward)
    writer.add_head_count(config.heads)
    writer.add_head_count_kv(config.kv_heads)
    writer.add_key_length(config.head_size)
    writer.add_value_length(config.head_size)
    writer.add_rope_freq_base(config.rope_base)
    writer.add_layer_norm_rms_eps(config.epsilon)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    _add_tokenizer(writer, tokenizer)
    for name, parameter in network.state_dict().items():
        values = parameter.numpy().astype(np.float32)
        if values.ndim == 2:
            writer.add_tensor(tensor_name(name), quantised(values), raw_dtype=gguf.GGMLQuantizationType.Q8_0)
        else:
            writer.add_tensor(tensor_name(name), values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_tokenizer(writer: gguf.GGUFWriter, tokenizer: StarterTokenizer) -> None:
    size = tokenizer.size
    merges = json.loads(tokenizer.inner.to_str())["model"]["merges"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(PRE_TOKENIZER)
    writer.add_token_list([tokenizer.piece(token) for token in range(size)])
    # As in Qwen3's own vocabulary: the marks of the reasoning are part of the text, every other special token is not.
    special = {"<think>": gguf.TokenType.USER_DEFINED, "</think>": gguf.TokenType.USER_DEFINED}
    kinds = [special.get(name, gguf.TokenType.CONTROL) for name in SPECIALS]
    kinds += [gguf.TokenType.NORMAL] * (size - len(SPECIALS))
    writer.add_token_types(kinds)
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
    writer.add_bos_token_id(tokenizer.special("<|endoftext|>"))
    writer.add_eos_token_id(tokenizer.special("<|im_end|>"))
    writer.add_pad_token_id(tokenizer.special("<|endoftext|>"))
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)


def greedy(network: Network, prompt: Sequence[int], count: int, end: int) -> list[int]:
    """Torch's greedy continuation of a prompt."""
    logits, cache = network.step(torch.tensor([list(prompt)]), None)
    tokens: list[int] = []
    while len(tokens) < count:
        token = int(logits[0].argmax())
        tokens.append(token)
        if token == end:
            break
        logits, cache = network.step(torch.tensor([[token]]), cache)
    return tokens


@frozen
class Agreement:
    """How far two greedy continuations go together: prompts whose tokens are all equal, and all prompts."""

    equal: int
    prompts: int
    tokens: int
    equal_tokens: int
    gaps: tuple[float, ...] = ()
    """Of each prompt that differs: PyTorch's preference for its own first differing token, in logits. Sums that are
    added in another order differ by hundredths, so a gap of hundredths is a tie."""


def agreement(left: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> Agreement:
    """Compare two lists of continuations."""
    same = [sum(1 for _ in iter_common(a, b)) for a, b in zip(left, right, strict=True)]
    equal = sum(list(a) == list(b) for a, b in zip(left, right, strict=True))
    return Agreement(equal, len(left), sum(len(tokens) for tokens in left), sum(same))


def iter_common(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The common prefix of two sequences."""
    common: list[int] = []
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        common.append(a)
    return common
