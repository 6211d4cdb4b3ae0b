"""What builds give to what they compile, as CMakeLists.txt and compile_commands.json say it, read as text."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache

_COMMENT = re.compile(r"#[^\n]*")
_FOLDERS = re.compile(r"\b\w*include_directories\s*\((?P<words>[^()]*(?:\([^()]*\)[^()]*)*)\)", re.IGNORECASE)
_OPTION = re.compile(r"(?<![\w-])-I\s*\"?(?P<folder>[^\s\"')>;]+)")
_MACRO = re.compile(r"(?<![\w-])-D\s*(?P<name>[A-Za-z_]\w*)")
_DEFINITIONS = re.compile(r"\b\w*compile_definitions\s*\((?P<words>[^()]*)\)", re.IGNORECASE)
_SET = re.compile(r"\bset\s*\(\s*(?P<name>\w+)\s+\"?(?P<value>[^\s()\"]+)\"?[^()]*\)", re.IGNORECASE)
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_HERE = ("CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR")
_NOT_FOLDERS = frozenset(("PRIVATE", "PUBLIC", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"))
_MOST_NESTED = 4


@lru_cache(256)
def cmake_folders(text: str) -> tuple[str, ...]:
    """Return the include folders that a CMake file names, relative to its own folder.

    What begins with a variable that the file does not set stands for a folder above: such a one begins with ``@/``.
    """
    plain = _COMMENT.sub("", text)
    variables = {match.group("name"): match.group("value") for match in _SET.finditer(plain)}
    words = [word for match in _FOLDERS.finditer(plain) for word in match.group("words").split()[:64]]
    words += [match.group("folder") for match in _OPTION.finditer(plain)]
    found = (_folder(word.strip('"'), variables) for word in words if word not in _NOT_FOLDERS)
    return tuple(dict.fromkeys(folder for folder in found if folder is not None))


@lru_cache(64)
def cmake_definitions(text: str) -> frozenset[str]:
    """Return the macros that a CMake file gives to what it compiles."""
    plain = _COMMENT.sub("", text)
    found = {match.group("name") for match in _MACRO.finditer(plain)}
    for match in _DEFINITIONS.finditer(plain):
        words = [word.strip('"') for word in match.group("words").split()]
        scoped = next((number for number, word in enumerate(words) if word in _NOT_FOLDERS), None)
        given = words[scoped:] if scoped is not None else [word for word in words if "=" in word]
        found |= {word.partition("=")[0].removeprefix("-D") for word in given if word not in _NOT_FOLDERS}
    return frozenset(found)


def _folder(word: str, variables: dict[str, str]) -> str | None:
    if word.startswith("$<") and ":" in word:  # a generator expression
        word = word.rpartition(":")[2].rstrip(">")
    for _ in range(_MOST_NESTED):
        match = _VARIABLE.match(word)
        if match is None or match.group(1) not in variables:
            break
        word = variables[match.group(1)] + word[match.end() :]
    match = _VARIABLE.match(word)
    base = ""
    if match is not None:
        base = "" if match.group(1) in _HERE else "@"
        word = word[match.end() :].lstrip("/")
    if "$" in word or word.startswith("/"):
        return None
    word = posixpath.normpath(word) if word else ""
    return "/".join(filter(None, (base, word))) or "."


@lru_cache(4)
def compiled_with(text: str) -> dict[str, tuple[str, ...]]:
    """Return the include folders of each file of a ``compile_commands.json``, all as it has them: absolute, mostly."""
    try:
        commands = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return dict(_commands(commands)) if isinstance(commands, list) else {}


def _commands(commands: list[object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for one in commands:
        if not isinstance(one, dict):
            continue
        arguments = one.get("arguments")
        line = " ".join(map(str, arguments)) if isinstance(arguments, list) else str(one.get("command", ""))
        base = str(one.get("directory", ""))
        folders = (posixpath.join(base, match.group("folder")) for match in _OPTION.finditer(line))
        yield posixpath.join(base, str(one.get("file", ""))), tuple(dict.fromkeys(folders))
