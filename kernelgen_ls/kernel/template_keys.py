"""Template tiling keys: with which template arguments a kernel is built, read from its ``ASCENDC_TPL`` lists.

``ASCENDC_TPL_ARGS_DECL`` names the parameters, ``ASCENDC_TPL_SEL`` the combinations: each ``ASCENDC_TPL_ARGS_SEL`` is
the product of the values that it lists. Parts of the lists are often macros of the project; those are expanded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, zip_longest

from attrs import evolve, field, frozen

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.constants import evaluate, read_constants
from kernelgen_ls.kernel.covering import covering
from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.opdef import snake_case

_PREFIX = "ASCENDC_TPL_"
_LIST = re.compile(r"^[ \t]*ASCENDC_TPL_(?P<kind>ARGS_DECL|SEL)\s*\(", re.MULTILINE)
_CALL = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?P<open>\()?")
_MACRO = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)(?:\((?P<parameters>[^()]*)\))?(?P<body>(?:[^\n\\]|\\.|\\\n)*)",
    re.MULTILINE,
)
_OPERAND = re.compile(r"ASCENDC_TPL_(?P<side>INPUT|OUTPUT)\s*\(\s*(?P<index>\d+)\s*\)")
_NO_PARAMETER = frozenset({"KERNEL_TYPE_SEL", "DETERMINISTIC_SEL", "TILING_STRUCT_SEL"})
_BITS = {"DTYPE_DECL": 8, "DATATYPE_DECL": 8, "FORMAT_DECL": 8, "KERNEL_TYPE_DECL": 8, "BOOL_DECL": 1}
"""What a parameter takes of a tiling key; one of the numbers of a list says it."""
_WIDTH = re.compile(r"ASCENDC_TPL_(?P<bits>\d+)_BW")
_FOLLOWING = ""
"""The value of a parameter for which the lists name an operand and no element type."""

_ANY_TYPE = "C_DT_FLOAT16"
_LONGEST_RANGE = 256
_DEEPEST = 16


@frozen
class Operand:
    """An operand whose element type a template parameter follows: input or output by its place in the ``OpDef``."""

    is_input: bool
    index: int


@frozen
class TemplateParameter:
    """A parameter of the entry function's template. ``is_type``: its arguments are element types (``C_DT_...``).

    ``bits`` are what it takes of a tiling key, 0 where that is not known; ``places`` the values whose place in the list
    stands there. Without these it is the value's number (a truth value's, an element type's in graphs).
    """

    name: str
    is_type: bool = False
    follows: Operand | None = None
    bits: int = 0
    places: tuple[str, ...] = ()


@frozen
class Selection:
    """One ``ASCENDC_TPL_ARGS_SEL``: the values of every parameter in order, as written; ``struct`` or ""."""

    values: tuple[tuple[str, ...], ...]
    struct: str = ""

    @property
    def count(self) -> int:
        """How many combinations it selects."""
        return math.prod(len(values) for values in self.values)


@frozen
class Combination:
    """One argument list of the kernel's template, as written in the lists."""

    values: tuple[str, ...]
    struct: str = ""


@frozen
class TemplateKeys:
    """What the lists of one operator say."""

    operator: str
    parameters: tuple[TemplateParameter, ...]
    selections: tuple[Selection, ...] = field(default=())
    numbers: Mapping[str, int] = field(factory=dict)
    """What the names among the values stand for."""

    def count(self, types: Mapping[Operand, str]) -> int:
        """How many combinations the kernel is built in for a dtype column; ``types`` as :meth:`sampled` takes them."""
        return sum(self._narrowed(selection, types).count for selection in self.selections)

    def sampled(self, struct: str, types: Mapping[Operand, str]) -> Iterator[Combination]:
        """Yield combinations whose tiling struct is ``struct``, each selection's in turn, most telling first.

        ``types`` are the element types (``DT_...``) of operands in a dtype column: where one is known, a parameter that
        follows it has no other.
        """
        narrowed = (self._narrowed(selection, types) for selection in self.selections if selection.struct == struct)
        for row in zip_longest(*map(_combinations, narrowed)):
            yield from (combination for combination in row if combination is not None)

    def _narrowed(self, selection: Selection, types: Mapping[Operand, str]) -> Selection:
        values = []
        for parameter, listed in zip(self.parameters, selection.values, strict=True):
            known = types.get(parameter.follows, "") if parameter.follows else ""
            if parameter.is_type and known:
                listed = tuple(value for value in listed if value in (f"C_{known}", _FOLLOWING)) and (f"C_{known}",)
            values.append(tuple(_ANY_TYPE if value == _FOLLOWING else value for value in listed))
        return Selection(tuple(values), selection.struct)

    def arguments(self, combination: Combination) -> tuple[str, ...] | None:
        """Return what stands between ``<`` and ``>`` for it; None where a kernel has no name for one of its types."""
        given = []
        for parameter, value in zip(self.parameters, combination.values, strict=True):
            if not parameter.is_type:
                given.append(value)
                continue
            dtype = find_dtype(value.removeprefix("C_"))
            if dtype is None or not dtype.kernel:
                return None
            given.append(dtype.kernel)
        return tuple(given)

    def parts(self, key: int) -> tuple[str | int, ...] | None:
        """What a tiling key stands for, parameter by parameter: a value as its list has it, or the number of one.

        The first parameter has the lowest bits. None where the key is none of these lists, or a width is not known.
        """
        found: list[str | int] = []
        for parameter in self.parameters:
            number = key & (1 << parameter.bits) - 1
            key >>= parameter.bits
            if not parameter.bits or (parameter.places and number >= len(parameter.places)):
                return None
            found.append(parameter.places[number] if parameter.places else number)
        return None if key else tuple(found)

    def shown(self, combination: Combination) -> str:
        """Name a combination for people: ``mode = 1, D_T = DT_FLOAT16``."""
        pairs = zip(self.parameters, combination.values, strict=True)
        return ", ".join(f"{parameter.name} = {value.removeprefix('C_')}" for parameter, value in pairs)


def _combinations(selection: Selection) -> Iterator[Combination]:
    for items in covering([len(values) for values in selection.values]):
        chosen = tuple(values[index] for values, index in zip(selection.values, items, strict=True))
        yield Combination(chosen, selection.struct)


def read_template_keys(texts: Iterable[str], entry_name: str = "") -> TemplateKeys | None:
    """Return the template tiling keys that ``texts``, free of comments, list for the kernel ``entry_name``.

    Where no list is for an operator of that name, the only operator's are. None where nothing is selected.
    """
    plain = [text for text in texts if _PREFIX in text or "define" in text]
    if not any(_LIST.search(text) for text in plain):
        return None
    reader = _Reader(plain)
    declared = dict(chain.from_iterable(map(reader.declared, plain)))
    selections = list(chain.from_iterable(map(reader.selected, plain)))
    fits = [name for name in declared if snake_case(name) == entry_name] or list(declared)
    if len(fits) != 1 or not selections:
        return None
    parameters = declared[fits[0]]
    kept = [_ordered(parameters, values, struct) for values, struct in selections]
    complete = tuple(selection for selection in kept if selection is not None and selection.count)
    if not complete:
        return None
    listed = {value for _, values in parameters for value in values}
    listed |= {value for selection in complete for values in selection.values for value in values}
    return TemplateKeys(fits[0], tuple(parameter for parameter, _ in parameters), complete, reader.numbers(listed))


_Declared = list[tuple[TemplateParameter, tuple[str, ...]]]


def _ordered(parameters: _Declared, values: Mapping[str, tuple[str, ...]], struct: str) -> Selection | None:
    """The selection with a list for every parameter, the declared one where it has none; None for foreign names."""
    if not values.keys() <= {parameter.name for parameter, _ in parameters}:
        return None
    return Selection(
        tuple(
            values.get(parameter.name) or listed or ((_FOLLOWING,) if parameter.follows else ())
            for parameter, listed in parameters
        ),
        struct,
    )


class _Reader:
    """Reads the lists of texts, expanding the macros that these texts define."""

    def __init__(self, texts: list[str]) -> None:
        self._macros: dict[str, tuple[tuple[str, ...] | None, str]] = {}
        self._constants: dict[str, int] = {}
        for text in texts:
            self._constants.update(read_constants(text, self._constants))
            for match in _MACRO.finditer(text):
                given = match.group("parameters")
                parameters = None if given is None else tuple(cpp_text.split(given))
                body = match.group("body").replace("\\\n", " ").strip()
                if not match.group("name").startswith(_PREFIX):
                    self._macros.setdefault(match.group("name"), (parameters, body))

    def declared(self, text: str) -> Iterator[tuple[str, _Declared]]:
        """Yield each ``ASCENDC_TPL_ARGS_DECL`` as the operator's name and its parameters with their values."""
        for match in _LIST.finditer(text):
            if match.group("kind") != "ARGS_DECL":
                continue
            name, _, rest = cpp_text.balanced(text, match.end() - 1).partition(",")
            parameters: _Declared = []
            for kind, given in self._calls(rest):
                if kind.endswith("_DECL") and given:
                    values = self._values(kind, given)
                    places = values if kind == "UINT_DECL" else ()
                    parameters.append(
                        (evolve(_parameter(kind, given), bits=self._bits(kind, given), places=places), values)
                    )
            yield name.strip(), parameters

    def selected(self, text: str) -> Iterator[tuple[dict[str, tuple[str, ...]], str]]:
        """Yield each ``ASCENDC_TPL_ARGS_SEL`` as the parameters' values by name, and the tiling struct it names."""
        for match in _LIST.finditer(text):
            if match.group("kind") != "SEL":
                continue
            for kind, arguments in self._calls(cpp_text.balanced(text, match.end() - 1)):
                if kind != "ARGS_SEL":
                    continue
                values: dict[str, tuple[str, ...]] = {}
                struct = ""
                for part, given in self._calls(", ".join(arguments)):
                    if part == "TILING_STRUCT_SEL" and given:
                        struct = given[0]
                    elif part.endswith("_SEL") and part not in _NO_PARAMETER and given:
                        values[given[0]] = self._values(part, given)
                yield values, struct

    def _calls(self, text: str, depth: int = 0) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the ``ASCENDC_TPL_X(...)`` of a list as (X, arguments), those that macros stand for among them."""
        for item in cpp_text.split(text):
            match = _CALL.match(item)
            if match is None or depth > _DEEPEST:
                continue
            if item.startswith(_PREFIX) and match.group("open"):
                yield match.group("name").removeprefix(_PREFIX), cpp_text.arguments(item, match.end() - 1)
                continue
            expanded = self._expanded(item)
            if expanded is not None:
                yield from self._calls(expanded, depth + 1)

    def _expanded(self, item: str) -> str | None:
        """What a macro call, or a macro's name, at the start of ``item`` stands for; None where it is no macro."""
        match = _CALL.match(item)
        parameters, body = self._macros.get(match.group("name") if match else "", (None, ""))
        if match is None or not body:
            return None
        if parameters is None:
            return body + item[len(match.group("name")) :]
        if not match.group("open"):
            return None
        given = cpp_text.arguments(item, match.end() - 1)
        values = dict(zip(parameters, given, strict=False))
        if "..." in parameters:
            values["__VA_ARGS__"] = ", ".join(given[len(parameters) - 1 :])
        body = re.sub(r"[A-Za-z_]\w*", lambda word: values.get(word.group(), word.group()), body)
        return re.sub(r"\s*##\s*", "", body) + item[cpp_text.close(item, match.end() - 1) :]

    def _values(self, kind: str, given: tuple[str, ...]) -> tuple[str, ...]:
        """The values that a parameter's declaration or selection lists, ranges written out, each once."""
        listed = list(chain.from_iterable(map(self._listed, given[1:])))
        if kind.startswith("UINT"):
            listed = listed[1:] if kind == "UINT_DECL" else listed
            mode, listed = listed[0] if listed else "", listed[1:]
            if mode.endswith(("_UI_RANGE", "_UI_MIX")):
                listed = self._ranges(listed, mode.endswith("_UI_MIX"))
        return tuple(dict.fromkeys(value for value in listed if not _OPERAND.match(value)))

    def _listed(self, value: str, depth: int = 0) -> Iterator[str]:
        """Yield what one argument lists: itself, or the several values or the element type of a macro."""
        _, body = self._macros.get(value, (None, ""))
        if depth < _DEEPEST and body and ("," in body or body.startswith("C_") or body in self._macros):
            for part in cpp_text.split(body):
                yield from self._listed(part, depth + 1)
        else:
            yield value

    def _ranges(self, listed: list[str], mixed: bool) -> list[str]:
        count = self._number(listed[0]) if listed else None
        if count is None:
            return []
        values: list[str] = []
        count = min(count, len(listed) // 2)
        for start in range(1, 1 + 2 * count, 2):
            bounds = [self._number(value) for value in listed[start : start + 2]]
            if len(bounds) == 2 and bounds[0] is not None and bounds[1] is not None:
                values += map(str, islice(range(bounds[0], bounds[1] + 1), _LONGEST_RANGE))
        return values + (listed[1 + 2 * count :] if mixed else [])

    def numbers(self, values: Iterable[str]) -> dict[str, int]:
        """The numbers of those among ``values`` that are names of some."""
        found = {value: self._number(value) for value in values if value.isidentifier()}
        return {name: number for name, number in found.items() if number is not None}

    def _bits(self, kind: str, given: tuple[str, ...]) -> int:
        """How many bits of a tiling key a declared parameter has; 0 where that cannot be told."""
        if kind != "UINT_DECL" or len(given) < 2:
            return _BITS.get(kind, 0)
        named = _WIDTH.fullmatch(given[1])
        return int(named["bits"]) if named else self._number(given[1]) or 0

    def _number(self, written: str) -> int | None:
        return evaluate(written, self._constants)


def _parameter(kind: str, given: tuple[str, ...]) -> TemplateParameter:
    operand = next(filter(None, map(_OPERAND.match, given)), None)
    follows = Operand(operand.group("side") == "INPUT", int(operand.group("index"))) if operand else None
    return TemplateParameter(given[0], kind == "DATATYPE_DECL", follows)
