"""The GBNF grammar that holds an answer to its frame: what the code is, only the checker can say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_NAME = "answer.gbnf"
_ROOT = "@ROOT@"


def answer_grammar(paths: Sequence[str]) -> str:
    """The grammar of an answer after its reasoning: one ``<kernel_impl>`` block, or a headed block for each path."""
    if not paths:
        root = '"<kernel_impl>\\n" fence "\\n</kernel_impl>"'
    else:
        line = "=" * 18
        root = ' "\\n" '.join(f'{json.dumps(f"{line} {path} {line}", ensure_ascii=True)} "\\n" fence' for path in paths)
    return _template().replace(_ROOT, root)


@cache
def _template() -> str:
    """The grammar's file: beside the package in a checkout, inside it in a wheel."""
    here = Path(__file__).resolve()
    for folder in (here.parents[2] / "grammars", here.parents[3] / "grammars"):
        if (folder / _NAME).is_file():
            return (folder / _NAME).read_text("utf-8")
    raise FileNotFoundError(f"{_NAME} is missing from this installation; install kernelgen-ls again")
