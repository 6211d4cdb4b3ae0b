"""A described operator's text as sections: what each is about, its lines, and what stands in fences and formulas.

Headings are Markdown's (``## Inputs``, ``**Inputs**``), a docstring's (``Args:``, ``Parameters`` above dashes), a
comment's (``输入：``, ``【输入】``), numbered or not, alone on a line or with their text behind them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from enum import Enum, auto

from attrs import define, field, frozen

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.spec.lines import readable


class About(Enum):
    """What a section says."""

    NAME = auto()
    INPUTS = auto()
    OUTPUTS = auto()
    ATTRIBUTES = auto()
    PARAMETERS = auto()
    """Inputs, outputs and attributes together."""
    DTYPES = auto()
    SHAPE = auto()
    FORMULA = auto()
    DESCRIPTION = auto()
    OTHER = auto()
    """Examples, constraints, and whatever else says nothing of the interface."""


@frozen
class Block:
    """A fence of code or a displayed formula: ``language`` is the fence's, ``math`` for a formula."""

    language: str
    text: str


@frozen
class Section:
    """``lines`` are its text, line by line, with a block where one stands; ``level`` is 0 before the first heading."""

    about: About
    title: str
    lines: tuple[str | Block, ...]
    level: int = 0

    @property
    def text(self) -> str:
        """Its prose."""
        return "\n".join(line for line in self.lines if isinstance(line, str))

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Its fences and formulas."""
        return tuple(line for line in self.lines if isinstance(line, Block))


_EXACT: dict[str, About] = {
    **dict.fromkeys(("op", "operator", "name", "op name", "算子", "算子名", "算子名称"), About.NAME),
    **dict.fromkeys(
        ("input", "inputs", "in", "input tensors", "输入", "输入参数", "输入说明", "入参", "输入张量"), About.INPUTS
    ),
    **dict.fromkeys(
        (
            *("output", "outputs", "out", "output tensors", "return", "returns", "return value", "yields"),
            *("result", "results"),
            *("输出", "输出参数", "输出说明", "出参", "输出张量", "返回", "返回值"),
        ),
        About.OUTPUTS,
    ),
    **dict.fromkeys(("attribute", "attributes", "attr", "attrs", "属性", "属性参数", "属性说明"), About.ATTRIBUTES),
    **dict.fromkeys(
        (
            *("parameters", "params", "parameter", "arguments", "args", "keyword args", "tensors", "interface"),
            *("参数", "参数说明", "参数列表", "输入输出", "输入输出参数", "接口参数"),
        ),
        About.PARAMETERS,
    ),
    **dict.fromkeys(
        (
            *("dtype", "dtypes", "types", "type", "data type", "data types", "supported dtypes"),
            *("supported data types", "数据类型", "支持的数据类型", "支持数据类型"),
        ),
        About.DTYPES,
    ),
    **dict.fromkeys(("shape", "shapes", "形状", "维度"), About.SHAPE),
    **dict.fromkeys(
        (
            *("formula", "formulas", "formulae", "math", "mathematics", "equation", "definition", "computation"),
            *("computes", "compute", "expression", "semantics"),
            *("公式", "计算公式", "数学公式", "数学表达式", "计算", "计算逻辑"),
        ),
        About.FORMULA,
    ),
    **dict.fromkeys(
        (
            *("brief", "description", "summary", "purpose", "function", "overview", "desc", "details"),
            *("功能", "功能描述", "功能说明", "算子功能", "描述", "算子描述", "说明"),
        ),
        About.DESCRIPTION,
    ),
    **dict.fromkeys(
        (
            *("note", "notes", "example", "examples", "usage", "constraints", "limitations", "raises", "warning"),
            *("see also", "references", "todo", "author", "date", "version", "copyright", "license", "since", "rtype"),
            *("注意", "约束", "约束说明", "示例", "样例", "调用示例", "备注", "作者", "日期"),
        ),
        About.OTHER,
    ),
}
"""What a title is about that has only these words."""

_CONTAINED: tuple[tuple[About, tuple[str, ...]], ...] = (
    (About.OTHER, ("example", "constraint", "limitation", "示例", "样例", "约束", "型号", "support matrix")),
    (About.FORMULA, ("formula", "mathematic", "equation", "公式", "数学", "computation", "semantics", "definition of")),
    (About.DTYPES, ("data type", "dtype", "数据类型")),
    (About.OUTPUTS, ("output", "输出", "返回", "returns", "return value")),
    (About.INPUTS, ("input", "输入")),
    (About.ATTRIBUTES, ("attribute", "属性")),
    (About.PARAMETERS, ("参数", "parameter", "argument", "interface", "接口", "signature", "tensors")),
    (About.DESCRIPTION, ("description", "operator function", "功能", "what it does", "overview", "function", "描述")),
)
"""What a heading is about that has one of these among its words; the first that fits."""
_BOTH = re.compile(r"inputs?\s*(?:/|and|&|,)\s*outputs?|输入.{0,2}输出", re.IGNORECASE)

_HEADING = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<title>.+)$")
_BOLD = re.compile(r"^\s*\*\*(?P<title>[^*`]{1,40}?)\s*[:：.。]?\s*\*\*\s*(?P<colon>[:：]?)\s*(?P<rest>.*)$")
_EMPHASISED = re.compile(
    r"(?:^|(?<=[.;。；]))[ ]*(?<!\*)\*(?P<title>(?:In|Out)puts?|Attributes?|Returns?|输入|输出|属性)\*(?!\*)[ ]*",
    re.MULTILINE,
)
_BRACKETED = re.compile(r"^\s*【(?P<title>[^】]{1,12})】\s*[:：]?\s*(?P<rest>.*)$")
_KEYED = re.compile(
    r"^\s*[@\\:]?(?P<title>[A-Za-z][A-Za-z ]{0,22}|[\u4e00-\u9fff]{2,8})\s*[:：]{1,2}(?![:=])\s*(?P<rest>.*)$"
)
_COMMAND = re.compile(
    r"^\s*[@\\](?P<title>brief|details?|formula|note|return|returns|todo|author|date)\b:?\s*(?P<rest>.*)$"
)
_PARAGRAPH = re.compile(r"^[ ]*[@\\]par[ ]+(?=\S)", re.MULTILINE)
_LIST_ITEM = re.compile(r"^(?P<margin>[ ]*)[@\\](?:li|arg)[ ]+", re.MULTILINE)
_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[.、)）]?|[一二三四五六七八九十]+[、.]|[（(][一二三四五六七八九十\d]+[)）])\s*")
_FENCE = re.compile(r"^\s*(?P<mark>```+|~~~+)\s*(?P<language>[\w.+-]*)")
_UNDERLINE = re.compile(r"^\s*(?:-{3,}|={3,})\s*$")
_TENSOR = re.compile(r"(?:torch\.)?Tensor|(?:np\.|numpy\.)?(?:nd)?array(?:_like)?")
_MATH = re.compile(r"^(?P<margin>\s*)\.\.\s+math\s*::\s*(?P<rest>.*)$")
_CODE = re.compile(r"^\s*[@\\]code(?:\{\.(?P<language>\w+)\})?")


def about(title: str) -> About | None:
    """What a heading's section is about; None where the words do not tell."""
    plain = _plain(title)
    if plain in _EXACT:
        return _EXACT[plain]
    if _BOTH.search(plain):
        return About.PARAMETERS
    return next((kind for kind, words in _CONTAINED if any(word in plain for word in words)), None)


def exactly_about(title: str) -> About | None:
    """What a section is about whose title is nothing but such a word; None for other words, which may be prose."""
    plain = _plain(title)
    return About.PARAMETERS if _BOTH.fullmatch(plain) else _EXACT.get(plain)


def _plain(title: str) -> str:
    return re.sub(r"\s+", " ", _NUMBER.sub("", title.strip(" *`_：:"))).strip().lower()


def sections_of(text: str) -> list[Section]:
    """The sections of a text, in order. Sections whose heading says nothing are about what the one above them is."""
    # `*Inputs* x: ... *Outputs* y: ...` on one line are two sections.
    apart = _EMPHASISED.sub(r"\n**\g<title>** ", readable(text.replace("\r\n", "\n")).expandtabs(4))
    # Doxygen's paragraphs are titles, its list items bullets.
    apart = _PARAGRAPH.sub("", _LIST_ITEM.sub(r"\g<margin>- ", apart))
    return _Reader(apart.split("\n")).read()


@define
class _Reader:
    rows: list[str]
    at: int = 0
    found: list[Section] = field(factory=list)
    current: list[str | Block] = field(factory=list)
    about: About = About.DESCRIPTION
    title: str = ""
    level: int = 0
    above: list[tuple[int, About]] = field(factory=list)
    """The levels of the headings that are open, and what each is about."""

    def read(self) -> list[Section]:
        while self.at < len(self.rows):
            row = self.rows[self.at]
            block = self._block(row)
            if block is not None:
                self.current.append(block)
                continue
            self.at += 1
            heading = _HEADING.match(row)
            if heading:
                self._begin_heading(heading["title"].rstrip(" \t#"), len(heading["marks"]))
            elif not self._keyed(row):
                self.current.append(self._without_display(row))
        self._end()
        return self.found

    def _end(self) -> None:
        if self.title or self.level or any(not isinstance(line, str) or line.strip() for line in self.current):
            self.found.append(Section(self.about, self.title, tuple(self.current), self.level))
        self.current = []

    def _begin_heading(self, title: str, level: int) -> None:
        self._end()
        # "Inputs: a, b" may be a heading with its text.
        key, mark, rest = re.sub(r"[:：]", ":", title, count=1).partition(":")
        kind = about(key if mark else title)
        while self.above and self.above[-1][0] >= level:
            self.above.pop()
        if kind is None:
            kind = self.above[-1][1] if self.above else About.DESCRIPTION
        self.above.append((level, kind))
        self.about, self.title, self.level = kind, title.strip(), level
        if mark and rest.strip() and exactly_about(key) is not None:
            self.current.append(rest.strip())

    def _keyed(self, row: str) -> bool:
        """Begin a section where a line is its title, or has it in front."""
        if _underlined(self.rows, self.at) and (kind := exactly_about(row)) is not None:
            self.at += 1
            self._begin(kind, row.strip(), "")
            return True
        for pattern in (_BRACKETED, _BOLD, _COMMAND, _KEYED):
            match = pattern.match(_NUMBER.sub("", row.strip()) if pattern is _KEYED else row)
            if match is None:
                continue
            kind = exactly_about(match["title"])
            if kind is not None and not _names_a_tensor(match["title"], match["rest"]):
                # What stands behind the title stays in its column: lines below it may go on there.
                self._begin(kind, match["title"], " " * (len(row) - len(match["rest"])) + match["rest"])
                return True
        return False

    def _begin(self, kind: About, title: str, rest: str) -> None:
        self._end()
        self.about, self.title = kind, title.strip()
        if rest.strip():
            self.current.append(rest.rstrip())

    def _block(self, row: str) -> Block | None:
        """The block that begins at this line, read to its end; None where none does."""
        if (fence := _FENCE.match(row)) is not None:
            mark = fence["mark"]
            return self._until(lambda line: line.strip().startswith(mark), fence["language"].lower())
        if (code := _CODE.match(row)) is not None:
            return self._until(lambda line: bool(re.match(r"\s*[@\\]endcode", line)), code["language"] or "")
        if (math := _MATH.match(row)) is not None:
            return self._directive(len(math["margin"]), math["rest"])
        stripped = row.strip()
        for opening, closing in (("$$", "$$"), ("\\[", "\\]")):
            if stripped.startswith(opening) and closing not in stripped[2:]:
                return self._displayed(stripped[2:], closing)
        return None

    def _until(self, ends: Callable[[str], bool], language: str) -> Block:
        start = self.at + 1
        end = next((at for at in range(start, len(self.rows)) if ends(self.rows[at])), len(self.rows))
        self.at = end + 1
        return Block(language, textwrap.dedent("\n".join(self.rows[start:end])))

    def _directive(self, margin: int, rest: str) -> Block:
        """What ``.. math::`` shows: the rest of its line and the lines that are further in."""
        self.at += 1
        lines = [rest]
        while self.at < len(self.rows):
            row = self.rows[self.at]
            if row.strip() and len(row) - len(row.lstrip()) <= margin:
                break
            lines.append(row.strip())
            self.at += 1
        return Block("math", _formulas("\n".join(lines)))

    def _displayed(self, first: str, closing: str) -> Block:
        self.at += 1
        lines = [first]
        while self.at < len(self.rows):
            before, mark, _ = self.rows[self.at].partition(closing)
            lines.append(before)
            self.at += 1
            if mark:
                break
        return Block("math", " ".join(line.strip() for line in lines).strip())

    def _without_display(self, row: str) -> str:
        """The line, after the formulas that it displays, which become blocks."""
        for match in re.finditer(r"\$\$(.+?)\$\$|\\\[(.+?)\\\]", row):
            self.current.append(Block("math", (match[1] or match[2]).strip()))
        return re.sub(r"\$\$.+?\$\$|\\\[.+?\\\]", " ", row)


def _names_a_tensor(title: str, rest: str) -> bool:
    """Whether ``out : half [N]`` is about a tensor of that name rather than the title of a list."""
    first = rest.strip().split(" ")[0].strip("`,")
    return title.strip().lower() in ("in", "out", "input", "output") and (
        is_dtype(first) or first[:1] in ("[", "(") or _TENSOR.fullmatch(first) is not None
    )


def _formulas(text: str) -> str:
    """A directive's formulas, a line each: an empty line separates them."""
    return "\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()) if part.strip())


def _underlined(rows: list[str], after: int) -> bool:
    return after < len(rows) and bool(_UNDERLINE.match(rows[after]))


def is_dtype(word: str) -> bool:
    """Whether a word is an element type's name."""
    return find_dtype(word) is not None
