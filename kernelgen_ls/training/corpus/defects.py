"""Small mistakes put into a clean kernel, each on one line: what the model learns to mend from a compiler's message."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from attrs import frozen

from kernelgen_ls.training.corpus.words import DOMAIN, WORDS


@frozen
class Defect:
    """A mistake of one ``kind``: the text with it, and the zero-based line it is on."""

    kind: str
    source: str
    line: int


Mutation = Callable[[random.Random, str], str | None]
"""Takes a line; gives the line with the mistake, or None where it cannot be made there."""

_API = (
    r"\b(DataCopyPad|DataCopy|Cast|Muls|Adds|Add|Sub|Mul|Div|Max|Min|Maxs|Mins|Exp|Ln|Abs|Sqrt|Rsqrt|Relu|"
    r"Reciprocal|ReduceSum|ReduceMax|ReduceMin|CompareScalar|Compare|Select|PipeBarrier|SetFlag|WaitFlag|LeakyRelu)\b"
)
_METHOD = r"(?<=\.)(AllocTensor|FreeTensor|EnQue|DeQue|SetGlobalBuffer|InitBuffer|GetValue|Get)\b"
_WRONG = {
    "AllocTensor": ["Alloc", "AllocateTensor", "GetTensor"], "FreeTensor": ["Free", "ReleaseTensor", "FreeTensors"],
    "EnQue": ["Enqueue", "EnQueue", "Push"], "DeQue": ["Dequeue", "DeQueue", "Pop"],
    "SetGlobalBuffer": ["SetGlobal", "SetBuffer", "SetGlobalAddr"], "InitBuffer": ["InitBuf", "AllocBuffer"],
    "GetValue": ["GetVal", "Value", "At"], "Get": ["GetTensor", "GetLocal", "Fetch"],
}  # fmt: skip


def misspelt(rng: random.Random, name: str) -> str:
    """``name`` with one slip of the keyboard."""
    at = rng.randrange(1, len(name)) if len(name) > 1 else 0
    roll = rng.random()
    if roll < 0.35 and len(name) > 3:
        return name[:at] + name[at + 1 :]
    if roll < 0.6:
        return name[:at] + name[at] + name[at:]
    if roll < 0.8 and at + 1 < len(name) and name[at] != name[at + 1]:
        return name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    return name[:at] + rng.choice("abcdefghiklmnoprstuvwy") + name[at:]


def _replace(rng: random.Random, line: str, pattern: str, change: Callable[[str], str]) -> str | None:
    found = list(re.finditer(pattern, line))
    if not found:
        return None
    match = rng.choice(found)
    return line[: match.start()] + change(match.group()) + line[match.end() :]


def _semicolon(rng: random.Random, line: str) -> str | None:
    return line[:-1] if line.endswith(";") else None


def _bracket(rng: random.Random, line: str) -> str | None:
    return _replace(rng, line, r"\)(?=[;,\s])|\](?=[,;])", lambda _: "") if line.rstrip().endswith(";") else None


def _misspelt_api(rng: random.Random, line: str) -> str | None:
    return _replace(rng, line, _API + r"(?=[(<])", lambda name: misspelt(rng, name))


def _misspelt_type(rng: random.Random, line: str) -> str | None:
    return _replace(
        rng,
        line,
        r"\b(LocalTensor|GlobalTensor|TQue|TBuf|TPipe|DataCopyExtParams|bfloat16_t|uint32_t)\b",
        lambda n: misspelt(rng, n),
    )


def _dropped_argument(rng: random.Random, line: str) -> str | None:
    return (
        _replace(rng, line, r", [^,(){}<>]+(?=[,)])", lambda _: "") if re.search(_API + r"(<\w+>)?\(", line) else None
    )


def _wrong_method(rng: random.Random, line: str) -> str | None:
    return _replace(rng, line, _METHOD, lambda name: rng.choice(_WRONG[name]))


def _wrong_position(rng: random.Random, line: str) -> str | None:
    return _replace(
        rng, line, r"\bVEC(IN|OUT|CALC)\b", lambda name: rng.choice(["VEC", "VECTOR", "UB", misspelt(rng, name), "GM"])
    )


def _missing_template_argument(rng: random.Random, line: str) -> str | None:
    return _replace(
        rng, line, r"(?<=AllocTensor)<\w+>|(?<=DeQue)<\w+>|(?<=\.Get)<\w+>|(?<=LocalTensor)<\w+>", lambda _: ""
    )


def _undeclared_name(rng: random.Random, line: str) -> str | None:
    if not re.search(r"[(\[]", line) or line.lstrip().startswith(("//", "extern", "*", "#", "__aicore__", "class")):
        return None

    def change(name: str) -> str:
        roll = rng.random()
        if roll < 0.55:
            return misspelt(rng, name)
        return rng.choice([name + "_", name + "s", rng.choice(WORDS), rng.choice(DOMAIN) + name[:1].upper() + name[1:]])

    return _replace(rng, line, r"(?<=[(,\s])[a-z]\w{2,}(?=[,\[)])(?<!float)(?<!half)", change)


def _wrong_field(rng: random.Random, line: str) -> str | None:
    return _replace(
        rng,
        line,
        r"(?<=\w\.)[a-z]\w+(?=[,;)])",
        lambda name: rng.choice([misspelt(rng, name), name + "Num", name[:-2] or name + "x"]),
    )


def _scalar_for_tensor(rng: random.Random, line: str) -> str | None:
    if not re.search(_API + r"(<\w+>)?\(", line):
        return None
    return _replace(rng, line, r"(?<=, )[a-z]\w*(?=, [a-zA-Z])", lambda _: rng.choice(["0", "1.0f", "3", "2.0f"]))


MUTATIONS: dict[str, Mutation] = {
    "semicolon": _semicolon, "bracket": _bracket, "misspelt-api": _misspelt_api, "misspelt-type": _misspelt_type,
    "dropped-argument": _dropped_argument, "wrong-method": _wrong_method, "wrong-position": _wrong_position,
    "missing-template-argument": _missing_template_argument, "undeclared-name": _undeclared_name,
    "wrong-field": _wrong_field, "scalar-for-tensor": _scalar_for_tensor,
}  # fmt: skip


def mutate(rng: random.Random, source: str, kind: str = "") -> Defect | None:
    """One mistake, of ``kind`` or of any; None where the kernel has no place for it."""
    kinds = [kind] if kind else rng.sample(list(MUTATIONS), len(MUTATIONS))
    lines = source.split("\n")
    for name in kinds:
        for _ in range(12):
            at = rng.randrange(len(lines))
            changed = MUTATIONS[name](rng, lines[at])
            if changed is not None and changed != lines[at]:
                return Defect(name, "\n".join([*lines[:at], changed, *lines[at + 1 :]]), at)
    return None
