"""One line about one parameter: its name, on which side it stands, its element types, shape, default.

``- `x` (float16, [N, D]): the operand``, ``x : torch.Tensor, shape (N, D)``, ``@param[in] x half``, a row of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from kernelgen_ls.kernel.dtypes import TORCH_METHODS, dtypes_in, find_dtype
from kernelgen_ls.kernel.spec.lines import LONGEST_LINE
from kernelgen_ls.kernel.spec.sections import About
from kernelgen_ls.kernel.spec.specification import SpecAttribute, SpecTensor
from kernelgen_ls.kernel.spec.words import NAME, SCALARS, stated_shape


@frozen
class Item:
    """``side`` is what its own words say of where it stands, None where they do not; ``kind`` stands in parentheses
    behind the name, ``text`` is the rest. ``shape`` is a table's column."""

    name: str
    side: About | None = None
    kind: str = ""
    text: str = ""
    default: str | None = None
    shape: str = ""

    @property
    def facts(self) -> str:
        """All its words."""
        return f"{self.kind} {self.text} {self.shape}".strip()


_BULLET = re.compile(r"^\s*(?:[-*+•·]|\d+(?:\.\d+)*[.)、）]?)\s+")
_ONE = rf"(?:\*\*|\*|`){{0,3}}(?:{NAME}|\*\w+)(?:\*\*|\*|`){{0,3}}"
_PARTS = re.compile(
    rf"^\s*(?P<name>{_ONE})\s*"
    r"(?P<kind>(?:(?:\[(?:in|out|inout|in,\s*out|输入|输出)\]|[(（](?:[^()（）]|[(（][^()（）]*[)）])*[)）])\s*)*)"
    r"(?P<mark>[:：]|[-–—]+(?=\s)|(?=\s)|$)\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_PARAM = re.compile(r"^\s*[@\\:]param(?:eter)?\s*(?P<side>\[[^\]]*\])?\s+(?P<rest>.+)$", re.IGNORECASE)
_FIELD = re.compile(
    rf"^\s*:(?P<key>param|parameter|arg|type)\s+(?:(?P<type>[\w.\[\], ]+?)\s+)?(?P<name>{NAME})\s*:\s*(?P<rest>.*)$"
)
_SIDED = re.compile(
    r"^\s*(?P<side>in(?:put)?|out(?:put)?|attr(?:ibute)?|输入|输出|属性|入参|出参)\s*(?:\d+\s*[:：]?|\s)\s*(?P<rest>[A-Za-z_`*].*)$",
    re.IGNORECASE,
)
_SIDES = (
    (About.ATTRIBUTES, re.compile(r"\battr(?:ibute)?s?\b|属性", re.IGNORECASE)),
    (About.OUTPUTS, re.compile(r"\bout(?:put)?\b|输出|出参", re.IGNORECASE)),
    (About.INPUTS, re.compile(r"\bin(?:put)?\b|输入|入参", re.IGNORECASE)),
)
_WORDS_OF_SENTENCES = """
    shape shapes dtype dtypes type types default defaults optional required same any all each and or the an of with
    for nd format note notes if as is must may can scalar values returns return tensor tensors tuple list torch none
"""
_PLAIN = frozenset(_WORDS_OF_SENTENCES.split())
"""What begins no item: words of a sentence."""
_IS_PROSE = re.compile(r"[A-Za-z]")
_LITERAL = (
    r"[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,9})?f?(?![\w.]{0,40}[A-Za-z_])|True\b|False\b|None\b|true\b|false\b"
    r"|'[^']*'|\"[^\"]*\""
)
_DEFAULT = re.compile(
    rf"(?:\bdefaults?(?:\s+(?:value|to|is|of))*|默认值?(?:为|是)?|缺省值?(?:为|是)?)(?:\s*[:：=])?\s*[`]*(?P<value>{_LITERAL})",
    re.IGNORECASE,
)
_BY_DEFAULT = re.compile(rf"(?<!\w)(?P<value>{_LITERAL})`?\s+by\s+default", re.IGNORECASE)
_COLUMN = re.compile(r"^(?P<side>in|out|input|output|attr)\s{2,}(?P<rest>\S.*)$", re.IGNORECASE)
_ARROW = re.compile("->|→|⟶")
_ASSIGNED = re.compile(rf"^\s*(?:[A-Za-z]+\s*)?=\s*`?(?P<value>{_LITERAL}|\S+)")
_LAST = re.compile(rf"(?:^|[,，:：]\s*)`?(?P<value>{_LITERAL})`?\s*[.。]?$")
_TENSOR = re.compile(r"\btensor|张量|aclTensor|GM_ADDR|GM address|ndarray|Tensor\b", re.IGNORECASE)
_SCALAR = re.compile(r"\b(?:attr(?:ibute)?|scalar|float|int|integer|bool|str|string|double)\b|属性|标量", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b(?:attribute|attr|python\s+(?:float|int|bool|scalar)|scalar)\b|属性|标量", re.IGNORECASE)
_TYPED_TENSOR = re.compile(
    r"(?:torch\.)?(?:cuda\.)?(?P<type>Float|Half|BFloat16|Double|Char|Short|Int|Long|Byte|Bool)Tensor"
)
_OPTIONAL = re.compile(r"\boptional\b|可选", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\btensors?\s*(?:,|or)\s*(?:a\s+)?(?:tensor\s*list|list)|list\s*,?\s+or\b", re.IGNORECASE)
_LIST = re.compile(r"tensor\s*list|list\s*(?:of\s+|\[)\s*(?:torch\.)?tensors?|aclTensorList|动态输入", re.IGNORECASE)


def side_of(words: str) -> About | None:
    """On which side words put a parameter; None where they do not say."""
    return next((side for side, pattern in _SIDES if pattern.search(words)), None)


def items_in(text: str, *, listed: bool = False) -> Iterator[Item]:
    """The parameters that the lines of a section name; ``listed`` takes bare names (``a, b``) too.

    A line that is further in than the parameter above it goes on about that.
    """
    held: Item | None = None
    margin = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        found = list(items_of(line, listed=listed)) if not (held is not None and indent > margin) else []
        if found:
            if held is not None:
                yield held
            *first, held = found
            yield from first
            margin = indent
        elif held is not None and indent >= margin and len(held.text) < LONGEST_LINE:
            held = evolve(held, text=f"{held.text} {line.strip()}".strip())
    if held is not None:
        yield held


def items_of(line: str, *, listed: bool = False) -> Iterator[Item]:
    """The parameters that one line names."""
    if (field := _FIELD.match(line)) is not None:
        kind = field["rest"] if field["key"] == "type" else field["type"] or ""
        text = "" if field["key"] == "type" else field["rest"]
        yield Item(field["name"], side_of(kind), kind, text, _assigned(text))
        return
    if (match := _PARAM.match(line)) is not None:
        yield from _items(match["rest"], side_of(match["side"] or ""), listed=True, sure=True)
        return
    if (sided := _SIDED.match(_BULLET.sub("", line))) and not re.match(r"[A-Za-z]+\s*=", sided["rest"]):
        found = list(_items(sided["rest"], side_of(sided["side"]), listed=True))
        if found:
            yield from found
            return
    listed = listed or bool(_BULLET.match(line))
    plain = _BULLET.sub("", line)
    taken, *given = _ARROW.split(plain, maxsplit=1)
    returned = _items(given[0], About.OUTPUTS, listed=True) if given else []
    if not all(one.facts for one in returned):
        returned = []
    # `x (float, [N]) -> y (float, [N])`
    yield from _items(taken if returned else plain, None, listed=listed)
    yield from returned


def _items(text: str, side: About | None, *, listed: bool, sure: bool = False) -> list[Item]:
    """The parameters of a text; ``sure``: it begins with one for certain."""
    found: list[Item] = []
    for mark, part in _split(text):
        item = (
            _item(part, side, listed=listed, sure=sure)
            if not found
            else _another(part, side, mark, found[-1], listed=listed)
        )
        if item is not None:
            found.append(item)
        elif found:
            found[-1] = evolve(found[-1], text=f"{found[-1].text}{mark} {part}".strip())
        else:
            return []
    # Of `x, y: float16 [N]` both are described.
    for at in range(len(found) - 2, -1, -1):
        if not found[at].facts:
            found[at] = evolve(found[at + 1], name=found[at].name)
    return found


def _split(text: str) -> Iterator[tuple[str, str]]:
    """The parts between commas and semicolons where no bracket is open, each with the sign before it."""
    depth, start, mark = 0, 0, ""
    for at, sign in enumerate(text):
        depth += (sign in "([（{") - (sign in ")]）}")
        if depth <= 0 and sign in ",，;；、":
            yield mark, text[start:at].strip()
            start, mark = at + 1, sign
    yield mark, text[start:].strip()


def _item(part: str, side: About | None, *, listed: bool, sure: bool = False) -> Item | None:
    """The parameter that a text begins with; ``listed`` where it stands in a list of them."""
    match = _PARTS.match(part)
    name = match["name"].strip("*` ") if match is not None else ""
    if match is None or not re.fullmatch(NAME, name):
        return None
    if not (sure or match["name"].startswith("`")) and (name.lower() in _PLAIN or find_dtype(name) is not None):
        return None
    kind, rest = match["kind"].strip(), match["rest"].strip()
    marked = match["mark"].strip() != ""
    said = marked or bool(kind) or bool(dtypes_in(rest.split(" ")[0])) or _COLUMN.match(rest) is not None
    if not (said or listed) or (rest.startswith("=") and not listed):
        return None
    if not (said or sure) and side is None and _IS_PROSE.match(rest):
        return None  # a sentence
    own = side_of(kind) if kind else None
    if (column := _COLUMN.match(rest)) is not None:
        own, rest = side_of(column["side"]), column["rest"]
    return Item(name, own if own is not None else side, kind, rest, _assigned(rest))


def _another(part: str, side: About | None, mark: str, before: Item, *, listed: bool) -> Item | None:
    """The parameter that begins behind a comma: what looks like one, since a description has commas too."""
    if (sided := _SIDED.match(part)) is not None and before.facts:
        side, part, listed = side_of(sided["side"]), sided["rest"], True  # `input x half [N], output y half [N]`
    item = _item(part, side, listed=listed)
    if item is None:
        return None
    if sided is not None and dtypes_in(item.facts):
        return item
    if not item.facts:
        return item if listed and not before.facts else None
    if mark in ";；":
        return item
    if item.name.lower() in ("in", "out", "to", "by", "on") and not re.match(rf"{_ONE}\s*[:：]", part):
        return None
    begins = re.match(r"[\[(]", item.text) or dtypes_in(item.text.split(" ")[0]) or dtypes_in(item.kind)
    described = re.match(rf"{_ONE}\s*[:：]", part) and (dtypes_in(item.facts) or stated_shape(item.facts))
    return item if begins or described or not before.facts else None


def _assigned(text: str) -> str | None:
    match = _ASSIGNED.match(text)
    return match["value"].rstrip(".,;，。") if match else None


def table_items(rows: Sequence[str]) -> list[Item]:
    """The parameters of a Markdown table; none where it has no column of names."""
    cells = [[cell.strip(" `*") for cell in row.strip().strip("|").split("|")] for row in rows]
    if len(cells) < 3 or not all(set(cell) <= set("-: ") for cell in cells[1]):
        return []
    head = [cell.lower() for cell in cells[0]]
    columns = {
        "name": _column(head, r"参数名|参数|名称|^name|parameter|tensor|argument"),
        "side": _column(head, r"输入.*输出|in.*out|direction|类别|^kind|^role|^i/?o$|种类"),
        "shape": _column(head, r"shape|形状|维度|dims?$"),
        "default": _column(head, r"default|默认|缺省"),
    }
    named = columns["name"]
    if named is None:
        return []
    found = []
    for row in cells[2:]:
        if named >= len(row) or not re.fullmatch(NAME, row[named]):
            continue
        taken = {at for at in columns.values() if at is not None}
        side, shape, default = (_cell(row, columns[key]) for key in ("side", "shape", "default"))
        text = " ".join(cell for at, cell in enumerate(row) if at not in taken)
        found.append(Item(row[named], side_of(side), "", text, default or None, shape))
    return found


def _column(head: Sequence[str], pattern: str) -> int | None:
    return next((at for at, cell in enumerate(head) if re.search(pattern, cell)), None)


def _cell(row: Sequence[str], at: int | None) -> str:
    return row[at] if at is not None and at < len(row) else ""


def default_of(item: Item, *, attribute: bool = False) -> str | None:
    """The default that an item's words give; a number that stands alone is one of an ``attribute``."""
    if item.default is not None:
        return item.default
    match = (
        _DEFAULT.search(item.facts)
        or _BY_DEFAULT.search(item.facts)
        or (_LAST.search(item.facts) if attribute else None)
    )
    return match["value"].strip("`") if match else None


def is_attribute(item: Item, side: About, defaults: Sequence[str] = ()) -> bool:
    """Whether an item in a section about ``side`` is an attribute; ``defaults`` are those with a default elsewhere."""
    side = item.side or side
    if side in (About.ATTRIBUTES, About.OUTPUTS):
        return side is About.ATTRIBUTES
    shape = tensor_shape(item)
    if shape:
        return False
    by_name = item.name in SCALARS or item.name in defaults
    if by_name or default_of(item) is not None:
        # What a later sentence says of tensors is about all parameters.
        return not _TENSOR.search(f"{item.kind} {re.split('[.。]', item.text)[0]}")
    if _TENSOR.search(item.facts):
        return bool(_ATTRIBUTE.search(item.kind))
    return bool(_SCALAR.search(item.kind)) or bool(_ATTRIBUTE.search(item.text))


def tensor_of(item: Item) -> SpecTensor:
    """The tensor that an item describes."""
    facts = _TYPED_TENSOR.sub(lambda match: TORCH_METHODS[match["type"].lower()].name, item.facts)
    # "a tensor, a list of tensors, or ..." is about operators of every kind.
    listed = _LIST.search(facts) is not None and not _ALTERNATIVES.search(facts)
    requirement = "dynamic" if listed else "optional" if _OPTIONAL.search(facts) else "required"
    return SpecTensor(item.name, dtypes_in(facts), tensor_shape(item), requirement, item.text or item.kind)


def tensor_shape(item: Item) -> tuple[str, ...] | None:
    """The shape that an item's words give."""
    return stated_shape(item.shape, column=True) if item.shape else stated_shape(f"{item.kind} {item.text}")


def attribute_of(item: Item, default: str | None = None) -> SpecAttribute:
    """The attribute that an item describes; ``default`` is the one of a signature."""
    written = re.search(r"\b(float|int|integer|bool|string|str|double)(?:32|64)?\b", item.facts, re.IGNORECASE)
    types = {"str": "string", "double": "float", "integer": "int"}
    found = written.group(1).lower() if written else ""
    value = default if default is not None else default_of(item, attribute=True)
    return SpecAttribute(item.name, types.get(found, found), value, item.text)
