"""Runs a model's chat template, which is a program that came with a file from the internet.

Jinja's sandbox keeps it from everything but its input. What the sandbox does not bound is bounded here: a template
pays for every pass of a loop and for every character that it makes, and what makes much of little (``center``,
``*``) is not there. The names that a template finds are those that transformers and llama.cpp give it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from kernelgen_ls.model.messages import MOST_TEMPLATE_CHARS

T = TypeVar("T")

_BUDGET = 1_000_000
"""Characters that a template may make; a pass of a loop or a piece of JSON counts as ``_PASS`` more. Published
templates need a few thousand."""
_PASS = 100
_LONGEST = 200_000
"""Characters or entries of one value."""
_LONGEST_RANGE = 10_000
_NO_FILTERS = (
    "batch", "center", "filesizeformat", "format", "forceescape", "groupby", "pprint", "random", "slice", "striptags",
    "sum", "truncate", "urlize", "wordwrap", "xmlattr",
)  # fmt: skip
_NO_METHODS = frozenset(
    {"center", "encode", "expandtabs", "format", "format_map", "ljust", "maketrans", "rjust", "translate", "zfill"}
)


class ChatTemplateError(ValueError):
    """A template cannot be used; the text says why, to be read behind "its chat template"."""


def render(template: str, messages: Sequence[dict[str, str]], *, thinking: bool, begin: str, end: str) -> str:
    """What ``template`` makes of ``messages``, up to where the model's answer begins.

    ``begin`` and ``end`` are the texts of the model's BOS and EOS tokens. Raises :class:`ChatTemplateError` whatever
    is wrong.
    """
    if len(template) > MOST_TEMPLATE_CHARS:
        raise ChatTemplateError(f"is too long: {len(template)} characters of at most {MOST_TEMPLATE_CHARS}")
    try:
        environment = _Bounded()
        program = environment.from_string(_Metered().visit(environment.parse(template)))
        return program.render(
            messages=list(messages),
            add_generation_prompt=True,
            bos_token=begin,
            eos_token=end,
            enable_thinking=thinking,
            thinking=thinking,
            tools=None,
            documents=None,
        )
    except ChatTemplateError:
        raise
    except Exception as error:
        # It is a foreign program: whatever it raises is its failure, a RecursionError as well as a SyntaxError.
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ChatTemplateError(f"fails: {reason[:200]}") from error


class _Bounded(ImmutableSandboxedEnvironment):
    """The sandbox with a budget. One environment renders once."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=self.text,
            extensions=["jinja2.ext.loopcontrols", _GenerationTag],
        )
        self._left = _BUDGET
        self.globals.update(raise_exception=_refuse, strftime_now=time.strftime, range=self._range)
        del self.globals["lipsum"]
        for name in _NO_FILTERS:
            del self.filters[name]
        self.filters.update(
            join=self._join, replace=self._replace, indent=self._indent, tojson=self._tojson, string=self.text
        )

    def spend(self, amount: int) -> None:
        """Take from the budget. Raises :class:`ChatTemplateError` where it is used up."""
        self._left -= amount
        if self._left < 0:
            raise ChatTemplateError("does not end, or writes without end")

    def text(self, value: object) -> str:
        """A value as text: lists and maps are only shown by ``tojson``, which pays as it goes."""
        if isinstance(value, (list, tuple, dict)):
            raise ChatTemplateError("writes a list or a map as text")
        made = str(value)
        self.spend(len(made))
        return made

    def tilde(self, *values: object) -> str:
        """The operator ``~``."""
        return self._made("".join(self.text(value) for value in values))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """The operators that can make much of little: of texts and lists only sums are left."""
        if operator != "+" and not all(isinstance(side, (int, float)) for side in (left, right)):
            raise ChatTemplateError(f"computes with texts or lists ({operator})")
        if operator == "**":
            raise ChatTemplateError("computes powers")
        return self._made(super().call_binop(context, operator, left, right))

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 # as in Jinja: a template may pass an argument named self
        """A call; a text's own methods pay for what they make."""
        owner, name = getattr(__obj, "__self__", None), getattr(__obj, "__name__", "")
        if isinstance(owner, str):
            if name == "replace":
                return __self._replace(owner, *args, **kwargs)
            if name == "join":
                return __self._join(args[0], owner)
        return super().call(__context, __obj, *args, **kwargs)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may have an attribute."""
        return super().is_safe_attribute(obj, attr, value) and not (isinstance(obj, str) and attr in _NO_METHODS)

    def wrap_str_format(self, value: Any) -> None:
        """``format`` is no method that a template may call."""

    def unsafe_undefined(self, obj: Any, attribute: str) -> Undefined:
        """What Jinja would show as nothing is a reason not to use the template."""
        raise ChatTemplateError(f"reaches for {attribute!r} of a {type(obj).__name__}")

    def _made(self, value: T) -> T:
        if isinstance(value, (str, list, tuple)):
            self.spend(len(value))
            if len(value) > _LONGEST:
                raise ChatTemplateError("writes without end")
        return value

    def _range(self, *arguments: int) -> range:
        numbers = range(*arguments)
        if len(numbers) > _LONGEST_RANGE:
            raise ChatTemplateError(f"counts to {len(numbers)}")
        return numbers

    def _join(self, value: Iterable[object], d: str = "", attribute: str | None = None) -> str:
        parts = [self.text(self.getitem(part, attribute) if attribute else part) for part in value]
        self.spend(len(d) * len(parts))
        return self._made(d.join(parts))

    def _replace(self, s: str, old: str, new: str, count: int = -1) -> str:
        self.spend(len(s) + len(new) * (s.count(old) if old else len(s) + 1))
        return self._made(s.replace(old, new, -1 if count is None else count))

    def _indent(self, s: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
        filler = width if isinstance(width, str) else " " * min(int(width), 64)
        lines = s.split("\n")
        self.spend(len(s) + len(filler) * len(lines))
        # As Jinja's: the first line and empty ones only where they are asked for.
        bare = [not (line or blank) or not (at or first) for at, line in enumerate(lines)]
        return "\n".join(line if as_is else filler + line for line, as_is in zip(lines, bare, strict=True))

    def _tojson(self, value: object, ensure_ascii: bool = False, indent: int | None = None, **options: object) -> str:
        parts: list[str] = []
        for part in json.JSONEncoder(ensure_ascii=ensure_ascii, indent=indent and min(indent, 8)).iterencode(value):
            self.spend(_PASS + len(part))
            parts.append(part)
        return "".join(parts)


class _Metered(NodeTransformer):
    """Has every pass of a loop and every call of a macro pay, and ``~`` go through the environment."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 # as Jinja names them
        """A loop."""
        return self._paying(node)

    def visit_Macro(self, node: nodes.Macro) -> nodes.Node:  # noqa: N802 # as Jinja names them
        """A macro, which may call itself."""
        return self._paying(node)

    def visit_CallBlock(self, node: nodes.CallBlock) -> nodes.Node:  # noqa: N802 # as Jinja names them
        """A block that a macro may call."""
        return self._paying(node)

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802 # as Jinja names them
        """The operator ``~``."""
        self.generic_visit(node)
        return _call("tilde", node.nodes, node.lineno)

    def _paying(self, node: nodes.For | nodes.Macro | nodes.CallBlock) -> nodes.Node:
        self.generic_visit(node)
        cost = _PASS + sum(len(data.data) for data in node.find_all(nodes.TemplateData))
        # No template can name what an EnvironmentAttribute is: it cannot be shadowed.
        node.body.insert(0, nodes.ExprStmt(_call("spend", [nodes.Const(cost)], node.lineno), lineno=node.lineno))
        return node


def _call(method: str, arguments: list[nodes.Expr], lineno: int) -> nodes.Call:
    call = nodes.Call(nodes.EnvironmentAttribute(method), arguments, [], None, None)
    return call.set_lineno(lineno)  # type: ignore[return-value]  # it returns the node itself


class _GenerationTag(Extension):
    """``{% generation %}`` marks what a training learns; for a prompt it is nothing."""

    tags = {"generation"}  # noqa: RUF012 # as Jinja declares it

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """The marked part as it is."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _refuse(message: str) -> None:
    raise ChatTemplateError(f"refuses these turns: {str(message).strip()[:200]}")
