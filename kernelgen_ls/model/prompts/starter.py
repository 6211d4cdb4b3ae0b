"""The prompts of ``kernelgen-starter``: the compact layouts the small model that ships was trained on.

A model of a few million parameters reads a thousand tokens, not the two thousand of rules that KernelGen-LM expects, so
its prompts hold only what it needs, behind special tokens of its own tokenizer. ``training`` builds its documents from
these very functions, so what the product sends is what the model has seen. Answers have KernelGen-LM's frame
(``frame``), except the repair, which rewrites a few lines.

Every function is pure; lines are zero-based; sizes are characters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from attrs import evolve, frozen

from kernelgen_ls.model.messages import Segment
from kernelgen_ls.model.prompts import frame
from kernelgen_ls.model.prompts.chatml import ASSISTANT, END, USER
from kernelgen_ls.model.prompts.context import Sight

SPEC = "<|spec|>"
SUFFIX = "<|fim_suffix|>"
PREFIX = "<|fim_prefix|>"
LOG = "<|log|>"
CODE = "<|code|>"
FIX = "<|fix|>"
END_FIX = "<|endfix|>"
RELATED = "<|related|>"

AFTER_LINES = 6
AFTER_CHARS = 320
BEFORE_CHARS = 3600
ANCHOR_LINES = 24
REPAIR_BEFORE = 9
REPAIR_AFTER = 4
REGION_BEFORE = 0
REGION_AFTER = 0
RELATED_LINES = 4
SIGHT = Sight(suffix_lines=AFTER_LINES + 6, prefix_chars=BEFORE_CHARS, suffix_chars=2 * AFTER_CHARS)
"""What a completion has to be given; the prompt's own cuts are finer."""


@frozen
class StarterParameter:
    """One tensor of an operator: its name and its C++ element type (``half``, ``float``, ``bfloat16_t`` ...).

    ``vector`` marks a weight of one axis (gamma, beta, indices) beside inputs of more axes.
    """

    name: str
    dtype: str
    vector: bool = False


@frozen
class StarterSpec:
    """What the starter is told about an operator.

    ``formula`` is plain text (``y = x / (1 + exp(-x))``); ``attributes`` are (name, value) pairs; ``shape`` is the
    shape of the first input, empty where it is only known at run time.
    """

    name: str
    formula: str
    inputs: tuple[StarterParameter, ...]
    outputs: tuple[StarterParameter, ...]
    attributes: tuple[tuple[str, str], ...] = ()
    shape: tuple[int, ...] = ()


@frozen
class RepairRegion:
    """The lines a repair rewrites: ``start`` to ``end`` (exclusive), zero-based."""

    start: int
    end: int


def spec_text(spec: StarterSpec) -> str:
    """The specification as the starter reads it, one fact a line.

    A shape is given as what a kernel needs: ``rows`` and ``cols`` (the last axis) and their product ``length``, since a
    small model cannot multiply.
    """
    lines = [f"op {spec.name}", plain_formula(spec.formula)]
    lines += [f"in {p.name} {p.dtype}" + " vector" * p.vector for p in spec.inputs]
    lines += [f"out {p.name} {p.dtype}" for p in spec.outputs]
    lines += [f"attr {name} {value}" for name, value in spec.attributes]
    if spec.shape:
        cols = spec.shape[-1]
        rows = math.prod(spec.shape[:-1])
        lines.append(f"rows {rows} cols {cols} length {rows * cols}")
    return "\n".join(lines) + "\n"


_LATEX = (
    (re.compile(r"\\(?:text|mathrm|operatorname|mathit)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\be\^\{([^{}]*)\}"), r"exp(\1)"),
    (re.compile(r"\\sqrt\s*\{([^{}]*)\}"), r"sqrt(\1)"),
    (re.compile(r"\\frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"(\1) / (\2)"),
    (re.compile(r"\\(?:cdot|times)"), "*"),
    (re.compile(r"\\(?:left|right)"), ""),
    (re.compile(r"\\ln\b"), "log"),
    (re.compile(r"\\([a-zA-Z]+)"), r"\1"),
    (re.compile(r"[{}$]"), ""),
    (re.compile(r"_[ij](?![a-zA-Z0-9])"), ""),
    (re.compile(r"\s*=\s*"), " = "),
    (re.compile(r"\s+"), " "),
)


def plain_formula(formula: str) -> str:
    """A formula without LaTeX, in the plain notation of the starter's training."""
    text = formula
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    return text.strip()


def after_window(after: str) -> str:
    """What follows the cursor, cut to the few lines the starter looks at; the cursor's own line counts as the first."""
    lines = after.split("\n")[: AFTER_LINES + 1]
    return "\n".join(lines)[:AFTER_CHARS]


def before_window(before: str) -> str:
    """What precedes the cursor, cut at an anchored line, so that the start moves only every ``ANCHOR_LINES`` lines."""
    if len(before) <= BEFORE_CHARS:
        return before
    lines = before.split("\n")
    start = 0
    size = len(before)
    while size > BEFORE_CHARS and start + ANCHOR_LINES < len(lines):
        size -= sum(len(line) + 1 for line in lines[start : start + ANCHOR_LINES])
        start += ANCHOR_LINES
    return "\n".join(lines[start:])[-BEFORE_CHARS:]


def completion_prompt(before: str, after: str, spec: StarterSpec | None = None) -> tuple[Segment, ...]:
    """An inline completion: the specification if one is known, what follows the cursor, then the file up to it.

    What follows comes first, so that typing only appends; the model continues ``before`` and ends with ``END``.
    """
    segments: list[Segment] = []
    if spec is not None:
        segments += [Segment(SPEC, special=True), Segment(spec_text(spec))]
    segments.append(Segment(SUFFIX, special=True))
    window = after_window(after)
    if window:
        segments.append(Segment(window))
    segments.append(Segment(PREFIX, special=True))
    text = before_window(before)
    if text:
        segments.append(Segment(text))
    return tuple(segments)


PLAIN_INPUTS = ("u", "v", "w", "r", "e", "g", "h", "m")
PLAIN_OUTPUTS = ("y", "z")
PLAIN_ATTRIBUTES = ("p", "q", "k", "n")
PLAIN_OPERATOR = "op_name"
_PART = r"(?=(?:Gm|Queue|Local|Fp32|Fp32Buf)?\b)"
_SIZES = re.compile(r"(constexpr uint32_t (TOTAL_LENGTH|ROWS|COLS) = )\d+;")
_EXAMPLE_SHAPE = (16, 1024)
"""Where a shape is only known at run time: the sizes are then an example to change."""


def plain_names(spec: StarterSpec) -> dict[str, str]:
    """The specification's own names and the plain ones that the starter writes with instead.

    Every kernel it has seen used these: what a small model need not copy it cannot misspell. ``restored`` puts the own
    names back.
    """
    names = dict(zip((p.name for p in spec.inputs), PLAIN_INPUTS, strict=False))
    names.update(zip((p.name for p in spec.outputs), PLAIN_OUTPUTS, strict=False))
    names.update(zip((name for name, _ in spec.attributes), PLAIN_ATTRIBUTES, strict=False))
    return names


def _renamed(text: str, names: dict[str, str], after: str) -> str:
    if not names:
        return text
    spelt = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"\b(?:{spelt}){after}", lambda match: names[match.group()], text)


def plain_spec(spec: StarterSpec) -> StarterSpec:
    """The specification in plain names and without sizes, which ``restored`` knows better."""
    names = plain_names(spec)
    return StarterSpec(
        name=PLAIN_OPERATOR,
        formula=_renamed(plain_formula(spec.formula), names, r"\b"),
        inputs=tuple(evolve(p, name=names.get(p.name, p.name)) for p in spec.inputs),
        outputs=tuple(evolve(p, name=names.get(p.name, p.name)) for p in spec.outputs),
        attributes=tuple((names.get(name, name), value) for name, value in spec.attributes),
    )


def restored(answer: str, spec: StarterSpec) -> str:
    """An answer to ``generation_prompt`` with the specification's own names, sizes and attribute values.

    Names are replaced where they stand alone or before what the starter appends to a tensor's name (``Gm``, ``Queue``,
    ``Local`` ...).
    """
    own = {plain: name for name, plain in plain_names(spec).items()}
    cols = (spec.shape or _EXAMPLE_SHAPE)[-1]
    rows = math.prod((spec.shape or _EXAMPLE_SHAPE)[:-1])
    sizes = {"TOTAL_LENGTH": rows * cols, "ROWS": rows, "COLS": cols}
    text = _SIZES.sub(lambda match: f"{match.group(1)}{sizes[match.group(2)]};", answer)
    for plain, (_, value) in zip(PLAIN_ATTRIBUTES, spec.attributes, strict=False):
        literal = value if "." in value or "e" in value else f"{value}.0"
        text = re.sub(rf"(constexpr float {plain} = )[^;]+;", rf"\g<1>{literal}f;", text)
    return _renamed(text, own, _PART).replace(PLAIN_OPERATOR, spec.name)


def generation_prompt(spec: StarterSpec) -> tuple[Segment, ...]:
    """A whole kernel from its specification; the answer is a plan, ``</think>`` and the framed kernel.

    The prompt speaks in plain names: give the answer to ``restored``.
    """
    return (
        Segment(USER + SPEC, special=True),
        Segment(spec_text(plain_spec(spec))),
        Segment(f"{ASSISTANT}{frame.THINK}\n", special=True),
    )


def generation_answer(plan: str, kernel: str) -> tuple[Segment, ...]:
    """The answer to ``generation_prompt``, as it is trained."""
    return (
        Segment(plan),
        Segment(frame.THINK_END, special=True),
        Segment("\n" + frame.tagged(kernel)),
        Segment(END, special=True),
    )


def repair_region(source: str, line: int) -> RepairRegion:
    """The lines that the answer to a repair of a finding at ``line`` replaces."""
    count = len(source.split("\n"))
    line = min(max(line, 0), count - 1)
    return RepairRegion(max(line - REGION_BEFORE, 0), min(line + REGION_AFTER + 1, count))


_WORD = re.compile(r"[A-Za-z_]\w*")


def related_lines(lines: Sequence[str], region: RepairRegion) -> list[str]:
    """Lines elsewhere in the file that share the rarest names with the region: declarations, mostly.

    They are chosen by the sum over shared names of 1 / (lines that use it); at most ``RELATED_LINES``, in file order.
    """
    shown = range(max(region.start - REPAIR_BEFORE, 0), region.end + REPAIR_AFTER)
    uses: dict[str, int] = {}
    names = [set(_WORD.findall(line)) for line in lines]
    for found in names:
        for name in found:
            uses[name] = uses.get(name, 0) + 1
    wanted = set().union(*names[region.start : region.end]) if region.end > region.start else set()
    scored = [
        (sum(1 / uses[name] for name in found & wanted), -index)
        for index, found in enumerate(names)
        if index not in shown and found & wanted
    ]
    best = sorted(scored, reverse=True)[:RELATED_LINES]
    return [lines[-index].strip() for _, index in sorted(best, key=lambda item: -item[1])]


def repair_prompt(source: str, line: int, message: str) -> tuple[Segment, ...]:
    """One finding to mend: its message, related lines, and the source around it with the region to rewrite marked."""
    lines = source.split("\n")
    region = repair_region(source, line)
    top = max(region.start - REPAIR_BEFORE, 0)
    bottom = min(region.end + REPAIR_AFTER, len(lines))
    offset = min(max(line, 0), len(lines) - 1) - region.start
    head = "".join(text + "\n" for text in lines[top : region.start])
    middle = "".join(text + "\n" for text in lines[region.start : region.end])
    tail = "".join(text + "\n" for text in lines[region.end : bottom])
    related = "".join(text + "\n" for text in related_lines(lines, region))
    return (
        Segment(USER + LOG, special=True),
        Segment(f"{offset + 1}: {message.splitlines()[0][:160] if message else ''}\n"),
        Segment(RELATED, special=True),
        Segment(related),
        Segment(CODE, special=True),
        Segment(head),
        Segment(FIX, special=True),
        Segment(middle),
        Segment(END_FIX, special=True),
        Segment(tail),
        Segment(ASSISTANT + FIX, special=True),
    )


def repair_answer(fixed: str) -> tuple[Segment, ...]:
    """The answer to ``repair_prompt``, as it is trained: the region's lines, corrected."""
    return (Segment(fixed), Segment(END_FIX + END, special=True))


def apply_repair(source: str, line: int, answer: str) -> str:
    """``source`` with the region around ``line`` replaced by the model's ``answer`` (no special tokens)."""
    lines = source.split("\n")
    region = repair_region(source, line)
    text = answer.split(END_FIX)[0]
    return "\n".join([*lines[: region.start], *text.removesuffix("\n").split("\n"), *lines[region.end :]])
