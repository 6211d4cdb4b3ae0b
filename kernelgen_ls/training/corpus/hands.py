"""Hands: the habits of a kernel's author, and the names that an author gives.

A hand is drawn once a kernel; everything in the file follows it. Some naming patterns are reserved for the test split.
"""

from __future__ import annotations

import random

from attrs import define, field, frozen

from kernelgen_ls.training.corpus.words import DOMAIN, EN_STEPS, WORDS, ZH_STEPS, camel, pascal, snake, split_words


@frozen
class Hand:
    """An author's habits. Names in ``patterns`` hold ``X`` where the tensor's name goes."""

    using: bool
    indent: str
    allman: bool
    form: str
    """``class`` or ``function``."""
    template: bool
    sizes: str
    """Where sizes come from: ``const``, ``struct`` (with defaults, in the file) or ``dynamic`` (tiling data)."""
    tail: bool
    depth: int
    case: str
    member: str
    """How members are marked: ``""``, ``_`` (suffix), ``m_`` (prefix) or ``this`` (``this->``)."""
    patterns: dict[str, tuple[str, ...]] = field(eq=False)
    language: str
    """Of comments: ``zh``, ``en`` or ``none``."""
    density: float
    literal: str
    position: str
    integer: str
    cast: str
    ext_params: bool
    inline_params: bool
    workspace: bool
    members_first: bool
    grouped: bool
    prefix_increment: bool
    wide: bool
    barrier: bool
    sync: str
    methods: tuple[str, str, str, str, str] = ("Init", "Process", "CopyIn", "Compute", "CopyOut")
    fused: bool = False
    plain_names: bool = False
    explicit: bool = False
    pointer_space: bool = True
    uses_dtype_macro: bool = False
    tiling_key: bool = False
    constructor: bool = True
    head_comment: str = "line"
    pipe_argument: bool = False

    @property
    def q(self) -> str:
        """The qualification of AscendC names."""
        return "" if self.using else "AscendC::"


Pattern = tuple[str, ...]
GM: list[Pattern] = [
    ("X", "gm"),
    ("X", "gm"),
    ("gm", "X"),
    ("X", "global"),
    ("global", "X"),
    ("X", "W"),
    ("W", "X"),
    ("X", "addr"),
]
IN_QUEUE: list[Pattern] = [
    ("in", "queue", "X"), ("in", "queue", "X"), ("X", "que"), ("que", "X"), ("X", "in", "queue"), ("X", "queue"),
    ("W", "X"), ("X", "W"), ("in", "X", "W"), ("vec", "in", "X"),
]  # fmt: skip
OUT_QUEUE: list[Pattern] = [
    ("out", "queue", "X"), ("out", "queue", "X"), ("X", "que"), ("que", "X"), ("X", "out", "queue"), ("X", "queue"),
    ("W", "X"), ("X", "W"), ("out", "X", "W"), ("vec", "out", "X"),
]  # fmt: skip
LOCAL: list[Pattern] = [
    ("X", "local"), ("X", "local"), ("X", "lt"), ("local", "X"), ("X", "ub"), ("X", "tensor"), ("W", "X"), ("X", "W"),
    ("X", "tile"),
]  # fmt: skip
TEMP: list[Pattern] = [
    ("tmp", "N"),
    ("temp", "N"),
    ("W", "N"),
    ("calc", "N"),
    ("mid", "N"),
    ("W", "tmp", "N"),
    ("buf", "N"),
]
HELD_OUT_PATTERNS = {"gm": ("src", "X"), "in_queue": ("X", "pipe"), "local": ("X", "view")}

SIZE_WORDS = {
    "total": ["total length", "length", "total size", "total", "element count", "total elements", "data len", "size"],
    "tile": ["tile length", "tile size", "tile", "ub len", "chunk size", "tile elements", "tile len", "step"],
    "block": ["block length", "block len", "per core", "core length", "block size"],
    "tiles": ["tile num", "tile count", "loops", "loop count", "tiles"],
    "rows": ["rows", "row num", "row count", "outer", "batch", "total rows", "row total"],
    "cols": ["cols", "col num", "row length", "inner", "hidden", "last dim", "row size", "cols num", "width"],
    "padded": ["cols aligned", "cols padded", "aligned cols", "align len", "padded"],
    "length": ["length", "my length", "core len", "remaining", "local length", "work len"],
    "first": ["first row", "start row", "row begin", "begin row"],
    "last": ["last row", "end row", "row end"],
    "offset": ["offset", "pos", "base", "start", "gm offset", "cursor"],
    "count": ["count", "len", "calc count", "num", "n", "cur len", "current", "valid"],
    "index": ["i", "i", "idx", "progress", "loop", "tile idx", "k"],
    "row": ["row", "row", "r", "row idx", "line"],
    "depth": ["buffer num", "buffer num", "depth", "buf num", "queue depth", "double buffer"],
    "params": ["copy params", "params", "ext params", "copy in params", "dc params"],
    "pad": ["pad params", "pad", "pad ext", "padding"],
    "mask": ["mask", "cmp mask", "select mask", "sel mask", "flag"],
    "stat": ["stat", "reduce result", "sum local", "scalar local", "red", "reduced"],
    "work": ["work", "work local", "reduce work", "shared tmp", "scratch"],
    "begin": ["begin", "start", "core offset", "block start", "my start", "base offset"],
    "pipe": ["pipe", "pipe", "pipe", "t pipe", "tpipe"],
    "op": ["op", "op", "op", "kernel", "kernel op", "instance"],
    "data": ["tiling data", "tiling data", "tiling", "td", "t data", "tiling info"],
    "acc": ["acc", "wide out", "result fp32", "sum", "accum", "out f32"],
    "event": ["event id", "event", "evt", "event id V to S"],
    "source": ["src row", "row id", "picked", "source row", "target row"],
    "half": ["half tmp", "narrow", "half local", "cast tmp"],
}

METHODS = [
    ("Init", "Process", "CopyIn", "Compute", "CopyOut"),
    ("Init", "Process", "Load", "Calc", "Store"),
    ("Init", "Run", "Fetch", "Compute", "Flush"),
    ("Setup", "Process", "LoadTile", "ComputeTile", "StoreTile"),
    ("Init", "Execute", "DataIn", "VectorCompute", "DataOut"),
    ("Init", "Process", "MoveIn", "DoCompute", "MoveOut"),
]


def draw_hand(rng: random.Random, *, simple: bool = False, held_out: bool = False) -> Hand:
    """A hand. ``simple`` ones are what the model is taught to write a kernel from a specification in: few choices."""
    if simple:
        return _simple_hand(rng)
    words = [*rng.sample(WORDS, 4), *rng.sample(DOMAIN, 3)]

    def pattern(options: list[Pattern], key: str) -> Pattern:
        if held_out and key in HELD_OUT_PATTERNS and rng.random() < 0.5:
            return HELD_OUT_PATTERNS[key]
        if rng.random() < 0.35:
            return options[0]
        return tuple(rng.choice(words) if part == "W" else part for part in rng.choice(options))

    language = rng.choices(["zh", "en", "none"], [35, 35, 30])[0]
    return Hand(
        using=rng.random() < 0.6,
        indent="    " if rng.random() < 0.85 else "  ",
        allman=rng.random() < 0.6,
        form="class" if rng.random() < 0.75 else "function",
        template=rng.random() < 0.4,
        sizes=rng.choices(["const", "struct", "dynamic"], [35, 20, 45])[0],
        tail=rng.random() < 0.6,
        depth=rng.choices([1, 2], [35, 65])[0],
        case="camel" if rng.random() < 0.75 else "snake",
        member=rng.choices(["", "_", "m_", "this"], [45, 30, 10, 15])[0],
        patterns={
            "gm": pattern(GM, "gm"),
            "in_queue": pattern(IN_QUEUE, "in_queue"),
            "out_queue": pattern(OUT_QUEUE, "out_queue"),
            "local": pattern(LOCAL, "local"),
            "temp": pattern(TEMP, "temp"),
        },
        language=language,
        density=rng.uniform(0.15, 0.8),
        literal=rng.choice(["static_cast", "static_cast", "paren", "call"]),
        position=rng.choice(["TPosition", "QuePosition"]),
        integer=rng.choices(["uint32_t", "int32_t"], [75, 25])[0],
        cast="reinterpret" if rng.random() < 0.25 else "paren",
        ext_params=rng.random() < 0.7,
        inline_params=rng.random() < 0.3,
        workspace=rng.random() < 0.4,
        members_first=rng.random() < 0.2,
        grouped=rng.random() < 0.35,
        prefix_increment=rng.random() < 0.45,
        wide=rng.random() < 0.2,
        barrier=rng.random() < 0.1,
        sync=rng.choices(["all", "event"], [65, 35])[0],
        methods=METHODS[0] if rng.random() < 0.6 else rng.choice(METHODS[1:]),
        fused=rng.random() < 0.15,
        plain_names=rng.random() < 0.3,
        explicit=rng.random() < 0.4,
        pointer_space=rng.random() < 0.6,
        uses_dtype_macro=rng.random() < 0.5,
        tiling_key=rng.random() < 0.2,
        constructor=rng.random() < 0.6,
        head_comment=rng.choice(["line", "block", "none", "none"]),
        pipe_argument=rng.random() < 0.25,
    )


def _simple_hand(rng: random.Random) -> Hand:
    """A hand in which every name starts with the tensor's own, unchanged: nothing to invent, everything to copy."""
    return Hand(
        using=True, indent="    ", allman=True, form="class", template=False,
        sizes="const", tail=True, depth=2, case="plain", member="",
        patterns={
            "gm": ("X", "Gm"), "in_queue": ("X", "Queue"), "out_queue": ("X", "Queue"), "local": ("X", "Local"),
            "temp": ("tmp", "N"),
        },
        language=rng.choice(["none", "none", "none", "zh", "en"]), density=0.3, literal="static_cast",
        position="TPosition", integer="uint32_t", cast="paren", ext_params=True, inline_params=False, workspace=True,
        members_first=False, grouped=True, prefix_increment=False, wide=False, barrier=False, sync="all",
        plain_names=True, constructor=False, head_comment="line",
    )  # fmt: skip


@define
class Namer:
    """Gives every entity of one file its name, in the hand's patterns, without two alike."""

    rng: random.Random
    hand: Hand
    taken: set[str] = field(factory=set)

    def unique(self, name: str) -> str:
        """``name``, or a longer one where it is taken."""
        while name in self.taken:
            name += "_b" if self.hand.case == "snake" else self.rng.choice(["2", "Val", "Cur", "B"])
        self.taken.add(name)
        return name

    def joined(self, parts: list[str]) -> str:
        """The words of ``parts`` in the hand's case."""
        if self.hand.case == "plain":
            return "".join(parts)
        words = [word for part in parts for word in split_words(part)] or ["v"]
        return camel(*words) if self.hand.case == "camel" else snake(*words)

    def _member(self, name: str) -> str:
        if self.hand.form == "function":
            return name
        return {"_": name + "_", "m_": "m_" + name}.get(self.hand.member, name)

    def tensor(self, kind: str, name: str, *, member: bool) -> str:
        """A name after a tensor's: ``kind`` is a key of ``Hand.patterns``."""
        parts = [name if part == "X" else part for part in self.hand.patterns[kind]]
        joined = self.joined(parts)
        return self.unique(self._member(joined) if member else joined)

    def numbered(self, number: int, suffix: str = "", *, member: bool = False) -> str:
        """A temporary's name."""
        parts = [str(number) if part == "N" else part for part in self.hand.patterns["temp"]]
        joined = self.joined([*[p for p in parts if not p.isdigit()]]) + str(number) + suffix
        return self.unique(self._member(joined) if member else joined)

    def tensor_buffer(self, name: str, *, member: bool) -> str:
        """The name of the TBuf behind the local tensor ``name``."""
        base = name[:-1] if name.endswith("_") else name
        ending = self.hand.patterns["temp"][0] if self.hand.patterns["temp"][0] not in ("N", "tmp") else "buf"
        joined = base + ("_" + ending if self.hand.case == "snake" else ending[:1].upper() + ending[1:])
        return self.unique(self._member(joined) if member else joined)

    def size(self, kind: str, *, style: str = "local") -> str:
        """A name for a size or an index. ``style``: ``local``, ``member`` or ``const``."""
        options = SIZE_WORDS[kind]
        words = (options[0] if self.hand.plain_names else self.rng.choice(options)).split()
        if style == "const":
            roll = self.hand.case == "snake" or self.hand.language == "zh" or self.hand.allman
            return self.unique("_".join(words).upper() if roll else "k" + pascal(*words))
        joined = snake(*words) if self.hand.case == "snake" else camel(*words)
        return self.unique(self._member(joined) if style == "member" else joined)


@define
class Commenter:
    """Comments in the hand's language and density."""

    rng: random.Random
    hand: Hand

    def line(self, kind: str) -> list[str]:
        """No line or one."""
        if self.hand.language == "none" or self.rng.random() > self.hand.density:
            return []
        return ["// " + self.rng.choice((ZH_STEPS if self.hand.language == "zh" else EN_STEPS)[kind])]
