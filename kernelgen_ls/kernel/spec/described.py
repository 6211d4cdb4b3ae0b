"""What prose says of an operator, whatever carries it: a comment, Markdown, a docstring.

The interface stands in sections, lists and tables (``items``), the formula wherever ``equations`` finds it. What the
words leave open of a parameter is told by the formula: what it gives is an output, what it reads an input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import define, evolve, field, frozen

from kernelgen_ls.kernel.dtypes import dtypes_in, find_dtype
from kernelgen_ls.kernel.formula.functions import find_function
from kernelgen_ls.kernel.spec.equations import formula_in, is_equation
from kernelgen_ls.kernel.spec.items import (
    Item,
    attribute_of,
    is_attribute,
    items_in,
    items_of,
    table_items,
    tensor_of,
)
from kernelgen_ls.kernel.spec.sections import About, Section, exactly_about, sections_of
from kernelgen_ls.kernel.spec.sides import outputs_of, reads_of
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor
from kernelgen_ls.kernel.spec.told import told, types_of_all, with_told
from kernelgen_ls.kernel.spec.words import NAME, operator_name, stated_shape, title_name

OWN = re.compile("workspace|tiling", re.IGNORECASE)
"""Parameters of an entry function that are none of the operator's tensors."""
_LISTS = (About.INPUTS, About.OUTPUTS, About.ATTRIBUTES, About.PARAMETERS)
_MARKED = re.compile(
    r"^\s*(?:[@\\:]param|:type\b|[-*]?\s*(?:in(?:put)?|out(?:put)?|attr(?:ibute)?|输入|输出|属性)\s*\d*\s*[:：]?\s+`?[A-Za-z_])",
    re.IGNORECASE,
)
_LIKE = re.compile(
    r"(?:same\s+(?P<what>(?:[\w,/]+\s+){0,12}?)(?:as|of)\s+(?:the\s+)?(?:input\s+)?|(?P<shape>shape)\s+of\s+|形状与\s*|与\s*|和\s*)"
    rf"[`\"]*(?P<name>{NAME})[`\"]*"
    r"(?P<after>\s*(?:同形状|的?[\u4e00-\u9fff、\s]*(?:shape|形状)?[\u4e00-\u9fff\s]*(?:相同|一致)))?"
)


@frozen
class Signature:
    """Names that are parameters for certain. ``tensors`` are all of them where the caller is a kernel's entry.

    ``order`` are a Python function's, ``defaults`` its defaults, ``kinds`` its annotations.
    """

    tensors: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    defaults: Mapping[str, str] = field(factory=dict)
    kinds: Mapping[str, str] = field(factory=dict)


def described(text: str, source: str, signature: Signature | None = None) -> Specification:
    """What a text says of an operator: its sections, items and formula, and nothing that it does not say."""
    return _Description(sections_of(text), signature or Signature()).read(source)


@define
class _Description:
    sections: list[Section]
    signature: Signature
    inputs: list[SpecTensor] = field(factory=list)
    outputs: list[SpecTensor] = field(factory=list)
    attributes: list[SpecAttribute] = field(factory=list)

    def read(self, source: str) -> Specification:
        formula = formula_in(self.sections)
        placed = [(about, item) for about, item in self._placed() if not OWN.search(item.name)]
        listed = [item.name for _, item in placed]
        given = {one.name for one in outputs_of(formula, [], [])} if formula else set()
        for side, item in placed:
            self._place(item, side, given)
        self._undeclared(formula, listed)
        self._by_sides(formula)
        self._told(formula, given)
        shape = common_shape(self.sections)
        self.inputs, self.outputs = _once(self.inputs), _once(self.outputs)
        names = {one.name for one in self.outputs}
        tensors = [self._like(one, shape) for one in self.inputs if one.name not in names]
        return Specification(
            name=self._name(),
            formula=formula,
            description=self._text(),
            inputs=tuple(tensors),
            outputs=tuple(self._like(one, shape, tensors) for one in self.outputs),
            attributes=tuple({one.name: one for one in reversed(self.attributes)}.values())[::-1],
            dtypes=self._common_dtypes(),
            sources=(source,),
        )

    def _placed(self) -> Iterator[tuple[About, Item]]:
        """Every parameter with the section that it stands in."""
        for section in self.sections:
            if section.about is About.OTHER:
                continue
            rows = [line for line in section.text.split("\n") if line.strip().startswith("|")]
            lines = (line for line in section.text.split("\n") if not line.strip().startswith("|"))
            prose = "\n".join(line for line in lines if not is_equation(line))
            tables = table_items(rows)
            yield from ((section.about, item) for item in tables)
            if section.about in _LISTS:
                yield from ((section.about, item) for item in items_in(prose, listed=True))
                continue
            if section.about is About.SHAPE:
                yield from ((About.PARAMETERS, item) for item in _shapes(section))
                continue
            for line in prose.split("\n"):
                items = list(items_of(line))
                # `x: half [N]; eps: float = 1e-6`: what is described beside a parameter is one too.
                beside = bool(items) and self._is_parameter(items[0], line)
                yield from (
                    (About.PARAMETERS, one) for one in items if (beside and one.facts) or self._is_parameter(one, line)
                )

    def _is_parameter(self, item: Item, line: str) -> bool:
        """Whether a line outside of every list is about a parameter: it is marked so, or has a type or a shape."""
        if _MARKED.match(line) or item.side is not None or item.name in self.signature.tensors:
            return True
        name = re.escape(item.name)
        plain = len(line) < 120 and re.match(rf"\s*(?:[-*+]\s+)?[`*]*{name}[`*]*\s*(?:[:：(（\[]|\s[-–—]|\s\s)", line)
        return bool(plain) and (bool(dtypes_in(item.facts)) or stated_shape(item.facts) is not None)

    def _place(self, item: Item, section: About, given: set[str]) -> None:
        defaults = {**self.signature.defaults}
        literal = [name for name in defaults if _is_literal(defaults[name])]
        attribute = item.name not in self.signature.tensors and is_attribute(item, section, literal)
        if attribute:
            self.attributes.append(attribute_of(item, defaults.get(item.name)))
            return
        side = item.side or section
        if side in (About.PARAMETERS, About.DESCRIPTION, About.FORMULA):
            side = About.OUTPUTS if item.name in given else About.INPUTS
        (self.outputs if side is About.OUTPUTS else self.inputs).append(tensor_of(item))

    def _by_sides(self, formula: str) -> None:
        """Where a side is not listed: of an entry's parameters those that an equation reads, and that it gives."""
        if not (self.inputs and self.outputs):
            reads, gives = _sides(formula, self.signature.tensors)
            self.inputs = self.inputs or [SpecTensor(name) for name in reads]
            self.outputs = self.outputs or [SpecTensor(name) for name in gives]

    def _told(self, formula: str, given: set[str]) -> None:
        """What sentences tell of the parameters that an entry has, or that the formula names."""
        words = [word for word in dict.fromkeys(re.findall(NAME, formula)) if find_function(word) is None]
        attributes = {one.name for one in self.attributes}
        reads = reads_of(formula, tuple(attributes))
        named = dict.fromkeys((*words, *reads))
        known = self.signature.tensors or tuple(one for one in named if one not in attributes)
        found = told(_with_facts(self._prose()), (*known, *(one.name for one in (*self.inputs, *self.outputs))))
        is_bare = not self.inputs
        listed = {one.name for one in (*self.inputs, *self.outputs)} | attributes
        for name in (one for one in known if one in found and one not in given and one not in listed):
            if is_bare or name in reads:
                self.inputs.append(SpecTensor(name))
        if not self.outputs and found:
            self.outputs = [SpecTensor(name) for name in known if name in found and name in given]
        self.inputs = [with_told(one, found) for one in self.inputs]
        self.outputs = [with_told(one, found) for one in self.outputs]

    def _prose(self) -> str:
        return "\n".join(section.text for section in self.sections if section.about is not About.OTHER)

    def _common_dtypes(self) -> tuple[str, ...]:
        """The element types of all tensors that have none of their own."""
        listed = dtypes_in("\n".join(one.text for one in self.sections if one.about is About.DTYPES))
        return listed or types_of_all(self._prose())

    def _undeclared(self, formula: str, listed: Sequence[str]) -> None:
        """Attributes that only a sentence declares: ``k is an attribute, 0.125 by default``."""
        for name in dict.fromkeys(re.findall(NAME, formula)):
            if name in listed or find_dtype(name) is not None or find_function(name) is not None:
                continue
            for section in self.sections:
                match = re.search(
                    rf"(?<!\w){re.escape(name)}`?\s*(?:为|是|\bis\s+an?\b)\s*"
                    r"(?P<rest>[^。，,.\n]{0,12}?(?:属性|attribute)[^。\n]*)",
                    section.text,
                )
                if match:
                    self.attributes.append(attribute_of(Item(name, text=match["rest"])))
                    break

    def _like(self, tensor: SpecTensor, shape: tuple[str, ...] | None, others: Sequence[SpecTensor] = ()) -> SpecTensor:
        """A tensor with the common shape, or with that of another which its words compare it with."""
        match = _LIKE.search(tensor.description)
        other = next((one for one in (*self.inputs, *others) if match and one.name == match["name"]), None)
        if (
            match is not None
            and other is not None
            and (match["what"] or match["shape"] or match["after"] or "形状" in match.group())
        ):
            words = match.group().lower()
            types = other.dtypes if not tensor.dtypes and re.search("type|类型", words) else tensor.dtypes
            shaped = re.search("shape|形状", words)
            found = other.shape if tensor.shape is None and shaped else tensor.shape
            tensor = evolve(tensor, dtypes=types, shape=found)
        return evolve(tensor, shape=shape) if tensor.shape is None and shape is not None else tensor

    def _name(self) -> str:
        for section in self.sections:
            if section.about is About.NAME:
                return operator_name(next((line for line in section.text.split("\n") if line.strip()), ""))
        first = next((one for one in self.sections if one.level), None)
        return title_name(first.title) if first is not None and first is self.sections[0] else ""

    def _text(self) -> str:
        """What the operator does, in its author's words: the first paragraph that is neither parameters nor formula."""
        for section in self.sections:
            if section.about not in (About.DESCRIPTION, About.NAME):
                continue
            lines = section.text.split("\n")[1 if section.about is About.NAME else 0 :]
            prose = [
                "" if is_equation(line) or _MARKED.match(line) or line.strip().startswith("|") else line
                for line in lines
            ]
            for paragraph in re.split(r"\n[ \t]*\n", "\n".join(prose)):
                plain = re.sub(r"\s+", " ", paragraph).strip()
                if plain and not plain.startswith(("- ", "计算公式")):
                    return plain
        return ""


def _with_facts(prose: str) -> str:
    """A text whose equations are the types behind them: ``hi = max(x)  (half [N])`` is ``hi: half [N]``."""
    return re.sub(rf"^[ \t]*({NAME})[ \t]*=[ \t].*\s\(([^()]*)\)[ \t]*$", r"\1: \2", prose, flags=re.MULTILINE)


def _shapes(section: Section) -> list[Item]:
    """The parameters whose shapes a section lists: ``x: (N, D)``. ``Input`` and ``Output`` are no names."""
    found = [item for line in section.text.split("\n") for item in items_of(line)]
    return [
        evolve(item, kind="", text="", shape=item.facts)
        for item in found
        if exactly_about(item.name) is None and stated_shape(item.facts, column=True) is not None
    ]


def common_shape(sections: Sequence[Section]) -> tuple[str, ...] | None:
    """The shape that is said of all tensors together."""
    listed = [one for one in sections if one.about is About.SHAPE and not _shapes(one)]
    return next((stated_shape(one.text, column=True) for one in listed), None)


def _is_literal(text: str) -> bool:
    return bool(re.fullmatch(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?|True|False|'[^']*'|\"[^\"]*\"", text))


def _once(tensors: Sequence[SpecTensor]) -> list[SpecTensor]:
    """Each tensor once, with what all its descriptions say together."""
    found: dict[str, SpecTensor] = {}
    for one in tensors:
        had = found.get(one.name)
        if had is None:
            found[one.name] = one
            continue
        found[one.name] = evolve(
            had,
            dtypes=had.dtypes or one.dtypes,
            shape=had.shape if had.shape is not None else one.shape,
            requirement=had.requirement if had.requirement != "required" else one.requirement,
            description=had.description or one.description,
        )
    return list(found.values())


def _sides(formula: str, parameters: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return which parameters an equation reads and which it gives; those it does not name are neither."""
    left: set[str] = set()
    right: set[str] = set()
    for line in formula.splitlines():
        target, mark, value = line.partition("=")
        if mark:
            left |= set(re.findall(NAME, target))
            right |= set(re.findall(NAME, value))
    outputs = [name for name in parameters if name in left]
    return [name for name in parameters if name in right and name not in outputs], outputs
