"""The model worker: the one process, and in it the one room, that touches llama.cpp.

``python -m kernelgen_ls.model.worker`` speaks this project's RPC over its standard streams (see ``inference.service``
for the methods). A crash in native code ends this process and nothing else.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import re
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np

from kernelgen_ls.model.inference.backend import BackendError, DecodeOutcome, GrammarError, Logits, TokenIds
from kernelgen_ls.model.inference.plan import LoadPlan
from kernelgen_ls.model.inference.vocabulary import Vocabulary

log = logging.getLogger(__name__)

_OUTPUTS = 8
"""Rows of logits of one evaluation: a token and the longest draft."""
_WARNING = 3
"""ggml_log_level from which on a line is kept."""


class LlamaBackend:
    """A model and its context. Freed with the process: a worker serves one model."""

    outputs = _OUTPUTS

    def __init__(self, plan: LoadPlan, on_progress: Callable[[float], None]) -> None:
        self.last_words: deque[str] = deque(maxlen=8)
        self._log = llama_cpp.llama_log_callback(self._on_log)
        llama_cpp.llama_log_set(self._log, ctypes.c_void_p(0))
        llama_cpp.llama_backend_init()
        self.cells = plan.cells
        self.sequences = plan.sequences
        self.chunk = plan.chunk
        self._flag = ctypes.create_string_buffer(b"\0", 2)
        self._model = self._load(plan, on_progress)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._context = self._open_context(plan)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._size = llama_cpp.llama_vocab_n_tokens(self._vocab)
        self.vocabulary = self._vocabulary()
        known = (*self.vocabulary.names, *self.vocabulary.marked)
        self._special_ids = {text: token for token in known if (text := self.vocabulary.spelling(token))}
        spelled = sorted(self._special_ids, key=len, reverse=True)
        self._specials = re.compile(f"({'|'.join(map(re.escape, spelled)) or '(?!)'})")
        self._set_before = self._space_before()
        self.can_trim = not (
            llama_cpp.llama_model_is_recurrent(self._model) or llama_cpp.llama_model_is_hybrid(self._model)
        )
        self._batch = llama_cpp.llama_batch_init(max(self.chunk, _OUTPUTS), 0, 1)
        self._rows = 0

    # -- loading

    def _on_log(self, level: int, text: bytes, _: object) -> None:
        line = text.decode("utf-8", "replace").rstrip()
        # A stopped evaluation is reported as an error four times over.
        if level >= _WARNING and line and self._flag[0] == b"\0":
            self.last_words.append(line)
            print(line, file=sys.stderr, flush=True)  # noqa: T201 # the worker's standard error is the server's log

    def _load(self, plan: LoadPlan, on_progress: Callable[[float], None]) -> Any:
        parameters = llama_cpp.llama_model_default_params()
        parameters.n_gpu_layers = plan.gpu_layers
        parameters.use_extra_bufts = plan.repack

        def progress(fraction: float, _: object) -> bool:
            on_progress(fraction)
            return True

        self._progress = llama_cpp.llama_progress_callback(progress)
        parameters.progress_callback = self._progress
        model = llama_cpp.llama_model_load_from_file(str(plan.path).encode(), parameters)
        if not model:
            raise BackendError(f"llama.cpp does not take {plan.path.name}: {self._why()}")
        return model

    def _open_context(self, plan: LoadPlan) -> Any:
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = plan.cells
        parameters.n_batch = parameters.n_ubatch = plan.chunk
        parameters.n_seq_max = plan.sequences
        parameters.n_outputs_max = max(_OUTPUTS, plan.sequences)
        parameters.kv_unified = True
        parameters.swa_full = True
        parameters.n_threads = parameters.n_threads_batch = plan.threads
        # On a CPU flash attention gains nothing at short contexts and loses at long ones.
        parameters.flash_attn_type = (
            llama_cpp.LLAMA_FLASH_ATTN_TYPE_AUTO if plan.gpu_layers else llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED
        )
        parameters.no_perf = True
        if plan.exact:
            parameters.type_k = parameters.type_v = llama_cpp.GGML_TYPE_F32
        # llama.cpp asks this callback between two nodes of its graph. libc's strlen over a buffer of ours answers
        # without the interpreter: the empty text is 0, go on; one character is 1, stop.
        libc = ctypes.CDLL("msvcrt") if sys.platform == "win32" else ctypes.CDLL(None)
        parameters.abort_callback = ctypes.cast(libc.strlen, llama_cpp.ggml_abort_callback)
        parameters.abort_callback_data = ctypes.cast(self._flag, ctypes.c_void_p)
        context = llama_cpp.llama_init_from_model(self._model, parameters)
        if not context:
            raise BackendError(
                f"no room for a context of {plan.cells} tokens: {self._why()}. Lower the model's context setting"
            )
        self.cells = min(self.cells, llama_cpp.llama_n_ctx(context))
        return context

    def _why(self) -> str:
        return "; ".join(self.last_words) or "it gave no reason"

    def _vocabulary(self) -> Vocabulary:
        vocab, size = self._vocab, self._size
        pieces, control, marked, ends = [], set(), set(), set()
        names: dict[int, str] = {}
        buffer = ctypes.create_string_buffer(512)
        hidden = llama_cpp.LLAMA_TOKEN_ATTR_CONTROL | llama_cpp.LLAMA_TOKEN_ATTR_UNKNOWN
        hidden |= llama_cpp.LLAMA_TOKEN_ATTR_UNUSED
        ordinary = llama_cpp.LLAMA_TOKEN_ATTR_NORMAL
        known_ends = {llama_cpp.llama_vocab_eos(vocab), llama_cpp.llama_vocab_eot(vocab)}
        for token in range(size):
            attributes = llama_cpp.llama_vocab_get_attr(vocab, token)
            length = llama_cpp.llama_token_to_piece(vocab, token, buffer, len(buffer), 0, True)
            piece = buffer.raw[: max(length, 0)]
            if attributes & hidden:
                control.add(token)
                names[token] = piece.decode("utf-8", "replace")
                piece = b""
            elif attributes & llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED:
                marked.add(token)
            # Asking about every ordinary token would take as long as all the rest.
            if (attributes != ordinary or token in known_ends) and llama_cpp.llama_vocab_is_eog(vocab, token):
                ends.add(token)
            pieces.append(piece)
        fim = tuple(
            int(get(vocab))
            for get in (llama_cpp.llama_vocab_fim_pre, llama_cpp.llama_vocab_fim_suf, llama_cpp.llama_vocab_fim_mid)
        )
        bos, eos = int(llama_cpp.llama_vocab_bos(vocab)), int(llama_cpp.llama_vocab_eos(vocab))
        begins = bos >= 0 and llama_cpp.llama_vocab_get_add_bos(vocab)
        vocabulary = Vocabulary(
            pieces,
            frozenset(control),
            frozenset(marked),
            frozenset(ends),
            bos if begins else None,
            (fim[0], fim[1], fim[2]) if min(fim) >= 0 else None,
            llama_cpp.llama_vocab_type(vocab) == llama_cpp.LLAMA_VOCAB_TYPE_BPE,
            names,
            bos if bos >= 0 else None,
            eos if eos >= 0 else None,
        )
        vocabulary.prepare()
        return vocabulary

    def _space_before(self) -> list[int]:
        """The tokens of a line break where SentencePiece sets a space before every text; none where it does not."""
        ids = self._tokenized("\n", False)
        return ids if self.vocabulary.pieces[ids[0]].startswith(b" ") else []

    # -- Backend

    def tokenize(self, text: str, special: bool) -> list[int]:
        """Token ids of ``text``, and of no space that SentencePiece would set before it."""
        if not self._set_before:
            return self._tokenized(text, special)
        # llama.cpp sets one behind every special token too, so those are looked for here.
        ids: list[int] = []
        for part in self._specials.split(text) if special else [text]:
            ids += [self._special_ids[part]] if special and part in self._special_ids else self._bare(part)
        return ids

    def _bare(self, text: str) -> list[int]:
        """Token ids of ordinary text without a space before it: behind a line break there is none to remove."""
        if not text:
            return []
        ids = self._tokenized(f"\n{text}", False)
        head = len(self._set_before)
        return ids[head:] if ids[:head] == self._set_before else self._tokenized(text, False)

    def _tokenized(self, text: str, special: bool) -> list[int]:
        raw = text.encode("utf-8", "replace")
        room = len(raw) + 8
        buffer = (ctypes.c_int32 * room)()
        count = llama_cpp.llama_tokenize(self._vocab, raw, len(raw), buffer, room, False, special)
        if count < 0:
            raise BackendError(f"a text of {len(text)} characters could not be tokenized")
        return list(buffer[:count])

    def evaluate(self, sequence: int, position: int, tokens: Sequence[int], outputs: int) -> DecodeOutcome:
        """One llama_decode."""
        batch, count = self._batch, len(tokens)
        batch.n_tokens = count
        for index, token in enumerate(tokens):
            batch.token[index] = token
            batch.pos[index] = position + index
            batch.n_seq_id[index] = 1
            batch.seq_id[index][0] = sequence
            batch.logits[index] = index >= count - outputs
        status = llama_cpp.llama_decode(self._context, batch)
        self._rows = outputs
        if status == 0:
            return DecodeOutcome.DONE
        if status == 1:
            return DecodeOutcome.NO_ROOM
        if status == 2:  # as llama.h documents it
            return DecodeOutcome.ABORTED
        raise BackendError(f"llama.cpp could not evaluate the text (status {status}): {self._why()}")

    def logits(self, row: int) -> Logits:
        """A view of llama.cpp's own memory."""
        pointer = llama_cpp.llama_get_logits_ith(self._context, row - self._rows)
        if not pointer:
            raise BackendError("llama.cpp kept no output for a token that was asked for")
        return np.ctypeslib.as_array(pointer, shape=(self._size,))

    def trim(self, sequence: int, length: int) -> bool:
        """Forget the tokens from ``length`` on."""
        return bool(llama_cpp.llama_memory_seq_rm(self._memory, sequence, length, -1))

    def copy(self, source: int, target: int, length: int) -> None:
        """Share the first cells of ``source``."""
        llama_cpp.llama_memory_seq_cp(self._memory, source, target, 0, length)

    def save(self, sequence: int, tokens: Sequence[int], path: Path) -> int:
        """Write tokens and cells."""
        array = (ctypes.c_int32 * len(tokens))(*tokens)
        return int(llama_cpp.llama_state_seq_save_file(self._context, str(path).encode(), sequence, array, len(tokens)))

    def load(self, sequence: int, path: Path) -> list[int]:
        """Read tokens and cells."""
        tokens = (ctypes.c_int32 * self.cells)()
        count = ctypes.c_size_t(0)
        read = llama_cpp.llama_state_seq_load_file(
            self._context, str(path).encode(), sequence, tokens, self.cells, ctypes.byref(count)
        )
        return list(tokens[: count.value]) if read else []

    def grammar(self, text: str) -> LlamaGrammar:
        """Start a grammar at its root."""
        self.last_words.clear()
        sampler = llama_cpp.llama_sampler_init_grammar(self._vocab, text.encode(), b"root")
        if not sampler:
            raise GrammarError(f"the grammar is no valid GBNF: {self._why()}")
        return LlamaGrammar(sampler, self._size)

    def abort(self) -> None:
        """Takes effect between two nodes of the graph, on a CPU; a GPU finishes its chunk."""
        self._flag[0] = b"\1"

    def resume(self) -> None:
        """Evaluate again."""
        self._flag[0] = b"\0"


class LlamaGrammar:
    """A grammar sampler of llama.cpp."""

    def __init__(self, sampler: Any, size: int) -> None:
        self._sampler = sampler
        self._size = size

    def _apply(self, candidates: Any) -> None:
        array = llama_cpp.llama_token_data_array(candidates, len(candidates), -1, False)
        llama_cpp.llama_sampler_apply(self._sampler, ctypes.byref(array))

    def allows(self, token: int) -> bool:
        """Ask about one token."""
        candidates = (llama_cpp.llama_token_data * 1)(llama_cpp.llama_token_data(token, 1.0, 0.0))
        self._apply(candidates)
        return bool(np.isfinite(candidates[0].logit))

    def allowed(self, logits: Logits) -> TokenIds:
        """Ask about all tokens."""
        candidates = (llama_cpp.llama_token_data * self._size)()
        view = np.frombuffer(memoryview(candidates), dtype=[("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
        view["id"] = np.arange(self._size)
        view["logit"] = logits
        self._apply(candidates)
        return np.flatnonzero(np.isfinite(view["logit"]))

    def accept(self, token: int) -> None:
        """Go on."""
        llama_cpp.llama_sampler_accept(self._sampler, token)

    def close(self) -> None:
        """Free it."""
        if self._sampler:
            llama_cpp.llama_sampler_free(self._sampler)
            self._sampler = None


def open_backend(plan: LoadPlan, on_progress: Callable[[float], None]) -> LlamaBackend:
    """Load what ``plan`` says. Raises :class:`BackendError`."""
    return LlamaBackend(plan, on_progress)


def can_offload() -> bool:
    """Whether this build of llama.cpp can use a GPU."""
    return bool(llama_cpp.llama_supports_gpu_offload())


def main(opened: Callable[[LoadPlan, Callable[[float], None]], LlamaBackend] = open_backend) -> None:
    """Serve models that ``opened`` loads until the peer closes the stream."""
    from kernelgen_ls.model.inference.service import Service
    from kernelgen_ls.rpc import serve_stdio

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    service = Service(opened, can_offload)

    async def serve() -> None:
        try:
            await serve_stdio(service.handlers())
        finally:
            service.close()

    asyncio.run(serve())


if __name__ == "__main__":
    main()
