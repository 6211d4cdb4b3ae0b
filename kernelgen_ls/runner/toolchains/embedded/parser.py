"""libclang, and nothing of it outside: translation units kept warm, diagnostics copied out as plain data.

A diagnostic of libclang points into its translation unit; using one after the unit is freed crashes the process. So
everything is copied before a unit can go. Precompiled headers of our declarations make a parse cost only the user's
own lines. One object serves one thread.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen
from clang import cindex

from kernelgen_ls.folders import DECLARATIONS
from kernelgen_ls.kernel.blank import BOTH_ATTRIBUTE, DEVICE_ATTRIBUTE
from kernelgen_ls.runner.toolchains.embedded.precompiled import Precompiled, own_folder

_MAX_UNITS = 24
"""Translation units kept for a reparse; one of a usual kernel takes a few megabytes."""

_KEEP_GOING = 0x200
"""CXTranslationUnit_KeepGoing: a missing header does not silence what comes after it."""

_INCOMPLETE = 0x02
_FOR_SERIALIZATION = 0x10

HOST_LANGUAGE = ("-x", "c++", f"-D{DEVICE_ATTRIBUTE}=", f"-D{BOTH_ATTRIBUTE}=")
DEVICE_LANGUAGE = (
    *("-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Xclang", "-fcuda-is-device"),
    *("-Wno-unknown-cuda-version", "-DKERNELGEN_DEVICE"),
    f"-D{DEVICE_ATTRIBUTE}=__attribute__((device))",
    f"-D{BOTH_ATTRIBUTE}=__attribute__((host, device))",
)
"""Clang's own split between host and device functions: what a device function calls has to be the device's, followed
from the entry functions through every instantiation. One front-end pass, for the processor that the target names."""

COMMON_FLAGS = (
    "-std=c++17",
    "-nostdinc",
    "-nostdinc++",
    "--target=x86_64-unknown-linux-gnu",
    "-isystem",
    str(DECLARATIONS),
    "-isystem",
    str(DECLARATIONS / "std"),
    "-fspell-checking",
    "-ferror-limit=200",
    "-ftemplate-depth=256",
    "-fconstexpr-steps=200000",
    "-Wuninitialized",
    "-Wsometimes-uninitialized",
    "-Wno-error=c++11-narrowing",
    "-Wno-undefined-inline",
    "-Wno-undefined-internal",
    "-Wno-ignored-attributes",
    "-Wno-unknown-attributes",
    "-Wno-unknown-pragmas",
    "-Wno-c++20-extensions",
    "-Wno-unused-value",
    "-Wno-null-character",
    "-Wno-pragma-once-outside-header",
    "-Wno-macro-redefined",
)
"""Flags of every parse. The target is fixed: what a check says may not depend on the machine it runs on."""


@frozen
class RawRange:
    """A place of a virtual file as libclang counts: one-based lines and byte columns."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@frozen
class RawFix:
    """A replacement that clang proposes."""

    range: RawRange
    text: str


@frozen
class RawDiagnostic:
    """One diagnostic or note, copied out of libclang. ``severity`` is clang's: 1 note, 2 warning, 3 error, 4 fatal."""

    severity: int
    message: str
    option: str
    path: str
    line: int
    column: int
    ranges: tuple[RawRange, ...] = ()
    fixes: tuple[RawFix, ...] = ()
    notes: tuple[RawDiagnostic, ...] = ()


class ParserCrashedError(Exception):
    """libclang could not make a translation unit: it crashed inside and recovered, or ran out of its limits."""


class Parser:
    """Parses virtual files, keeping translation units and precompiled headers between calls."""

    def __init__(self) -> None:
        self._index = cindex.Index.create()
        self._units: OrderedDict[str, Any] = OrderedDict()
        self._folder = own_folder()
        self._headers = Precompiled(clang_version(), Path(self._folder.name))
        self._placed: set[str] = set()
        self._forwards = Path(self._folder.name) / "forwarded"
        self.root = (Path(self._folder.name) / "project").resolve().as_posix()

    def close(self) -> None:
        """Free the units and what lies on the disk for them."""
        self._units.clear()
        self._folder.cleanup()

    def forward(self, headers: Mapping[str, str]) -> None:
        """Let includes of the names in ``headers`` read the header of ours that each is mapped to."""
        for name, target in headers.items():
            path = self._forwards / name
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f'#pragma once\n#include "{target}"\n', encoding="utf-8")

    def parse(
        self,
        entry: str,
        texts: Mapping[str, str],
        flags: Iterable[str],
        header: str = "",
        variant: str = "",
        device: bool = False,
    ) -> list[RawDiagnostic]:
        """The diagnostics of ``entry`` over ``texts`` (virtual path to content).

        ``header`` names one of our headers (``kernel_operator.h``) to be read from its precompiled form; ``variant``
        keeps translation units of one file apart that differ only in ``texts``. Raises ParserCrashedError where
        libclang gave no unit.
        """
        self._place(texts)
        language = DEVICE_LANGUAGE if device else HOST_LANGUAGE
        arguments = [*language, *COMMON_FLAGS, "-isystem", str(self._forwards), *flags]
        unsaved = [(path, _encodable(text)) for path, text in texts.items()]
        unit = self._unit(entry, variant, arguments, header, device, unsaved)
        return [_copied(diagnostic) for diagnostic in unit.diagnostics if diagnostic.severity >= 2]

    def _unit(
        self,
        entry: str,
        variant: str,
        arguments: Sequence[str],
        header: str,
        device: bool,
        unsaved: list[tuple[str, str]],
    ) -> Any:
        given = [*arguments]
        if header:
            given += ["-include-pch", self._precompiled(header, arguments, device)]
        key = hashlib.sha256("\0".join([entry, variant, *given]).encode()).hexdigest()
        unit = self._units.pop(key, None)
        try:
            if unit is None:
                unit = self._index.parse(entry, given, unsaved_files=unsaved, options=_KEEP_GOING)
            else:
                unit.reparse(unsaved, options=_KEEP_GOING)
        except cindex.TranslationUnitLoadError as problem:
            raise ParserCrashedError(str(problem)) from problem
        self._units[key] = unit
        while len(self._units) > _MAX_UNITS:
            self._units.popitem(last=False)
        return unit

    def _place(self, paths: Iterable[str]) -> None:
        """Make an empty file for every text below ``root``, so that ``../`` in an include finds its way; and no other.

        A header that is no longer there would else be found, with nothing in it.
        """
        wanted = {path for path in paths if path.startswith(self.root + "/")}
        for path in self._placed - wanted:
            Path(path).unlink(missing_ok=True)
        for path in wanted - self._placed:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).touch()
        self._placed = wanted

    def _precompiled(self, header: str, arguments: Sequence[str], device: bool) -> str:
        macros = [flag for flag in arguments if flag.startswith("-D")]
        language = DEVICE_LANGUAGE if device else ("-x", "c++-header")

        def make(path: Path) -> None:
            name = "/kernelgen/precompiled.h"  # not the header's own name: it would include itself
            flags = [*language, *COMMON_FLAGS, *macros]
            text = f'#include "{header}"\n'
            options = _INCOMPLETE | _FOR_SERIALIZATION
            unit = self._index.parse(name, flags, unsaved_files=[(name, text)], options=options)
            for diagnostic in unit.diagnostics:
                if diagnostic.severity >= cindex.Diagnostic.Error:
                    raise ParserCrashedError(f"our own declarations are broken: {diagnostic}")
            unit.save(str(path))

        return str(self._headers.header("\0".join([header, *language, *COMMON_FLAGS, *macros]), make))


def clang_version() -> str:
    """The version of libclang's wheel."""
    return str(getattr(cindex, "__version__", "18.1.1"))


def _encodable(text: str) -> str:
    """``text`` without lone surrogates, which no encoding can carry; each becomes ``?``, so lengths stay."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def _copied(diagnostic: Any, depth: int = 0) -> RawDiagnostic:
    location = diagnostic.location
    return RawDiagnostic(
        diagnostic.severity,
        diagnostic.spelling,
        diagnostic.option or "",
        location.file.name if location.file else "",
        location.line,
        location.column,
        tuple(_range(item) for item in diagnostic.ranges if item.start.file),
        tuple(RawFix(_range(item.range), item.value) for item in diagnostic.fixits if item.range.start.file),
        tuple(_copied(child, depth + 1) for child in diagnostic.children) if depth == 0 else (),
    )


def _range(extent: Any) -> RawRange:
    start, end = extent.start, extent.end
    return RawRange(start.file.name, start.line, start.column, end.line, end.column)
