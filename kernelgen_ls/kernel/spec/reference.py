"""Reference code in Python: what computes an operator's outputs, in a fence of a description or in a file of its own.

It is read as a formula (``kernel/formula``) and never executed.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings

_FENCE = re.compile(
    r"^[ \t]*(?:```|~~~)[ \t]*(?P<language>\w*)[^\n]*\n(?P<code>.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)"
    r"|^[ \t]*[@\\]code(?:\{\.(?P<doxygen>\w+)\})?[^\n]*\n(?P<between>.*?)(?:^[ \t]*[@\\]endcode\b[^\n]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_LANGUAGES = ("", "python", "py", "python3")
_RETURN = re.compile(r"^[ \t]*return[ \t(\[]", re.MULTILINE)
_METHODS = ("forward", "__call__")


def reference_in(text: str) -> str:
    """The first Python in a text's fences (also Doxygen's ``@code``) that returns something; "" where there is none."""
    for match in _FENCE.finditer(text):
        language, code = match["language"] or match["doxygen"] or "", match["code"] or match["between"] or ""
        if language.lower() in _LANGUAGES and _RETURN.search(code):
            return textwrap.dedent(code).strip("\n")
    return ""


def without_references(text: str) -> str:
    """The text with every fence of Python that returns something blanked out, line by line."""

    def blank(match: re.Match[str]) -> str:
        code = match["code"] or match["between"] or ""
        return "\n" * match.group().count("\n") if _RETURN.search(code) else match.group()

    return _FENCE.sub(blank, text)


def parsed(text: str) -> ast.Module | None:
    """A text in Python as a tree; None where it is none. Nobody is warned of the escapes in its strings."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def reference_of_module(text: str) -> str:
    """What a Python file computes: its first class with a ``forward``, and its functions; "" without such a class.

    Imports and further classes, as that which calls the kernel, are left out, and so is what documents them.
    """
    module = parsed(text)
    if module is None:
        return ""
    models = [one for one in module.body if isinstance(one, ast.ClassDef) and any(map(_is_forward, one.body))]
    kept: list[ast.stmt] = [one for one in module.body if isinstance(one, ast.FunctionDef) or one in models[:1]]
    if not models:
        return ""
    for one in ast.walk(ast.Module(kept, [])):
        if isinstance(one, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(one, clean=False) is not None:
            one.body = one.body[1:] or [ast.Pass()]
    return "\n\n".join(map(ast.unparse, kept))


def _is_forward(member: ast.stmt) -> bool:
    return isinstance(member, ast.FunctionDef) and member.name in _METHODS
