"""What the host side of an operator says about its kernel: tiling structs and the operator's definition.

A kernel cannot be read alone. Its tiling structs are declared in ``op_host`` with ``BEGIN_TILING_DATA_DEF`` and its
element types by the dtype columns of an ``OpDef``; the operator build turns both into a generated header and into
defines (``DTYPE_X``, ``ORIG_DTYPE_X``, ``FORMAT_X``), one set a column. This room does the same from the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from attrs import field, frozen

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.constants import read_constants
from kernelgen_ls.kernel.opdef import (
    Attribute,
    CoreConfig,
    DtypeColumn,
    Operand,
    OperatorDefinition,
    dtype_columns,
    operators,
    snake_case,
)
from kernelgen_ls.kernel.preprocess import Preprocessor
from kernelgen_ls.kernel.tiling import (
    TilingClass,
    TilingField,
    TilingStruct,
    tiling_classes,
    tiling_header,
    tiling_structs,
)

__all__ = [
    "Attribute",
    "CoreConfig",
    "DtypeColumn",
    "HostContext",
    "Operand",
    "OperatorDefinition",
    "TilingClass",
    "TilingField",
    "TilingStruct",
    "dtype_columns",
    "read_host",
    "snake_case",
    "tiling_header",
]

_KERNEL_NAMES = ("opInterface", "opFile")
"""Keys of ``ExtendCfgInfo`` that name an operator's kernel."""


_SAYS_SOMETHING = re.compile(r"\bBEGIN_TILING_DATA_DEF\b|\bREGISTER_TILING_DATA_CLASS\b|\bOpDef\b")


@frozen
class HostContext:
    """Everything the texts of ``op_host`` say, and the integer constants they define."""

    structs: tuple[TilingStruct, ...] = ()
    tiling_classes: tuple[TilingClass, ...] = ()
    operators: tuple[OperatorDefinition, ...] = ()
    constants: Mapping[str, int] = field(factory=dict)
    names_kernels: bool = False
    """Whether an operator says by itself which file or function its kernel is."""

    def operator_for(self, entry_name: str) -> OperatorDefinition | None:
        """Return the operator whose kernel is called ``entry_name``; the only one there is where none matches."""
        for operator in self.operators:
            if operator.entry_name == entry_name:
                return operator
        return self.operators[0] if len(self.operators) == 1 else None

    def tiling_struct(self, operator: str, key: int | None = None) -> TilingStruct | None:
        """Return the struct that ``GET_TILING_DATA`` gives in ``operator``, for tiling key ``key`` where it has one.

        Where nothing is registered under the operator's name, the only registered struct, or the only struct, is it.
        """
        registered = {item.operator: item.struct for item in self.tiling_classes}
        name = registered.get(f"{operator}_{key}") if key is not None else None
        name = name or registered.get(operator)
        if name is None and len(set(registered.values())) == 1:
            name = next(iter(registered.values()))
        if name is None and len(self.structs) == 1:
            name = self.structs[0].name
        return next((struct for struct in self.structs if struct.name == name), None)


def _active_first(plain: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield what the preprocessor keeps of each text; then whole what it cuts, for what only other builds have."""
    cut = []
    for path, text in plain:
        active = Preprocessor().active(text, text) if "#if" in text and _SAYS_SOMETHING.search(text) else text
        yield path, active
        if active != text:
            cut.append((path, text))
    yield from cut


def read_host(texts: Mapping[str, str]) -> HostContext:
    """Return what the host texts (path to content, ``op_host`` and what it includes) say about the operator.

    Texts that say nothing cost little; a construct that cannot be read is left out, not guessed.
    """
    return _read_host(tuple(texts.items()))


@lru_cache(maxsize=8)  # while a kernel is being edited its host side is what it was
def _read_host(texts: tuple[tuple[str, str], ...]) -> HostContext:
    plain = [(path, strip_comments(text)) for path, text in texts]
    constants: dict[str, int] = {}
    for _ in range(2):  # twice: a constant may be defined by one of a file that comes later
        for _, text in plain:
            constants.update(read_constants(text, constants))
    structs: dict[str, TilingStruct] = {}
    classes: dict[str, TilingClass] = {}
    defined: dict[str, OperatorDefinition] = {}
    for path, text in _active_first(plain):
        for struct in tiling_structs(path, text, constants):
            structs.setdefault(struct.name, struct)
        for registered in tiling_classes(text):
            classes.setdefault(registered.operator, registered)
        for operator in operators(text):
            defined.setdefault(operator.name, operator)
    named = any(word in text for _, text in plain for word in _KERNEL_NAMES)
    return HostContext(tuple(structs.values()), tuple(classes.values()), tuple(defined.values()), constants, named)
