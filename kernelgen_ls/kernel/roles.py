"""What a file is to an operator: device code, host code, tiling data, a place for a kernel, or none of our business.

One decision for the editor's server, the terminal, the runners and the editors themselves. An editor asks less, whether
a file *may* be an operator's and the server be started: by the same marks, folders and suffixes, which
``make generate`` writes into its sources.
"""

from __future__ import annotations

import re
from enum import Enum

from kernelgen_ls.kernel.blank import strip_comments

SOURCE_SUFFIXES = (".cpp", ".cc", ".cxx", ".asc", ".cce")
"""What is compiled on its own."""
HEADER_SUFFIXES = (".h", ".hpp", ".hh", ".inc", ".inl")
"""What others include."""
KERNEL_SUFFIXES = (".cce",)
"""What is device code by its name alone."""
LANGUAGES = ("ascendc", "cpp", "c")
"""What editors call the language of an operator's files."""

KERNEL_FOLDER = "op_kernel"
HOST_FOLDER = "op_host"
FOLDERS = (KERNEL_FOLDER, HOST_FOLDER)
"""Where an operator's two sides lie, as msopgen generates it."""

_KERNEL_INCLUDES = ("kernel_operator", "kernel_tpipe", "basic_api/", "c_api/", "simt_api/")
_HOST_INCLUDES = (
    *("register/op_def_registry", "register/op_impl_registry", "register/tilingdata_base"),
    *("tiling/platform/", "tiling/tiling_api", "exe_graph/"),
)
_TILING_MACROS = ("BEGIN_TILING_DATA_DEF", "REGISTER_TILING_DATA_CLASS")
MARKS = (
    *("__aicore__", "aicore]", "aicore ]", "GET_TILING_DATA", "AscendC::", *_KERNEL_INCLUDES),
    *(*_TILING_MACROS, "OP_ADD(", "public OpDef", ": OpDef", "ops::OpDef", *_HOST_INCLUDES),
)
"""A text that has none of these says nothing of AscendC, and only its place can make it an operator's."""

HEAD_CHARACTERS = 64 * 1024
"""How much of a text an editor looks at: a file says what it is by its includes and its first function."""

MOST_CHARACTERS = 1_000_000
"""A longer text is told by a single word: reading all of it at every keystroke would hold up everything else."""

_MOST_COMMENT = 64 * 1024
"""A longer text is more than the comment that a kernel is to be made of."""

_KERNEL = re.compile(
    r"\b__aicore__\b|\[(?:\s*host\s*,)?\s*aicore ?\]|\bGET_TILING_DATA(?:_WITH_STRUCT)?\b"
    r"|\bAscendC::(?:LocalTensor|GlobalTensor|TPipe|TQue|TQueBind|TBuf)\b"
)
_KERNEL_INCLUDE = re.compile(rf'^[ \t]*#[ \t]*include[ \t]*[<"](?:{"|".join(_KERNEL_INCLUDES)})', re.MULTILINE)
_HOST_INCLUDE = re.compile(rf'^[ \t]*#[ \t]*include[ \t]*[<"](?:{"|".join(_HOST_INCLUDES)})', re.MULTILINE)
OPERATOR_CLASS = re.compile(r"\bclass\s+(?P<name>\w+)\s*(?:final\s*)?:\s*(?:public\s+)?(?:ops\s*::\s*)?OpDef\s*\{")
"""An operator's definition: a class of ``OpDef``."""
_DEFINES_OPERATOR = re.compile(rf"{OPERATOR_CLASS.pattern}|^[ \t]*OP_ADD\(\s*[A-Za-z_]", re.MULTILINE)
_TEST_LIBRARY = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](?:(?P<test>gtest/)|tikicpulib)', re.MULTILINE)
_DEFINED_ENTRY = re.compile(r"\b__global__\b[^;{}]*\)\s*\{")
_TILING = re.compile(rf"\b(?:{'|'.join(_TILING_MACROS)})\b")
_LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"')
_SAYS_NOTHING = re.compile(r"\s*(?://[^\n]*|/\*.*?\*/|#\s*(?:include|pragma|ifndef|define|endif)[^\n]*|\Z)", re.DOTALL)
_OTHER_SUFFIXES = (".md", ".json", ".csv", ".txt", ".py", ".sh", ".cmake", ".yaml", ".yml", ".rst", ".html")


class Role(str, Enum):
    """What a file is to an operator."""

    KERNEL = "kernel"
    """Device code: an entry function, a kernel class, a header of theirs."""
    HOST = "host"
    """The host side: the definition, the tiling function, what they include."""
    TILING = "tiling"
    """Of the host side, what declares the tiling data and nothing else."""
    SPECIFICATION = "specification"
    """Nothing but a comment yet, in a place where kernels live: a kernel may be generated into it."""
    OTHER = "other"
    """Plain C++, or no C++ at all."""

    @property
    def is_host(self) -> bool:
        """Whether it is compiled for the host."""
        return self in (Role.HOST, Role.TILING)


def role_of(path: str, text: str, language: str = "") -> Role:
    """Return the role of a file, by what it says first and then by where it lies.

    ``path`` may be of any form, or "" for a text of no file; ``language`` is what an editor calls the file's language,
    "" where nobody said. A text without any mark of AscendC costs a search for a few words.
    """
    suffix, side = _suffix(path), _side(path)
    if suffix in _OTHER_SUFFIXES and language not in LANGUAGES:
        return Role.OTHER
    if len(text) > MOST_CHARACTERS:
        return Role.KERNEL if "__aicore__" in text else Role.OTHER
    marked = any(mark in text for mark in MARKS)
    code = strip_comments(text) if marked else ""
    if is_host_test(text):
        return Role.OTHER
    if marked and _is_device_code(code, side):
        return _kernel_or_place(text)
    if suffix == ".asc" and language in ("", *LANGUAGES) and has_entry(text) and has_entry(strip_comments(text)):
        return Role.KERNEL
    if marked and _declares_tiling(code) and not _defines_operator(code):
        return Role.TILING
    if _is_declared_kernel(suffix, language) or side == KERNEL_FOLDER:
        return _kernel_or_place(text)
    if side == HOST_FOLDER or (marked and (_HOST_INCLUDE.search(code) or _defines_operator(code))):
        return Role.HOST
    # An .asc file is a kernel, a page of AsciiDoc or a key: one with nothing in it may become any of them.
    return Role.SPECIFICATION if suffix == ".asc" and not language and _only_comments(text) else Role.OTHER


def is_host_test(text: str) -> bool:
    """Return whether ``text`` is a program for the host that tries kernels out: a unit test, a run on the CPU.

    It declares entries to call them, and is compiled against a test's library.
    """
    found = _TEST_LIBRARY.search(text) if "gtest" in text or "tikicpulib" in text else None
    return found is not None and (found.group("test") is not None or _DEFINED_ENTRY.search(text) is None)


def has_entry(text: str) -> bool:
    """Return whether the host can launch something that ``text`` defines."""
    return "__global__" in text


def says_host(path: str, text: str) -> bool:
    """Return whether a file can say something of the host side: its definition, its tiling data.

    Also a kernel's file can, where everything stands in one. A comment that looks like it counts too: whoever reads
    the file reads it without comments.
    """
    if _suffix(path) in _OTHER_SUFFIXES:
        return False
    return _side(path) == HOST_FOLDER or _declares_tiling(text) or _defines_operator(text)


def _declares_tiling(text: str) -> bool:
    return any(macro in text for macro in _TILING_MACROS) and _TILING.search(text) is not None


def _defines_operator(text: str) -> bool:
    # Every keystroke asks, and few texts have the word: the pattern is tried at every word of a file.
    return ("OpDef" in text or "OP_ADD" in text) and _DEFINES_OPERATOR.search(text) is not None


def _is_device_code(code: str, side: str) -> bool:
    if _KERNEL_INCLUDE.search(code):
        return True
    words = _LITERAL.sub('""', code)
    # A header of the host side may define the qualifier away; what can be launched is the device's everywhere.
    return _KERNEL.search(words) is not None and (side != HOST_FOLDER or has_entry(words))


def _is_declared_kernel(suffix: str, language: str) -> bool:
    return language == "ascendc" or suffix in KERNEL_SUFFIXES or (suffix == ".asc" and language in LANGUAGES)


def _kernel_or_place(text: str) -> Role:
    return Role.SPECIFICATION if _only_comments(text) else Role.KERNEL


def _only_comments(text: str) -> bool:
    offset = 0
    while len(text) < _MOST_COMMENT and (nothing := _SAYS_NOTHING.match(text, offset)) is not None:
        offset = nothing.end()
        if offset == len(text):
            return True
    return False


def _suffix(path: str) -> str:
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    return f".{name.rsplit('.', 1)[-1].lower()}" if "." in name else ""


def _side(path: str) -> str:
    """Return the innermost of an operator's folders on the way to a C++ file; "" where none is."""
    if _suffix(path) not in (*SOURCE_SUFFIXES, *HEADER_SUFFIXES, ".c"):
        return ""
    folders = path.replace("\\", "/").split("/")[:-1]
    return next((folder for folder in reversed(folders) if folder in FOLDERS), "")
