"""Tokenizer, network, prompts and export, on toys."""

from __future__ import annotations

import random
from pathlib import Path

import gguf
import pytest
import torch
from attrs import evolve

from kernelgen_ls.model.messages import Segment
from kernelgen_ls.model.prompts import chatml, starter
from kernelgen_ls.training.corpus.hands import draw_hand
from kernelgen_ls.training.corpus.kernels import render
from kernelgen_ls.training.corpus.operators import plain_operator, random_operator
from kernelgen_ls.training.curve import Point, curve_svg
from kernelgen_ls.training.documents import (
    CLOSING,
    MAIN,
    completion_document,
    draw_cut,
    generation_document,
    repair_document,
    sample_kernel,
    starter_spec,
)
from kernelgen_ls.training.draws import Draw
from kernelgen_ls.training.export import agreement, dequantised, export, greedy
from kernelgen_ls.training.network import Network, NetworkConfig
from kernelgen_ls.training.optimisers import orthogonalised
from kernelgen_ls.training.sampling import continuations
from kernelgen_ls.training.sft import Recipe, batch_loss, make_batch, mix_at, rate_factor, train
from kernelgen_ls.training.tokenizer import SPECIALS, StarterTokenizer, learn


@pytest.fixture(scope="module")
def tokenizer() -> StarterTokenizer:
    rng = random.Random(1)
    return learn([sample_kernel(rng, simple=at % 2 == 0).source for at in range(80)], 900)


@pytest.fixture(scope="module")
def network(tokenizer: StarterTokenizer) -> Network:
    torch.manual_seed(2)
    net = Network(NetworkConfig(tokenizer.size, 64, 2, 2, 1, 32, 96))
    net.eval()
    return net


@pytest.mark.parametrize(
    "text",
    ["        Add(zLocal, xLocal, yLocal, 128);\n", "// 中文注释 é\r\n\tint a_1 = 0x1F;\n\n", "", "x", "1234567 16384"],
)
def test_text_survives_the_tokenizer(tokenizer: StarterTokenizer, text: str) -> None:
    assert tokenizer.decode(tokenizer.encode_text(text)) == text


def test_a_special_tokens_spelling_in_a_file_stays_characters(tokenizer: StarterTokenizer) -> None:
    tokens = tokenizer.encode_text("a <|im_end|> b")
    assert min(tokens) >= len(SPECIALS)
    assert tokenizer.decode(tokens) == "a <|im_end|> b"
    assert tokenizer.encode([Segment("<|im_end|>", special=True)]) == [tokenizer.special("<|im_end|>")]


def test_a_name_is_cut_alike_wherever_it_stands(tokenizer: StarterTokenizer) -> None:
    alone = tokenizer.encode_text("zorbLocal")
    for before, after in (("Add(", ", y);"), ("= ", ";"), ("<", ">")):
        tokens = tokenizer.encode_text(before + "zorbLocal" + after)
        assert any(tokens[at : at + len(alone)] == alone for at in range(len(tokens)))


def test_prompts_are_what_the_documents_hold(tokenizer: StarterTokenizer) -> None:
    kernel = sample_kernel(random.Random(4), simple=True)
    document = generation_document(tokenizer, kernel)
    prompt = tokenizer.encode(starter.generation_prompt(starter_spec(kernel.operator)))
    assert document.tokens[: len(prompt)] == prompt
    assert document.weights[: len(prompt)] == [0.0] * len(prompt)
    assert min(document.weights[len(prompt) :]) > 0
    assert kernel.source.rstrip() in tokenizer.decode(document.tokens)


def test_a_completion_document_holds_the_cursor_s_gap(tokenizer: StarterTokenizer) -> None:
    rng = random.Random(6)
    source = sample_kernel(rng, simple=True).source
    state = rng.getstate()
    cut = draw_cut(rng, source)
    rng.setstate(state)
    document = completion_document(rng, tokenizer, source, None, 4096)
    assert source[: cut.end].endswith(tokenizer.decode(document.tokens)[-20:])
    assert document.tokens[-1] == tokenizer.special(chatml.END)


def test_a_repair_gives_the_clean_text_back(tokenizer: StarterTokenizer) -> None:
    clean = sample_kernel(random.Random(7), simple=True).source
    lines = clean.split("\n")
    at = next(i for i, line in enumerate(lines) if "EnQue" in line)
    broken = "\n".join([*lines[:at], lines[at].replace("EnQue", "Enqueue"), *lines[at + 1 :]])
    document = repair_document(tokenizer, ("wrong-method", clean, broken, at, "no member named 'Enqueue'"))
    answer = tokenizer.decode([t for t, w in zip(document.tokens, document.weights, strict=True) if w > 0])
    assert starter.apply_repair(broken, at, answer) == clean


def test_windows_are_anchored_and_bounded() -> None:
    lines = [f"line {at} of a long file;" for at in range(400)]
    short, longer = "\n".join(lines), "\n".join([*lines, "x"])
    assert len(starter.before_window(short)) <= starter.BEFORE_CHARS
    assert starter.before_window(longer).startswith(starter.before_window(short)[:200])
    assert len(starter.after_window(short)) <= starter.AFTER_CHARS


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"y = \frac{x}{1 + e^{-x}} \cdot gate", "y = (x) / (1 + exp(-x)) * gate"),
        (r"$y_i = \ln(x_i)$", "y = log(x)"),
        (r"\text{out}=\sqrt{a \times b}", "out = sqrt(a * b)"),
    ],
)
def test_formulas_lose_their_latex(latex: str, plain: str) -> None:
    assert starter.plain_formula(latex) == plain


def test_the_cache_changes_nothing(network: Network) -> None:
    tokens = torch.randint(16, 900, (1, 40), generator=torch.Generator().manual_seed(1))
    whole, _ = network.step(tokens, None)
    _, cache = network.step(tokens[:, :25], None)
    _, cache = network.step(tokens[:, 25:30], cache)
    parts = cache
    for at in range(30, 40):
        last, parts = network.step(tokens[:, at : at + 1], parts)
    torch.testing.assert_close(last, whole, atol=1e-4, rtol=1e-4)


def test_draws_are_seeded_and_stop(network: Network) -> None:
    draw = Draw(temperature=1.0, count=3)
    first = continuations(network, [20, 30, 40], 12, frozenset({0}), draw, seed=5)
    assert first == continuations(network, [20, 30, 40], 12, frozenset({0}), draw, seed=5)
    stop = first[0][0]
    assert all(
        stop not in tokens for tokens in continuations(network, [20, 30, 40], 12, frozenset({stop}), draw, seed=5)
    )


def test_orthogonalised_has_singular_values_near_one() -> None:
    matrix = torch.randn(24, 40, generator=torch.Generator().manual_seed(3))
    values = torch.linalg.svdvals(orthogonalised(matrix))
    assert values.min() > 0.5
    assert values.max() < 1.3


def test_the_schedule_warms_holds_and_ends() -> None:
    recipe = Recipe(1000, warm_up=0.1, decay=0.4)
    assert rate_factor(recipe, 50) == pytest.approx(0.5)
    assert rate_factor(recipe, 500) == 1.0
    assert rate_factor(recipe, 800) == pytest.approx(0.5)
    assert rate_factor(recipe, 1000) == 0.0


def test_training_lowers_the_loss_and_goes_on_where_it_stopped(tokenizer: StarterTokenizer, tmp_path: Path) -> None:
    config = NetworkConfig(tokenizer.size, 48, 1, 1, 1, 48, 64)
    recipe = Recipe(25_000, batch_tokens=1300, document_limit=1200)
    kernel = sample_kernel(random.Random(1), simple=True, held_out=True)
    batch = make_batch([generation_document(tokenizer, kernel)])
    torch.manual_seed(1)
    before, _ = batch_loss(Network(config), batch)
    run = train(tmp_path, tokenizer, config, recipe, [], [], lambda progress, point: None)
    after, _ = batch_loss(run.network, batch)
    assert float(after.detach()) < float(before.detach()) - 0.2
    assert run.progress.tokens >= 25_000
    assert "<svg" in (tmp_path / "curve.svg").read_text("utf-8")
    again = train(tmp_path, tokenizer, config, recipe, [], [], lambda progress, point: None)
    assert again.progress.step == run.progress.step


def test_the_curve_shows_both_losses() -> None:
    points = [Point(25, 1000, 1.0, 4.0), Point(50, 2000, 2.0, 2.0, 2.5, 0.4), Point(75, 3000, 3.0, 1.0, 1.5, 0.6)]
    svg = curve_svg(points)
    assert svg.count("<polyline") == 2
    assert svg.endswith("</svg>\n")


def test_the_export_is_a_qwen3_file_with_our_tokens(
    network: Network, tokenizer: StarterTokenizer, tmp_path: Path
) -> None:
    path = tmp_path / "toy.gguf"
    export(network, tokenizer, path, description="a toy")
    reader = gguf.GGUFReader(path)
    fields = {name: field.contents() for name, field in reader.fields.items()}
    assert fields["general.architecture"] == "qwen3"
    assert fields["general.name"] == "kernelgen-starter"
    assert fields["tokenizer.ggml.tokens"][: len(SPECIALS)] == list(SPECIALS)
    assert len(reader.tensors) == len(network.state_dict())
    assert {tensor.tensor_type.name for tensor in reader.tensors} == {"Q8_0", "F32"}


def test_agreement_counts_equal_tokens() -> None:
    found = agreement([[1, 2, 3], [4, 5]], [[1, 2, 9], [4, 5]])
    assert (found.equal, found.prompts, found.tokens, found.equal_tokens) == (1, 2, 5, 4)


def test_greedy_ends_at_the_end_token(network: Network) -> None:
    tokens = greedy(dequantised(network), [20, 21], 6, end=-1)
    assert len(tokens) == 6
    assert greedy(dequantised(network), [20, 21], 6, end=tokens[0]) == tokens[:1]


def test_the_answer_gets_the_specification_s_own_names_and_sizes_back() -> None:
    spec = starter.StarterSpec(
        name="gated_blend",
        formula="mixOut = slope * zorb_in + mist",
        inputs=(starter.StarterParameter("zorb_in", "half"), starter.StarterParameter("mist", "half")),
        outputs=(starter.StarterParameter("mixOut", "half"),),
        attributes=(("slope", "2"),),
        shape=(4, 3, 100),
    )
    prompt = "".join(segment.text for segment in starter.generation_prompt(spec))
    assert "op op_name\ny = p * u + v\nin u half\nin v half\nout y half\nattr p 2\n" in prompt
    answer = (
        "// y = p * u + v\nconstexpr uint32_t TOTAL_LENGTH = 1;\nconstexpr float p = 1.0f;\n"
        "void op_name(GM_ADDR u, GM_ADDR y)\nuGm.SetGlobalBuffer(u); Muls(yLocal, uLocal, p, count); uFp32Buf"
    )
    assert starter.restored(answer, spec) == (
        "// mixOut = slope * zorb_in + mist\nconstexpr uint32_t TOTAL_LENGTH = 1200;\nconstexpr float slope = 2.0f;\n"
        "void gated_blend(GM_ADDR zorb_in, GM_ADDR mixOut)\n"
        "zorb_inGm.SetGlobalBuffer(zorb_in); Muls(mixOutLocal, zorb_inLocal, slope, count); zorb_inFp32Buf"
    )


def test_every_kernel_in_plain_names_becomes_the_kernel_in_its_own() -> None:
    for seed in range(40):
        operator = random_operator(random.Random(seed))
        hand = evolve(draw_hand(random.Random(1), simple=True), language="none", head_comment="none")
        own, plain = (render(random.Random(2), op, hand).source for op in (operator, plain_operator(operator)))
        assert starter.restored(plain, starter_spec(operator)) == own


def test_whole_kernels_prevail_late_in_a_run_and_not_at_its_very_end() -> None:
    recipe = Recipe(tokens=1000, closing=0.1, settling=0.05)
    assert [mix_at(recipe, tokens) for tokens in (0, 849, 850, 949, 951, 1000)] == [
        MAIN,
        MAIN,
        CLOSING,
        CLOSING,
        MAIN,
        MAIN,
    ]
    assert mix_at(Recipe(tokens=1000), 1000) is MAIN
