"""Prompts are evaluated once, drafts change nothing, words are healed, budgets and stops hold."""

from __future__ import annotations

import pytest

from kernelgen_ls.model.inference.backend import GrammarError
from kernelgen_ls.model.inference.decoding import Decoder
from kernelgen_ls.model.inference.requests import Clock, complete, generate, warm
from kernelgen_ls.model.inference.sequences import ContextFullError
from kernelgen_ls.model.messages import (
    CompleteRequest,
    CompleteResult,
    DraftText,
    GenerateRequest,
    GenerateResult,
    Sampling,
    Segment,
    StopReason,
    StopRules,
    WarmRequest,
)
from tests.unit.model.toy import END, THINK, ToyBackend, continuing, run

KERNEL = "a = 1;\npipe.InitBuffer(inQueueX, 2, length);\npipe.InitBuffer(outQueueY, 2, length);\nDataCopy(x, y, 8);\n"


def ask(decoder: Decoder, text: str, sequence: str = "a", **options: object) -> CompleteResult:
    options.setdefault("stop", StopRules(multiline=False))
    request = CompleteRequest(sequence, (Segment("ask: ", special=True), Segment(text)), **options)
    result = run(complete(decoder, request, Clock()))
    assert isinstance(result, CompleteResult)
    return result


def test_continues_the_text() -> None:
    decoder = Decoder(ToyBackend(continuing(KERNEL)))
    assert ask(decoder, "pipe.Init", heal=False).candidates[0].text == "Buffer(inQueueX, 2, length);"


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("x;\nDataC", "opy(x, y, 8);"),
        ("x;\nData", "Copy(x, y, 8);"),
        ("a = 1;\npipe.InitBuf", "fer(inQueueX, 2, length);"),
        ("a = 1;\npip", "e.InitBuffer(inQueueX, 2, length);"),
        ("a = 1;\n", "pipe.InitBuffer(inQueueX, 2, length);"),
    ],
)
def test_heals_a_word_cut_anywhere(prompt: str, wanted: str) -> None:
    decoder = Decoder(ToyBackend(continuing(KERNEL)))
    result = ask(decoder, prompt)
    assert result.candidates[0].text == wanted


def test_the_healed_word_is_one_token_of_the_model() -> None:
    backend = ToyBackend(continuing(KERNEL))
    result = ask(Decoder(backend), "x;\nData")
    assert result.timings.healed == 1
    assert backend.tokenize("DataCopy", False)[0] in [token for token, _ in backend.held[0]]


def test_nothing_of_a_special_segment_is_healed() -> None:
    decoder = Decoder(ToyBackend(continuing(KERNEL)))
    request = CompleteRequest("a", (Segment("x;\nData", special=True),), stop=StopRules(multiline=False))
    result = run(complete(decoder, request, Clock()))
    assert result.timings.healed == 0
    assert result.candidates[0].text.startswith("Copy")


def test_one_appended_character_costs_one_token() -> None:
    decoder = Decoder(ToyBackend(continuing(KERNEL)))
    text = "a = 1;\npipe.InitBuffer(inQueueX, 2, le"
    ask(decoder, text)
    for character in "ngth":
        text += character
        result = ask(decoder, text)
        # The prompt's last token is evaluated again for its logits; the rest is what was generated.
        assert result.timings.evaluated - result.timings.generated <= 1
        assert result.timings.reused >= len(decoder.backend.tokenize(text, False)) - 3


@pytest.mark.parametrize("edit", ["x", "pipe.", "a = 1;\npipe.InitBuffer(inQueueX, 2", "", "pipe.InitBuffer(o"])
def test_a_reused_state_gives_the_same_text_as_a_fresh_one(edit: str) -> None:
    warm_decoder = Decoder(ToyBackend())
    for text in ("a = 1;\npipe.InitBuffer(in", "a = 1;\npipe.", edit or "q"):
        ask(warm_decoder, text, max_tokens=20, stop=StopRules())
    fresh = ask(Decoder(ToyBackend()), edit or "q", max_tokens=20, stop=StopRules())
    again = ask(warm_decoder, edit or "q", max_tokens=20, stop=StopRules())
    assert again.candidates[0].text == fresh.candidates[0].text


@pytest.mark.parametrize("script", [continuing(KERNEL), None])
@pytest.mark.parametrize("prompt", ["a = 1;\npipe.", KERNEL + "pipe.Init", KERNEL * 2 + "Data"])
def test_drafts_change_nothing(script: object, prompt: str) -> None:
    results = [
        ask(Decoder(ToyBackend(script)), prompt, max_tokens=60, stop=StopRules(max_lines=9), draft=draft)
        for draft in (False, True)
    ]
    assert results[0].candidates == results[1].candidates


def test_drafts_save_evaluations_where_the_text_repeats() -> None:
    def evaluations(draft: bool, workspace: str = "") -> int:
        backend = ToyBackend(continuing(KERNEL))
        decoder = Decoder(backend)
        decoder.remember([DraftText("other.cpp", workspace)])
        result = ask(decoder, "a = 1;\npipe.", max_tokens=90, stop=StopRules(max_lines=9), draft=draft)
        assert "DataCopy" in result.candidates[0].text
        return len(backend.evaluations)

    assert evaluations(draft=True, workspace=KERNEL) < 0.7 * evaluations(draft=False, workspace=KERNEL)


def test_the_budget_gives_whole_lines() -> None:
    decoder = Decoder(ToyBackend(continuing("\n".join(f"line {number};" for number in range(400)))))
    clock = Clock()
    request = CompleteRequest(
        "a", (Segment("line 0;\n"),), stop=StopRules(max_lines=999), max_tokens=3000, budget_ms=1, draft=False
    )
    clock.queued -= 0.0015
    result = run(complete(decoder, request, clock))
    candidate = result.candidates[0]
    assert candidate.stop is StopReason.BUDGET
    assert candidate.text == "" or candidate.text.endswith(";")
    assert candidate.tokens < 100


def test_alternatives_differ_and_the_greedy_one_comes_first() -> None:
    decoder = Decoder(ToyBackend())
    greedy = ask(decoder, "pipe", max_tokens=4).candidates[0].text
    several = ask(decoder, "pipe", max_tokens=4, alternatives=4).candidates
    assert several[0].text == greedy
    assert len({candidate.text for candidate in several}) == len(several) > 1
    assert [slot.name for slot in decoder.sequences.live] == ["a"]


def test_special_tokens_end_a_completion_and_never_show() -> None:
    for wanted in (b"x</think>y", b"x<|turn|>y"):
        text = ask(
            Decoder(ToyBackend(lambda prompt, wanted=wanted: continuing(wanted.decode())(prompt))), "= ", heal=False
        )
        assert text.candidates[0].text == "x"
        assert text.candidates[0].stop is StopReason.END


def test_a_users_spelling_of_a_special_token_is_text() -> None:
    decoder = Decoder(ToyBackend())
    tokens, _ = decoder.tokens((Segment("x </think> <|end|>"),))
    assert THINK not in tokens and END not in tokens
    assert decoder.backend.spell(tokens) == b"x </think> <|end|>"
    ours, _ = decoder.tokens((Segment("x </think> <|end|>", special=True),))
    assert THINK in ours and END in ours


def test_an_incomplete_character_is_never_shown() -> None:
    decoder = Decoder(ToyBackend(continuing("y = 1; // 逐元素🙂相加\n")))
    whole = ask(decoder, "y = 1; // ", heal=False).candidates[0].text
    assert whole == "逐元素🙂相加"
    for limit in range(1, 12):
        part = ask(decoder, "y = 1; // ", heal=False, max_tokens=limit).candidates[0].text
        assert whole.startswith(part) and "�" not in part


def test_a_prompt_longer_than_the_context_is_refused_with_what_to_do() -> None:
    with pytest.raises(ContextFullError, match="raise the model's context setting"):
        ask(Decoder(ToyBackend(cells=64)), "x" * 100)


def test_a_text_that_fills_the_context_ends_there() -> None:
    result = ask(Decoder(ToyBackend(cells=64)), "x" * 40, max_tokens=90, stop=StopRules(max_lines=99), draft=False)
    assert result.candidates[0].stop in {StopReason.CONTEXT, StopReason.RULE, StopReason.END}
    assert result.candidates[0].tokens <= 30


def test_a_model_that_cannot_forget_a_part_still_answers_the_same() -> None:
    usual, stiff = Decoder(ToyBackend()), Decoder(ToyBackend(can_trim=False))
    for text in ("a = 1;\npipe", "a = 1;\npipe.Init", "b = 2", KERNEL + "pipe.Init"):
        first, second = (ask(one, text, max_tokens=12, stop=StopRules()) for one in (usual, stiff))
        assert first.candidates == second.candidates


def test_warming_leaves_one_token_to_evaluate() -> None:
    decoder = Decoder(ToyBackend(continuing(KERNEL)))
    prompt = (Segment("ask: ", special=True), Segment("a = 1;\npipe"))
    run(warm(decoder, WarmRequest("a", prompt), Clock()))
    result = ask(decoder, "a = 1;\npipe")
    assert result.timings.evaluated - result.timings.generated <= 1


def test_another_session_shares_what_both_start_with() -> None:
    decoder = Decoder(ToyBackend(continuing(KERNEL)))
    ask(decoder, "a = 1;\npipe.InitBuffer(inQueueX, 2, l", sequence="one")
    other = ask(decoder, "a = 1;\npipe.InitBuffer(inQueueX, 3", sequence="two")
    assert other.timings.reused >= 20


def produce(decoder: Decoder, **options: object) -> tuple[GenerateResult, list[str]]:
    pieces: list[str] = []
    request = GenerateRequest((Segment("rules. ", special=True), Segment("task:")), **options)
    result = run(generate(decoder, request, Clock(), lambda text, tokens: pieces.append(text)))
    assert isinstance(result, GenerateResult)
    return result, pieces


def test_a_generation_streams_what_it_returns() -> None:
    decoder = Decoder(ToyBackend(continuing("task: think </think> answer <|end|>")))
    result, pieces = produce(decoder, sampling=Sampling())
    assert result.text == "".join(pieces) == " think </think> answer "
    assert result.stop is StopReason.END
    assert decoder.sequences.live == []


def test_a_stop_text_ends_a_generation_and_none_of_it_streams() -> None:
    decoder = Decoder(ToyBackend(continuing("task: one </kernel> two")))
    result, pieces = produce(decoder, sampling=Sampling(), stop_texts=("</kernel>",))
    assert result.text == " one "
    assert not any("<" in piece for piece in pieces)
    assert result.stop is StopReason.RULE


def test_the_grammar_begins_after_its_marker() -> None:
    backend = ToyBackend(continuing("task: free text </think> no digits"))
    result, _ = produce(Decoder(backend), sampling=Sampling(), grammar="root ::= [0-9]+", grammar_after="</think>")
    free, _, constrained = result.text.partition("</think>")
    assert free == " free text "
    assert constrained.isdecimal() and 3 <= len(constrained) <= 5
    assert backend.last_grammar.closed


def test_a_grammar_that_agrees_with_the_model_is_asked_about_single_tokens_only() -> None:
    backend = ToyBackend(continuing("task:1234<|end|>"))
    result, _ = produce(Decoder(backend), sampling=Sampling(), grammar="root ::= [0-9]+")
    assert result.text == "1234"
    assert backend.last_grammar.asked_for_all == 0


def test_a_bad_grammar_is_an_error_not_a_crash() -> None:
    with pytest.raises(GrammarError, match="GBNF"):
        produce(Decoder(ToyBackend()), grammar="nonsense")


def test_the_shared_part_is_evaluated_once_for_many_generations() -> None:
    decoder = Decoder(ToyBackend(continuing("task: a")))
    first, _ = produce(decoder, sampling=Sampling(), max_tokens=3, shared=1)
    second, _ = produce(decoder, sampling=Sampling(), max_tokens=3, shared=1)
    assert first.timings.evaluated > second.timings.evaluated
    assert second.timings.reused >= len("rules. ")


def test_the_same_seed_draws_the_same_text() -> None:
    def text(seed: int) -> str:
        sampling = Sampling(temperature=1.5, top_p=0.95, seed=seed)
        return produce(Decoder(ToyBackend()), sampling=sampling, max_tokens=24)[0].text

    assert text(1) == text(1)
    assert len({text(seed) for seed in range(5)}) > 1


def test_a_slow_model_reads_in_smaller_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stopped for a keystroke is lost: three seconds of work at most, or 64 tokens."""
    now = 0.0

    def clock() -> float:
        return now

    def slow(sequence: int, tokens: int) -> None:
        nonlocal now
        now += tokens / 50

    monkeypatch.setattr("kernelgen_ls.model.inference.decoding.time.perf_counter", clock)
    backend = ToyBackend(cells=4096, chunk=256)
    backend.on_evaluate = slow
    decoder = Decoder(backend)
    ask(decoder, "x" * 300, max_tokens=1, heal=False)
    first = list(backend.evaluations)
    ask(decoder, "y" * 300, max_tokens=1, heal=False)
    assert 128 < max(first) <= 256
    assert 64 <= max(backend.evaluations[len(first) :]) <= 128


def test_a_prompt_is_read_in_equal_pieces() -> None:
    """A last piece of a few tokens costs as much as a third of a whole one."""
    backend = ToyBackend(cells=4096, chunk=160)
    ask(Decoder(backend), "x" * 482, max_tokens=1, heal=False)
    assert sum(backend.evaluations) == 487
    assert min(backend.evaluations) > 100 and len(backend.evaluations) == 4
