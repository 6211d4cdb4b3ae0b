"""What a kernel's texts need to be what a compiler of today takes, where the one of CANN is wider."""

from __future__ import annotations

import os
import re
from pathlib import Path

from attrs import define, field

from kernelgen_ls.kernel.host_half import host_half
from kernelgen_ls.runner.toolchains.source_tree import SourceTree
from kernelgen_ls.runner.toolchains.twin.aggregates import without_defaulted_constructors
from kernelgen_ls.runner.toolchains.twin.class_specialisations import without_class_specialisations

_MISSING = re.compile(
    r"fatal error: (?P<name>[\w./-]+): No such file|fatal error: '(?P<other>[\w./-]+)' file not found"
)
_IN_CLASS = re.compile(
    r"^(?P<path>[^:\n]+):(?P<line>\d+):(?P<column>\d+): error: explicit specialization in non-namespace", re.MULTILINE
)
_PERMISSIVE = "-fpermissive"
"""Takes a call in a template of what nobody declares here (CANN's own headers do), as long as nothing comes to it."""
_UNDECLARED = re.compile(r"error: there are no arguments to .* that depend on a template parameter")
_IN_CONSTANT = "called in a constant expression"
_FROM_BRACES = "<brace-enclosed initializer list>"
_CONSTRAINTS = "-fconcepts"
"""Has requires clauses, and leaves the rest as C++17 has it."""
_NEWER = "-std=c++20"
"""Has constant constructors that leave a member to their body, as clang lets C++17 have them."""
_RENAMED = "{}_kernel"
"""What an entry function is called whose own name is one of the C library's."""
_CONFLICT = "conflicting declaration of C function"


@define
class Mending:
    """Mends the texts of one kernel, laid out in a job's ``folder``, by what the compiler says to them.

    ``needs`` gets the flags that the texts turn out to need.
    """

    folder: Path
    tree: SourceTree
    entry: str
    kernel: str
    needs: set[str]
    _hostless: bool = field(default=False, init=False)

    @property
    def source(self) -> Path:
        """Where the kernel's own texts lie."""
        return self.folder / "src"

    @property
    def called(self) -> str:
        """What the entry function is called in the text as it is now."""
        text = (self.source / self.entry).read_text(encoding="utf-8")
        return self.kernel if _named(self.kernel).search(text) else _RENAMED.format(self.kernel)

    def mend(self, output: str) -> bool:
        """Change a text or a flag so that the compiler has less to complain of; whether that could be."""
        called = self.called
        if _CONFLICT in output and called == self.kernel:
            _rename(self.source / self.entry, self.kernel, _RENAMED.format(self.kernel))
            return True
        absent = _MISSING.search(output)
        if absent and self._stand_in(absent["name"] or absent["other"]):
            return True
        if _constrain(output, self.source):
            self.needs.add(_CONSTRAINTS)
            return True
        if _NEWER not in self.needs and _IN_CONSTANT in output:
            self.needs.add(_NEWER)
            return True
        if _NEWER in self.needs and _FROM_BRACES in output and _make_aggregates(self.source):
            return True
        if _PERMISSIVE not in self.needs and _only_lacks_declarations(output):
            self.needs.add(_PERMISSIVE)
            return True
        if self._hostless or not self._without_host():
            return False
        self._hostless = True
        if called != self.kernel:  # in a text that is the tree's again
            _rename(self.source / self.entry, self.kernel, called)
        return True

    def _stand_in(self, name: str) -> bool:
        """An empty header in the place of one of CANN's own that nobody has here; whether that is new.

        One that the kernel names in quotes and without a folder is the kernel's own, and missing.
        """
        path = self.folder / "include" / name
        quoted = (one for item in self.tree.files.values() for one in item.includes if one.quoted and one.name == name)
        if (
            ("/" not in name and any(quoted))
            or path.exists()
            or ".." in path.parts
            or not path.resolve().is_relative_to((self.folder / "include").resolve())
        ):
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return True

    def _without_host(self) -> bool:
        """Blank what of the kernel's files only the host runs, which is no part of it; whether there was any."""
        half = host_half({item.path: item.text for item in self.tree.reachable(self.entry)})
        for path, spans in half.items():
            text = self.tree.files[path].prepared
            for span in spans:
                blank = re.sub(r"[^\n]", " ", text[span.start : span.end])
                text = text[: span.start] + blank + text[span.end :]
            (self.folder / "src" / path).write_text(text, encoding="utf-8")
        return bool(half)


def _constrain(output: str, source: Path) -> bool:
    """Rewrite the specialisations below ``source`` that the compiler refuses where they stand; whether it could."""
    places: dict[Path, set[tuple[int, int]]] = {}
    for match in _IN_CLASS.finditer(output):
        path = Path(os.path.normpath(match["path"]))
        if path.is_relative_to(source):
            places.setdefault(path, set()).add((int(match["line"]), int(match["column"])))
    changed = False
    for path, found in places.items():
        text = path.read_text(encoding="utf-8")
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        new = without_class_specialisations(text, [starts[line - 1] + column - 1 for line, column in found])
        path.write_text(new, encoding="utf-8")
        changed |= new != text
    return changed


def _make_aggregates(source: Path) -> bool:
    """Let braces set members of classes below ``source`` that are no aggregates in newer C++; whether it could."""
    changed = False
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        text = path.read_text(encoding="utf-8")
        new = without_defaulted_constructors(text)
        path.write_text(new, encoding="utf-8")
        changed |= new != text
    return changed


def _only_lacks_declarations(output: str) -> bool:
    """Whether the compiler complains of nothing but calls in templates of functions that are not declared."""
    errors = [line for line in output.splitlines() if "error: " in line]
    return bool(errors) and all(map(_UNDECLARED.search, errors))


def _rename(path: Path, name: str, new: str) -> None:
    """Call an entry function otherwise: its name is one of the C library's."""
    path.write_text(_named(name).sub(new, path.read_text(encoding="utf-8")), encoding="utf-8")


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.:>]){re.escape(name)}(?=\s*\()")
