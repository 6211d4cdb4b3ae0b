"""In which configuration a case's kernel is compiled: by its element types, its tiling key, its template arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from kernelgen_ls.kernel.dtypes import GRAPH_NUMBERS, find_dtype
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.kernel.template_keys import Combination, TemplateKeys
from kernelgen_ls.runner.execution.cases import Case
from kernelgen_ls.runner.toolchains.configurations import Configuration, KernelConfigurations

_KEY = re.compile(r"\btiling key (?P<key>\d+)\b")
_TRUTH = {"false": 0, "true": 1}


class UnchosenError(Exception):
    """No configuration is known to be the case's; the message says why. Another one would be another kernel."""


@frozen
class Choice:
    """A configuration, and the entry function's template arguments in their brackets; "" where it is no template."""

    configuration: Configuration
    arguments: str = ""

    @property
    def name(self) -> str:
        """The same for the same library."""
        return self.configuration.name + self.arguments


@frozen
class Choices:
    """What a kernel can be compiled as."""

    configurations: tuple[Configuration, ...]
    templates: TemplateKeys | None = None
    is_template: bool = False
    """The entry function is a template."""

    @classmethod
    def of(cls, plan: KernelConfigurations, kernel: Function) -> Choices:
        """The choices of a plan for ``kernel``."""
        return cls(plan.configurations, plan.templates, bool(kernel.template_parameters))

    def for_case(self, case: Case, template_arguments: Sequence[int] = ()) -> Choice:
        """The case's. ``template_arguments`` are what its tiling key was made of, where op_host made it of some; else
        the key says it. Raises :class:`UnchosenError`.
        """
        if self.templates is None:
            if self.is_template:
                raise UnchosenError("the kernel is a template, and only its host program says with which arguments")
            return Choice(self._configuration(case, self.configurations))
        template_arguments = template_arguments or _of_key(self.templates, case.tiling_key or 0)
        if not template_arguments:
            raise UnchosenError(
                "template tiling keys choose the kernel's template arguments, and what "
                f"{case.tiling_key or 0} was made of is not known"
            )
        combination = _combination(self.templates, template_arguments)
        arguments = self.templates.arguments(combination) if combination is not None else None
        if combination is None or arguments is None:
            shown = ", ".join(map(str, template_arguments))
            raise UnchosenError(
                f"the lists of template arguments do not select {shown}, which the tiling key stands for"
            )
        of_struct = [one for one in self.configurations if _selects(one, combination.struct)]
        return Choice(self._configuration(case, of_struct or self.configurations), f"<{', '.join(arguments)}>")

    def _configuration(self, case: Case, among: Sequence[Configuration]) -> Configuration:
        chosen = max(among, key=lambda one: _fits(one, case))
        if any(_KEY.search(one.name) for one in among) and not _is_of_key(chosen, case):
            raise UnchosenError(f"no configuration of the tiling key {case.tiling_key or 0} is known")
        given, columns = _given(case), _columns(chosen)
        if any(len(one) == len(given) for one in columns) and given not in columns:
            raise UnchosenError(f"no column of the operator's definition has the element types {', '.join(given)}")
        return chosen


def _fits(configuration: Configuration, case: Case) -> int:
    """By its tiling key, then by its element types."""
    columns = _columns(configuration)
    same = max((sum(map(str.__eq__, _given(case), column)) for column in columns), default=0)
    return same + 1000 * _is_of_key(configuration, case)


def _is_of_key(configuration: Configuration, case: Case) -> bool:
    key = _KEY.search(configuration.name)
    return key is not None and int(key["key"]) == (case.tiling_key or 0)


def _given(case: Case) -> list[str]:
    return [tensor.dtype for tensor in (*case.inputs, *case.outputs)]


def _columns(configuration: Configuration) -> list[list[str]]:
    return [[_dtype(kind) for kind in column] for column in configuration.types]


def _dtype(kind: str) -> str:
    known = find_dtype(kind)
    return known.name if known is not None else kind


def _selects(configuration: Configuration, struct: str) -> bool:
    return not struct or f"#define KERNELGEN_TILING_STRUCT {struct}\n" in configuration.prelude


def _combination(templates: TemplateKeys, numbers: Sequence[int]) -> Combination | None:
    """The combination, as the lists write it, that has these values; None where no selection has it."""
    for selection in templates.selections:
        values = []
        for number, listed in zip(numbers, selection.values, strict=False):
            values += [value for value in listed if _number(templates, value) == number][:1]
        if len(values) == len(numbers) == len(selection.values):
            return Combination(tuple(values), selection.struct)
    return None


def _of_key(templates: TemplateKeys, key: int) -> tuple[int, ...]:
    """The numbers of the values that a tiling key stands for; none where the lists do not say them."""
    numbers = [part if isinstance(part, int) else _number(templates, part) for part in templates.parts(key) or ()]
    return tuple(number for number in numbers if number is not None) if None not in numbers else ()


def _number(templates: TemplateKeys, value: str) -> int | None:
    """The number that a value of a list is for the host: an element type's is its number in graphs."""
    if value in templates.numbers:
        return templates.numbers[value]
    if value.removeprefix("C_") in GRAPH_NUMBERS:
        return GRAPH_NUMBERS[value.removeprefix("C_")]
    try:
        return _TRUTH[value] if value in _TRUTH else int(value.rstrip("uUlL"), 0)
    except ValueError:
        return None
