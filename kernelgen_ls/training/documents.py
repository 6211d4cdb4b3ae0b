"""Training documents: the corpus in exactly the token sequences that the product sends and expects.

Kinds: a completion (what follows the cursor, the file up to it, what belongs at the cursor), a whole kernel from its
specification, a repair from a finding, host files. Built from ``model.prompts.starter``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from kernelgen_ls.model.messages import Segment
from kernelgen_ls.model.prompts import chatml, starter
from kernelgen_ls.training.corpus.hands import draw_hand
from kernelgen_ls.training.corpus.kernels import Kernel, render
from kernelgen_ls.training.corpus.operators import Operator, plain_operator, random_operator
from kernelgen_ls.training.corpus.renaming import draw_renaming, word_spans
from kernelgen_ls.training.tokenizer import SPECIALS, StarterTokenizer

REPAIR_WEIGHT = 4.0
"""A repair answers with fifteen tokens where a kernel has a thousand: without this it would hardly be learned."""

RENAMED = 0.5
"""Share of the files whose names are replaced by ones that no other file has."""

NEW_WORD, KNOWN_WORD = 0.1, 2.0
"""Weights of a name's word where a file has it for the first time, which nobody can know, and later on."""

PLAN_WEIGHT = 2.0
"""Of a plan's tokens: in them a kernel is decided, and most of what follows is certain."""


@frozen
class Mix:
    """Shares of the kinds of documents; what is left are completions."""

    copy: float = 0.02
    generation: float = 0.36
    repair: float = 0.22
    cropped: float = 0.4
    """Of the whole kernels, how many are cut short behind their plan."""


MAIN = Mix()
CLOSING = Mix(copy=0.0, generation=0.68, repair=0.14, cropped=0.1)
"""For the end of a run: whole kernels are what takes longest to get right to the last line."""

Pair = tuple[str, str, str, int, str]
"""(kind of defect, clean source, source with the defect, line of the finding, its message)."""


@frozen
class Document:
    """Tokens, and of each the weight of producing it in the loss (0: the model is only shown it)."""

    kind: str
    tokens: list[int]
    weights: list[float]


def starter_spec(operator: Operator, rng: random.Random | None = None) -> starter.StarterSpec:
    """An operator as the specification that the product would hand over; with ``rng`` the shape varies in rank."""
    shape: tuple[int, ...] = (operator.rows, operator.cols)
    return starter.StarterSpec(
        name=operator.name,
        formula=operator.formula(),
        inputs=tuple(starter.StarterParameter(t.name, t.dtype, t.vector) for t in operator.inputs),
        outputs=(starter.StarterParameter(operator.output.name, operator.output.dtype),),
        attributes=operator.attributes,
        shape=shape if rng is None or rng.random() < 0.8 else (),
    )


def sample_kernel(rng: random.Random, *, simple: bool, held_out: bool = False) -> Kernel:
    """A kernel of the training split (or of the held-out one, in hands that include held-out patterns)."""
    while True:
        operator = random_operator(rng)
        if operator.held_out() == held_out:
            return render(rng, operator, draw_hand(rng, simple=simple, held_out=held_out))


def plain_kernel(rng: random.Random, *, held_out: bool = False) -> Kernel:
    """A kernel as the model is taught to write it from a specification: plain names, no sizes, no comments."""
    while True:
        operator = random_operator(rng)
        if operator.held_out() == held_out:
            return render(rng, plain_operator(operator), evolve(draw_hand(rng, simple=True), language="none"))


def _document(
    kind: str, tokenizer: StarterTokenizer, prompt: Sequence[Segment], answer: Sequence[Segment], weight: float = 1.0
) -> Document:
    given = tokenizer.encode(prompt)
    wanted = tokenizer.encode(answer)
    return Document(kind, given + wanted, [0.0] * len(given) + [weight] * len(wanted))


def generation_document(tokenizer: StarterTokenizer, kernel: Kernel, rest: int | None = None) -> Document:
    """Specification to plan and kernel; of the kernel only ``rest`` tokens if given."""
    prompt = starter.generation_prompt(starter_spec(kernel.operator))
    thought, *answer = starter.generation_answer(kernel.plan, kernel.source)
    plan, written = tokenizer.encode([thought]), tokenizer.encode(answer)[:rest]
    given = tokenizer.encode(prompt)
    weights = [0.0] * len(given) + [PLAN_WEIGHT] * len(plan) + [1.0] * len(written)
    return Document("generation", given + plan + written, weights)


def repair_document(tokenizer: StarterTokenizer, pair: Pair) -> Document:
    """A finding to the corrected lines. The defect and its mending keep the number of lines."""
    _, clean, broken, line, message = pair
    region = starter.repair_region(broken, line)
    fixed = "".join(text + "\n" for text in clean.split("\n")[region.start : region.end])
    return _document(
        "repair", tokenizer, starter.repair_prompt(broken, line, message), starter.repair_answer(fixed), REPAIR_WEIGHT
    )


def renamed_pair(rng: random.Random, pair: Pair) -> Pair:
    """The same defect in a file with other names. One that is a misspelt name stays as it is."""
    kind, clean, broken, line, message = pair
    if kind == "undeclared-name":
        return pair
    renaming = draw_renaming(rng, clean)
    return kind, renaming(clean), renaming(broken), line, renaming(message)


def copy_document(rng: random.Random, tokenizer: StarterTokenizer) -> Document:
    """Random tokens, then the same again: only copying predicts them, and it is learned fastest where it is bare."""
    span = [rng.randrange(len(SPECIALS), tokenizer.size) for _ in range(rng.randint(12, 90))]
    times = rng.randint(2, 3)
    return Document("copy", span * times, [0.0] * len(span) + [1.0] * (len(span) * (times - 1)))


@frozen
class Cut:
    """A cursor in a file: ``source[:start]`` stands before it, ``source[end:]`` after; the rest belongs between."""

    start: int
    end: int


def draw_cut(rng: random.Random, source: str) -> Cut:
    """A cursor as people have them: mostly at a line's start or within a line, a few lines missing or all the rest."""
    lines = source.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    at = rng.randrange(len(lines))
    indent = len(lines[at]) - len(lines[at].lstrip())
    start = starts[at] + indent
    if rng.random() < 0.45 and len(lines[at]) > indent:
        start = starts[at] + rng.randint(indent, len(lines[at]))
    missing = rng.choice([0, 0, 1, 1, 2, 3, 5, 8])
    if rng.random() < 0.35:
        return Cut(min(start, len(source)), len(source))
    last = min(at + missing, len(lines) - 1)
    return Cut(min(start, len(source)), min(starts[last] + len(lines[last]), len(source)))


def completion_document(
    rng: random.Random, tokenizer: StarterTokenizer, source: str, spec: starter.StarterSpec | None, limit: int
) -> Document:
    """What follows the cursor, the file up to it, and what belongs at it. The file itself is learned too."""
    cut = draw_cut(rng, source)
    prompt = starter.completion_prompt(source[: cut.start], source[cut.end :], spec)
    before = prompt[-1].text if not prompt[-1].special else ""
    head = prompt[:-1] if before else prompt
    given = tokenizer.encode(head)
    text = tokenizer.encode_text(before + source[cut.start : cut.end])
    room = limit - len(given) - 1
    ends = len(text) <= room
    text = text[:room]
    shown = "".join(segment.text for segment in head if not segment.special)
    weights = [0.0] * len(given) + name_weights(tokenizer, text, shown)
    if ends:
        text, weights = [*text, tokenizer.special(chatml.END)], [*weights, 1.0]
    return Document("completion", given + text, weights)


def name_weights(tokenizer: StarterTokenizer, tokens: Sequence[int], shown: str) -> list[float]:
    """A weight for each token of a file's text behind ``shown``: copying names counts, guessing them hardly."""
    pieces = [tokenizer.decode_bytes([token]) for token in tokens]
    text = b"".join(pieces).decode("utf-8", errors="replace")
    known = {word for _, _, word in word_spans(shown)}
    weights = [1.0] * len(text.encode())
    at = byte = 0
    for start, end, word in word_spans(text):
        byte += len(text[at:start].encode())
        at = start
        if len(word) > 1:
            weights[byte : byte + end - start] = [KNOWN_WORD if word in known else NEW_WORD] * (end - start)
            known.add(word)
    result, at = [], 0
    for piece in pieces:
        # The first byte that is no space decides: a token may start in a name and end behind it.
        first = at + len(piece) - len(piece.lstrip())
        result.append(weights[min(first, len(weights) - 1)])
        at += len(piece)
    return result


def documents(
    rng: random.Random, tokenizer: StarterTokenizer, pairs: Sequence[Pair], *, limit: int, mix: Mix = MAIN
) -> Iterator[Document]:
    """Documents for ever, none longer than ``limit`` tokens, none of a held-out operator."""
    order = list(range(len(pairs)))
    rng.shuffle(order)
    turn = 0
    while True:
        roll = rng.random()
        if roll < mix.copy:
            document = copy_document(rng, tokenizer)
        elif roll < mix.copy + mix.generation:
            rest = rng.randint(20, 360) if rng.random() < mix.cropped else None
            document = generation_document(tokenizer, plain_kernel(rng), rest)
        elif roll < mix.copy + mix.generation + mix.repair and pairs:
            pair = pairs[order[turn % len(order)]]
            document = repair_document(tokenizer, renamed_pair(rng, pair) if rng.random() < RENAMED else pair)
            turn += 1
        else:
            kernel = sample_kernel(rng, simple=rng.random() < 0.25)
            spec = starter_spec(kernel.operator, rng) if rng.random() < 0.3 else None
            source = kernel.source
            if kernel.host and rng.random() < 0.12:
                source = rng.choice([kernel.host, kernel.tiling_header])
            elif rng.random() < RENAMED:
                renaming = draw_renaming(rng, source)
                source, spec = renaming(source), None
            document = completion_document(rng, tokenizer, source, spec, limit)
        if 8 < len(document.tokens) <= limit:
            yield document
