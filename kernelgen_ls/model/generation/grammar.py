"""The GBNF grammar that holds an answer to its frame: what the code is, only the checker can say."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kernelgen_ls.model.prompts import frame

# Inside a fence anything goes but three backquotes. White space in front is bounded: a model that may write line breaks
# for ever sometimes does.
_LINE = "\n"
_LEAD = r'lead ::= ( "\n" ( "\n" "\n"? )? )?'
_CODE = r'code ::= ( [^`] | "`" [^`] | "``" [^`] )+'


def answer_grammar(paths: Sequence[str]) -> str:
    """The grammar of an answer after its reasoning: one tagged block, or a headed block for each path."""
    if paths:
        answer = f" {_text(_LINE)} ".join(f"{_text(frame.header(path) + _LINE)} fence" for path in paths)
    else:
        answer = f"{_text(frame.TAG + _LINE)} fence {_text(_LINE + frame.TAG_END)}"
    fence = f"fence ::= {_text(frame.FENCE_START)} code {_text(_LINE + frame.FENCE)}"
    return f"root ::= lead {answer} {_text(_LINE)}?\n{_LEAD}\n{fence}\n{_CODE}\n"


def _text(literal: str) -> str:
    """A literal as GBNF spells it, which is as JSON does."""
    return json.dumps(literal, ensure_ascii=True)
