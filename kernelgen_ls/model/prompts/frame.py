"""The frame of an answer: how files stand in it. Prompts ask for it, the parser reads it, the grammar holds to it.

After its reasoning a model answers with one kernel between ``<kernel_impl>`` tags, or with one block a file, each under
a line ``================== op_kernel/add.cpp ==================``. The code stands in a fence. It is the frame that
KernelGen-LM was trained on; the starter has it too.
"""

from __future__ import annotations

import re

THINK = "<think>"
THINK_END = "</think>"
TAG = "<kernel_impl>"
TAG_END = "</kernel_impl>"
FENCE = "```"
FENCE_START = f"{FENCE}cpp\n"
_RULE = "=" * 18

STOP_TEXTS = (FENCE, TAG_END, TAG, _RULE)
"""What ends a file's text inside the frame, should the model write it."""

TAGGED = re.compile(rf"{TAG}(?P<body>.*?)(?:{TAG_END}|\Z)", re.DOTALL)
"""A tagged block, or the rest of a text where its end is missing."""
FENCED = re.compile(rf"{FENCE}[A-Za-z+]*[ \t]*\n(?P<code>.*?)(?P<end>^[ \t]*{FENCE}|\Z)", re.DOTALL | re.MULTILINE)
"""A fence and its code; ``end`` is empty where it is not closed."""
HEADER = re.compile(
    r"^={8,}[ \t]*(?P<path>[\w./-]+\.(?:h|hpp|cpp|cc))[ \t]*={8,}[ \t]*$",  # models do not count: shorter ones too
    re.MULTILINE,
)
"""A header line and the path it names."""


def fenced(code: str) -> str:
    """Code in a fence, without white space at its end."""
    return f"{FENCE_START}{code.rstrip()}\n{FENCE}"


def tagged(code: str) -> str:
    """The answer that is one kernel."""
    return f"{TAG}\n{fenced(code)}\n{TAG_END}"


def header(path: str) -> str:
    """The line above a file's fence, without its line break."""
    return f"{_RULE} {path} {_RULE}"


def headed(path: str, code: str) -> str:
    """One file of an answer that has several."""
    return f"{header(path)}\n{fenced(code)}"


def opening(path: str) -> str:
    """What stands before a file's text in an answer: host files have their header line, a kernel its tag."""
    return f"{header(path)}\n{FENCE_START}" if path.startswith("op_host/") else f"{TAG}\n{FENCE_START}"
