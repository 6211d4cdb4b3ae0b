"""What clang says of host and device and of address spaces, in the words of a kernel's author.

Device functions are parsed with clang's own split of the two sides and ``__gm__`` as an address space. What released
compilers take all the same, or what nobody can tell from here, is no finding.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from kernelgen_ls.folders import DECLARATIONS
from kernelgen_ls.runner.toolchains.embedded.parser import RawDiagnostic

HOST_CALL = "embedded/host-call"
ADDRESS_SPACE = "embedded/address-space"

_HOST_CANDIDATE = re.compile(
    r"not viable: call to __host__ function from __(?:host__ __)?(?:device|global)__ function$"
)
_DEVICE_CANDIDATE = re.compile(r"not viable: call to __device__ function from __host__ function$")
_COUNTS = re.compile(r"not viable: requires |is not a candidate$|candidate template ignored: ")
_HOST_FUNCTION = re.compile(r"^reference to __host__ function '(?P<name>.*)' in __(?:host__ __)?(?:device|global)__")
_NAMED = re.compile(
    r"^(?:no matching .*?(?:for call to|initialization of) '(?P<name>.*)'"
    r"|no viable conversion from .* to '(?P<type>.*)'|invalid operands to binary expression \('(?P<operand>[^']*)'.*)$"
)
_NO_HEAP = re.compile(r"^'operator (?:new|delete)(?:\[\])?' is unavailable")
_NO_EXCEPTIONS = re.compile(r"^cannot use '(?P<name>\w+)' in __(?:host__ __)?(?:device|global)__ function$")
_OF_TWO_TYPES = re.compile(
    r"type '(?P<to>[^']*)' (?:with|from) .*?type '(?P<given>[^']*)'$|^assigning '.*changes address"
)
_DEFINED_AWAY = re.compile(r"^[ \t]*#[ \t]*define[ \t]+__(?:aicore|gm|global)__[ \t]*(?://.*|/\*.*)?$", re.MULTILINE)
_INTERFACE = tuple(str(DECLARATIONS / part) for part in ("ascendc", "c_api", "lib", "simt_api", "utils", "kernel_"))
"""Where declarations of the device's interface lie, which are both sides'."""
_OBJECT_IN_GLOBAL_MEMORY = re.compile(r"cannot bind reference in address space|'this' object is in address space")
_ELEMENT_IN_GLOBAL_MEMORY = re.compile(
    r"^invalid operands .*'(?:const )?__gm__ (?:bfloat16_t|fp\w+_t|hifloat8_t|int4\w+)'"
)
"""The compiler's element types are classes here, and a class' functions are not those of an object there."""
_GENERIC_POINTER = "cannot pass pointer to generic address space"
_UNCERTAIN = (
    "reference to __host__ variable",  # a constant may be folded
    "cannot initialize object parameter of type",
)


def uncertain(raw: RawDiagnostic, unread: Collection[tuple[str, int]]) -> bool:
    """Whether a diagnostic says what need not be so: host code that no device function reaches, constants, copies.

    What a class can do with an object in global memory is the compiler's to say; ours has to be silent. What is
    declared on one of the lines ``unread`` (path and number) may be the device's.
    """
    if raw.message.startswith(_UNCERTAIN) or _ELEMENT_IN_GLOBAL_MEMORY.match(raw.message):
        return True
    if raw.message.startswith("reference to __device__ ") and raw.message.endswith(" in __host__ function"):
        return True
    declared = _host_declarations(raw)
    if any(note.path.startswith(_INTERFACE) or (note.path, note.line) in unread for note in declared):
        return True
    return any(
        _DEVICE_CANDIDATE.search(note.message) or _OBJECT_IN_GLOBAL_MEMORY.search(note.message) for note in raw.notes
    )


def without_qualifiers(text: str) -> bool:
    """Whether a text may define a qualifier away, as projects do that compile their kernels for the host too."""
    return "#" in text and _DEFINED_AWAY.search(text) is not None


def worded(raw: RawDiagnostic) -> tuple[str, str] | None:
    """The message and code of a diagnostic on host code, exceptions or address spaces; None for any other."""
    if _NO_HEAP.match(raw.message):
        return "the device has no heap: 'new' and 'delete' cannot be used in a kernel", HOST_CALL
    exception = _NO_EXCEPTIONS.match(raw.message)
    if exception:
        return f"'{exception.group('name')}' cannot be used in a kernel: the device has no exceptions", HOST_CALL
    function = _HOST_FUNCTION.match(raw.message)
    if function:
        return _host_call(f"'{function.group('name')}'", raw), HOST_CALL
    if any(_HOST_CANDIDATE.search(note.message) for note in raw.notes) and all(
        _HOST_CANDIDATE.search(note.message) or _COUNTS.search(note.message) or "(the implicit " in note.message
        for note in raw.notes
        if _is_candidate(note)
    ):
        named = _NAMED.match(raw.message)
        name = next((f"'{name}'" for name in named.groups() if name), "this") if named else "this"
        return _host_call(name, raw), HOST_CALL
    return _address_space(raw)


def _is_candidate(note: RawDiagnostic) -> bool:
    return note.message.startswith("candidate")


def _host_declarations(raw: RawDiagnostic) -> list[RawDiagnostic]:
    of_function = _HOST_FUNCTION.match(raw.message) is not None
    return [
        note
        for note in raw.notes
        if _HOST_CANDIDATE.search(note.message) or (of_function and note.message.endswith("declared here"))
    ]


def _host_call(name: str, raw: RawDiagnostic) -> str:
    if all(note.path.startswith(str(DECLARATIONS)) for note in _host_declarations(raw)):
        return f"{name} is host code, which a kernel cannot use"
    return f"{name} is host code: a function that runs on the device needs __aicore__"


def _address_space(raw: RawDiagnostic) -> tuple[str, str] | None:
    if any(_GENERIC_POINTER in note.message for note in raw.notes) and raw.message.startswith("no matching "):
        return f"{raw.message}: an argument has to point to global memory, and __gm__ is missing", ADDRESS_SPACE
    message = raw.message.replace("__attribute__((address_space(1)))", "__gm__")
    types = _OF_TWO_TYPES.search(message)
    if types is None or "__gm__" not in message:
        return None
    given, to = types.group("given") or "", types.group("to") or ""
    if "__gm__" in to and "__gm__" not in given and given.endswith("*"):
        return f"{message}: __gm__ is missing", ADDRESS_SPACE
    return message, ADDRESS_SPACE
