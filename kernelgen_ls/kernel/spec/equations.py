"""The formula in a described operator's text: displayed, in a fence, on a line of its own, in backticks, in a sentence.

What is displayed counts more than what a sentence says on the way; but an intermediate name that the displayed formula
reads and only a sentence gives is taken from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from kernelgen_ls.kernel.dtypes import dtypes_in
from kernelgen_ls.kernel.spec.sections import About, Block, Section
from kernelgen_ls.kernel.spec.words import NAME

_LEFT = rf"{NAME}(?:\s*\[[^\]\n]*\])*(?:_\{{[^}}]*\}})?"
_LINE = re.compile(rf"^(?P<left>{_LEFT})\s*[:]?=(?!=)\s*(?P<right>[^=;\s][^;]*)$")
_SPAN = re.compile(r"``(?P<double>[^`\n]+)``|(?<![`\w])`(?P<single>[^`\n]+)`|(?<![$\\])\$(?P<dollar>[^$\n]+)\$(?!\$)")
_IN_SENTENCE = re.compile(rf"(?:(?<=^)|(?<=[\s：:，,（(；;]))(?P<equation>{_LEFT}\s*[:]?=(?!=)\s*[^=\s].*)$")
_LITERAL = re.compile(
    r"\s*(?:[-+]?[\d.]+(?:e[-+]?\d+)?f?|True|False|None|\"[^\"]*\"|'[^']*'|[A-Za-z_]\w*)\s*(?:[.,;]\s*)?", re.IGNORECASE
)
_MATH_FENCES = ("math", "latex", "tex")
_CODE_FENCES = (
    "",
    "text",
    "txt",
    "plain",
    "plaintext",
    "pseudo",
    "pseudocode",
    "formula",
    "none",
    "c",
    "cpp",
    "python",
    "py",
)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)、])\s+")
_WORDS = re.compile(
    rf",?\s+(?=for\s+`?{NAME}`?\s+(?:of|in|with)\b"
    r"|(?:for|where|with|which|over|per|of|on|in|by|as)\s+(?:an?|the|all|each|every|[a-z]{3,})\s?\b(?!\s*[(=*/+-]))"
)
"""Where a sentence goes on behind an equation, with no stop between them."""
_FACTS = re.compile(r"(?<!\s)\s+\((?P<facts>[^()]*(?:\([^()]*\)[^()]*)*)\)$")
"""A parenthesis behind an equation that may hold the type of what it gives."""
_REMARK = re.compile(r"(?<!\s)\s*[（(][^()（）]*[\u4e00-\u9fff][^()（）]*[)）]\s*$")
"""A parenthesis behind an equation that holds a remark."""
_PROSE = rf",\s*(?!(?:if|else|when|otherwise|unless)\b)(?={NAME}\s+[A-Za-z]+\b|{NAME},\s*{NAME}\s*(?:,|:|and\b|are\b))"
"""Where a sentence goes on behind an equation's comma: ``, x and y are``, ``, all elements``."""
_ENDS = re.compile(
    rf"[,，]\s*(?=[\u4e00-\u9fff])|，(?!\s*{NAME}\s*=)|`|,\s*(?=(?:where|with|and|which|then|for|the|so)\b)|{_PROSE}|[。；;]|\.\s*$|\.\s+(?=[A-Z\u4e00-\u9fff])"
)


@frozen
class _Found:
    """An equation; the lower its ``rank``, the more it counts."""

    rank: int
    text: str


def formula_in(sections: Sequence[Section]) -> str:
    """The formula that a text gives, a line for each equation; "" where there is none."""
    everything = [one for section in sections if section.about is not About.OTHER for one in _equations(section)]
    displayed = [one for section in sections for one in _equations(section) if one.rank == 0]
    for wanted in (About.FORMULA, About.DESCRIPTION, None):
        found = [one for section in sections if section.about is wanted for one in _equations(section)]
        if wanted is None:
            found = everything or displayed
        if found:
            best = min(one.rank for one in found)
            said = dict.fromkeys(one.text for one in found if one.rank == best)
            return "\n".join(_with_intermediates(list(said), everything))
    return ""


def is_equation(line: str) -> bool:
    """Whether a line is an equation and nothing else."""
    plain = _BULLET.sub("", line).strip(" `*")
    match = None if re.search(r"[`\u3000-\u9fff，；。]", plain) else _LINE.match(plain)
    return (match is not None and _LITERAL.fullmatch(match["right"]) is None) or _copies(plain)


def _copies(line: str) -> bool:
    return re.fullmatch(rf"\s*{NAME}\s*=\s*[A-Za-z]\w{{0,2}}\s*", line) is not None


def _with_intermediates(taken: list[str], everything: Sequence[_Found]) -> list[str]:
    """The equations, after those that give what they read and do not give."""
    given = {_left(line) for text in taken for line in text.split("\n")}
    for one in reversed(everything):
        name = _left(one.text)
        reads = {word for text in taken for word in re.findall(NAME, text.partition("=")[2])}
        if name and name not in given and name in reads:
            taken.insert(0, one.text)
            given.add(name)
    return taken


def _left(text: str) -> str:
    match = re.match(rf"\s*(?P<name>{NAME})", text.partition("=")[0].strip(" {}\\"))
    return match["name"] if match and "=" in text else ""


def _equations(section: Section) -> Iterator[_Found]:
    for line in section.lines:
        if isinstance(line, Block):
            yield from _of_block(line)
        elif "|" in line and line.strip().startswith("|"):
            continue
        else:
            yield from _of_line(line)


def _of_block(block: Block) -> Iterator[_Found]:
    if block.language == "math" or block.language in _MATH_FENCES:
        lines = [block.text] if "\\begin" in block.text else block.text.split("\n")
        yield from (_Found(0, _one_line(line)) for line in lines if line.strip())
    elif block.language in _CODE_FENCES and not re.search(r"^\s*(?:def|class|import|from|return)\b", block.text, re.M):
        lines = _joined(block.text.split("\n"))
        equations = [line for line in lines if is_equation(line)]
        yield from (_Found(1, _one_line(line)) for line in equations)


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines with those put together whose brackets are open at the end."""
    found: list[str] = []
    depth = 0
    for line in lines:
        plain = re.sub(r"(?:#|//).*$", "", line)
        if depth > 0 and found:
            found[-1] += " " + plain.strip()
        else:
            found.append(plain.strip())
            depth = 0
        depth += sum(plain.count(sign) for sign in "([{") - sum(plain.count(sign) for sign in ")]}")
    return found


def _of_line(line: str) -> Iterator[_Found]:
    plain = _BULLET.sub("", line).strip()
    if is_equation(plain):
        worded = _WORDS.split(plain.strip("`* "), maxsplit=1)[0]
        yield _Found(2, _clause(_without_facts(worded)))
        return
    spans = [
        span for match in _SPAN.finditer(plain) for span in [match["double"] or match["single"] or match["dollar"]]
    ]
    equations = [span.strip() for span in spans if "=" in span and _has_equation(span)]
    if equations:
        yield from (_Found(2, text) for text in equations)
        return
    for part in re.split(r"[；;。]", plain):
        match = _IN_SENTENCE.search(part)
        if match is None:
            continue
        text = _WORDS.split(_clause(match["equation"]), maxsplit=1)[0]
        if _LITERAL.fullmatch(text.partition("=")[2]) is None:
            yield _Found(3, text)


def _has_equation(span: str) -> bool:
    left, _, right = span.partition("=")
    return bool(left.strip()) and _LITERAL.fullmatch(right) is None and not re.search(r"[<>!=]$", left.strip())


def _clause(text: str) -> str:
    """An equation without the sentence that goes on behind it."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "([{（") - (sign in ")]}）")
        if depth < 0 or (depth == 0 and _ENDS.match(text, at)):
            return _REMARK.sub("", text[:at]).strip()
    return _REMARK.sub("", text).strip()


def _without_facts(equation: str) -> str:
    """An equation without the type of what it gives, in parentheses behind it: ``hi = max(x)   (float [N])``."""
    match = _FACTS.search(equation)
    return equation[: match.start()] if match is not None and dtypes_in(match["facts"]) else equation


def _one_line(formula: str) -> str:
    return re.sub(r"\s+", " ", formula).strip(" `")
