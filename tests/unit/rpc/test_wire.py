"""Every message comes back as it was sent, and what is none is refused by name."""

from __future__ import annotations

import msgpack
import pytest

from kernelgen_ls.model.messages import (
    Candidate,
    CompleteRequest,
    CompleteResult,
    DraftText,
    DraftTexts,
    GenerateRequest,
    LoadRequest,
    ModelInfo,
    Segment,
    Stats,
    StopReason,
    StopRules,
    Timings,
)
from kernelgen_ls.rpc import ErrorCode, RpcError
from kernelgen_ls.rpc.wire import from_wire, to_wire

PROMPT = (Segment("<|im_start|>", special=True), Segment("逐元素🙂"))
MESSAGES = [
    CompleteRequest("a", PROMPT, StopRules(stop_texts=("x",), following="}\n")),
    CompleteResult((Candidate("y", StopReason.BUDGET, 3, -0.5),), Timings(evaluated=7)),
    GenerateRequest(PROMPT, grammar="root ::= x", shared=1),
    LoadRequest("/m.gguf", context=99),
    ModelInfo("/m.gguf", "m", "qwen3", 1, 2, 3, 4, 5, fim=True, chat_template="", gpu_layers=0, threads=2),
    DraftTexts((DraftText("a.cpp", "int"),)),
    Stats(requests=4),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_round_trip(message: object) -> None:
    raw = msgpack.unpackb(msgpack.packb(to_wire(message)))
    assert from_wire(raw, type(message)) == message


@pytest.mark.parametrize("raw", [None, 3, {}, {"sequence": "a"}, {"sequence": "a", "prompt": [{"special": True}]}])
def test_what_is_no_request_is_refused(raw: object) -> None:
    with pytest.raises(RpcError, match="CompleteRequest") as refused:
        from_wire(raw, CompleteRequest)
    assert refused.value.code == ErrorCode.INVALID_PARAMS


def test_an_answer_may_be_a_plain_value() -> None:
    assert from_wire(True, bool) is True


def test_a_later_minor_version_may_add_fields() -> None:
    assert from_wire({**to_wire(Stats(requests=4)), "later": 1}, Stats) == Stats(requests=4)


def test_a_message_that_is_wrong_all_over_is_refused_in_few_words() -> None:
    raw = {"session": "a", "prompt": [{"special": []}] * 10_000, "rules": {}}
    with pytest.raises(RpcError) as refused:
        from_wire(raw, CompleteRequest)
    assert len(refused.value.message) < 600
