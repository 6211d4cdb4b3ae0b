"""Made cases as a cases file: Python that a person goes on with. ``docs/cases.md`` has the format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kernelgen_ls.kernel.cases.case import Domain, Given, MadeCases
from kernelgen_ls.kernel.dtypes import find_dtype

_USUAL = {
    Domain.NORMAL: "rng.standard_normal(shape)",
    Domain.POSITIVE: "rng.uniform(0.1, 2, shape)",
    Domain.UNIT: "rng.uniform(-0.9, 0.9, shape)",
}


_WIDTH = 120


def cases_file(made: MadeCases) -> str:
    """The text of the file."""
    parts = [_head(made), [*_settings(made), *_cases(made)], *_functions(made)]
    return "\n\n\n".join("\n".join(part) for part in parts) + "\n"


def _head(made: MadeCases) -> list[str]:
    return [
        f'"""Cases of {made.kernel}, made from {made.origin}: a beginning, to be changed.',
        "",
        "`kernelgen-ls verify` runs the kernel on them. docs/cases.md says what else a cases file may have.",
        '"""',
        "",
        "import numpy as np",
    ]


def _settings(made: MadeCases) -> Iterator[str]:
    yield "# The golden outputs, computed in float64. In its place: def golden(case, inputs), in numpy."
    if made.readings:
        yield "# What the formula may mean, any of which is right: leave the one that is meant."
        yield from ["FORMULA = {", *(f"    {_text(one)}: {_text(text)}," for one, text in made.readings.items()), "}"]
    else:
        yield from _formula(made.formula.splitlines())
    for name, values in (("OUTPUTS", [one.outputs for one in made.cases]), ("ATTRIBUTES", _attributes(made))):
        if values[0] and _all_the_same(values):
            yield f"{name} = {_plain(values[0])}"
    if made.blocks is not None:
        guess = "  # a guess: nobody says on how many blocks the kernel is launched"
        yield f"BLOCK_DIM = {made.blocks}{guess if made.guessed else ''}"
    yield ""
    yield "# Inputs have an element type and a shape, and indices the length of what they choose from."
    if any(case.largest is not None for case in made.cases):
        yield '# "largest": numbers of the whole range up to it, 0 for zeros.'
    if any(case.levels for case in made.cases):
        yield '# "levels": the only numbers there are, for which the formula is exact.'
    if any(case.times for case in made.cases):
        yield '# "times": what usual numbers are multiplied by.'
    if any(case.tentative for case in made.cases):
        yield '# "tentative": left aside where the tiling function refuses the shapes.'


def _formula(lines: Sequence[str]) -> Iterator[str]:
    if len(lines) == 1:
        yield f"FORMULA = {_text(lines[0])}"
    else:
        yield from ["FORMULA = (", *(f"    {_text(line + chr(10))}" for line in lines), ")"]


def _cases(made: MadeCases) -> Iterator[str]:
    outputs = not _all_the_same([case.outputs for case in made.cases])
    attributes = not _all_the_same(_attributes(made))
    yield "CASES = ["
    for case in made.cases:
        inputs = {name: _given(one) for name, one in case.inputs.items()}
        entries = {"name": _text(case.name), "inputs": _dict(inputs)}
        if outputs:
            entries["outputs"] = _plain(case.outputs)
        if attributes:
            entries["attributes"] = _plain(case.attributes)
        if case.largest is not None:
            entries["largest"] = str(case.largest)
        if case.levels:
            entries["levels"] = repr(list(case.levels))
        if case.times is not None:
            entries["times"] = repr(case.times)
        if case.tentative:
            entries["tentative"] = "True"
        line = f"    {_dict(entries)},"
        if len(line) <= _WIDTH:
            yield line
        else:
            yield from ["    {", *(f"        {_text(name)}: {value}," for name, value in entries.items()), "    },"]
    yield "]"


def _functions(made: MadeCases) -> Iterator[list[str]]:
    yield [
        "def inputs(case, rng):",
        '    """What the kernel reads, by name; rng is numpy\'s, made from the seed."""',
        '    return {name: values(rng, case, *given) for name, given in case["inputs"].items()}',
    ]
    if not _all_the_same([case.outputs for case in made.cases]):
        yield [
            "def outputs(case):",
            '    """The element types of what the formula gives."""',
            '    return case["outputs"]',
        ]
    if not _all_the_same(_attributes(made)):
        yield ["def attributes(case):", '    """The operator\'s attributes."""', '    return case["attributes"]']
    if any(case.levels for case in made.cases):
        yield [
            "def exact(case):",
            '    """Whether no output may move with the last places of the inputs."""',
            '    return "levels" in case',
        ]
    given = [one for case in made.cases for one in case.inputs.values()]
    yield list(_values(made, given))


def _values(made: MadeCases, given: list[Given]) -> Iterator[str]:
    kinds = {_kind(one.dtype) for one in given}
    yield "def values(rng, case, dtype, shape, below=None):"
    yield '    """The numbers of one input."""'
    if any(case.largest is not None for case in made.cases):
        yield '    largest = case.get("largest")'
    if any(case.largest == 0 for case in made.cases):
        yield from ["    if largest == 0:", "        return dtype, np.zeros(shape)"]
    if any(one.below is not None for one in given):
        yield from ["    if below is not None:", "        return dtype, rng.integers(0, below, shape)"]
    if "b" in kinds:
        yield from ['    if dtype == "bool":', "        return dtype, rng.integers(0, 2, shape)"]
    if kinds & {"i", "u"}:
        yield from ['    if "int" in dtype:', *_integers(made)]
    if any(case.levels for case in made.cases):
        yield from ['    if "levels" in case:', '        return dtype, rng.choice(case["levels"], shape)']
    if any(case.largest for case in made.cases):
        yield from ["    if largest is not None:", "        return dtype, rng.uniform(-largest, largest, shape)"]
    times = 'case.get("times", 1) * ' if any(case.times for case in made.cases) else ""
    yield f"    return dtype, {times}{_USUAL[made.domain]}"


def _integers(made: MadeCases) -> Iterator[str]:
    most = '5 if "levels" in case else 100' if any(case.levels for case in made.cases) else "100"
    yield f"        most = {most}"
    if made.domain is Domain.POSITIVE:
        yield "        return dtype, rng.integers(1, most, shape)"
    elif made.negative:
        yield '        return dtype, rng.integers(-most if dtype.startswith("int") else 0, most, shape)'
    else:
        yield "        return dtype, rng.integers(0, most, shape)"


def _attributes(made: MadeCases) -> list[Mapping[str, Any]]:
    return [case.attributes for case in made.cases]


def _all_the_same(values: Sequence[Mapping[str, Any]]) -> bool:
    return all(one == values[0] for one in values)


def _given(one: Given) -> str:
    below = "" if one.below is None else f", {one.below}"
    return f"({_text(one.dtype)}, {one.shape!r}{below})"


def _plain(values: Mapping[str, Any]) -> str:
    return _dict({name: _text(value) if isinstance(value, str) else repr(value) for name, value in values.items()})


def _dict(entries: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{_text(name)}: {value}" for name, value in entries.items()) + "}"


def _kind(dtype: str) -> str:
    known = find_dtype(dtype)
    return known.kind if known is not None else ""


def _text(value: str) -> str:
    """A Python literal in double quotes."""
    return json.dumps(value, ensure_ascii=False)
