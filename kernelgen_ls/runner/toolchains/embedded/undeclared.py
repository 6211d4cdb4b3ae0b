"""Names that clang finds declared nowhere: misspelt, or known to CANN or to another build of the operator."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import define, field

from kernelgen_ls.kernel.api.public_names import is_inner_name, is_public_name
from kernelgen_ls.runner.toolchains.embedded.names import is_lacking
from kernelgen_ls.runner.toolchains.embedded.parser import RawDiagnostic
from kernelgen_ls.runner.toolchains.embedded.places import place_of
from kernelgen_ls.runner.toolchains.embedded.unknown import statements
from kernelgen_ls.runner.toolchains.source_tree import SourceText, SourceTree

WORD = re.compile(r"[A-Za-z_]\w*")
_NO_MEMBER = re.compile(
    r"^no (?:type|template|member)?(?: ?(?:type|template|member))*\s*named '(?P<name>[^']+)' in (?P<where>.*)$"
)
_UNDECLARED = re.compile(
    r"^(?:use of undeclared identifier|unknown type name|unknown template name|no template named) '(?P<name>[^']+)'"
)
_NO_CLASS = re.compile(r"^unknown class name '(?P<name>[^']+)'")
_SUGGESTED = re.compile(r"; did you mean '(?P<name>[^']+)'\?$")
_TILING_DATA = re.compile(r"TilingData\w*$")
"""What structs are called that an operator's host side declares, which may not be at hand."""
_NAMESPACES = re.compile(
    r"\bin namespace '(?P<name>AscendC|matmul|AscendC::\w+|platform_ascendc|ge|gert|optiling|ops|Hccl|matmul_tiling)\b"
)
_INNER_NAMESPACE = re.compile(r"in namespace '(?:AscendC|matmul)::(?:\w+::)*(?:[Ii]mpl|[Dd]etail|[Ii]nternal)\b")
"""What CANN's headers have for themselves; of these we declare what a page names all the same."""
_CLASS = re.compile(r"^'AscendC::(?:\w+::)*(?P<name>\w+)(?:<.*>)?'")
_SCOPE_EXPECTED = ("expected namespace name", "expected class name")
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:el)?if(?:[^\\\n]|\\[^\n]|\\\n)*", re.MULTILINE)
_ERROR = re.compile(r"[ \t]*#[ \t]*error\b")
_BY_PASS = frozenset(("__DAV_C220_VEC__", "__DAV_C220_CUBE__", "__DAV_VEC__", "__DAV_CUBE__"))
"""What the compiler defines in one of its passes over a kernel, for one kind of core."""


@define
class Undeclared:
    """Judges the names of one parse that are declared nowhere."""

    tree: SourceTree
    sources: Sequence[SourceText] = ()
    by_build: frozenset[str] = frozenset()
    host: bool = False
    _declared: frozenset[str] | None = field(default=None, init=False)

    def name(self, raw: RawDiagnostic) -> str:
        """The name that clang found declared nowhere; "" for any other diagnostic, and for one of no concern."""
        place = place_of(self.tree, raw) if raw.severity >= 3 else None
        if place is None:
            return ""
        if raw.message in _SCOPE_EXPECTED:
            return self.tree.files[place.path].at(place.range)
        match = _UNDECLARED.match(raw.message) or _NO_MEMBER.match(raw.message) or _NO_CLASS.match(raw.message)
        return match.group("name") if match else ""

    def is_lacking(self, raw: RawDiagnostic) -> bool:
        """Whether clang misses a name that the interface has in CANN and that is not declared here yet."""
        name = self.name(raw)
        if not name:
            return False
        if (
            _INNER_NAMESPACE.search(raw.message)
            or name in self.by_build
            or name in self._in_other_builds()
            or (_TILING_DATA.search(name) and not (_SUGGESTED.search(raw.message) and name in self._line(raw)))
        ):
            return True
        member = _NO_MEMBER.match(raw.message)
        owner = _CLASS.match(member.group("where")) if member and not _NAMESPACES.search(raw.message) else None
        if member and owner is None and not _NAMESPACES.search(raw.message):
            return False
        return is_lacking(name, owner.group("name") if owner else "", host=self.host)

    def is_of_another_build(self, raw: RawDiagnostic) -> bool:
        """Whether the text itself refuses (``#error``) a build that sets no macro, where builds set some."""
        return bool(_ERROR.match(self._line(raw))) and bool(self._in_other_builds())

    def _line(self, raw: RawDiagnostic) -> str:
        place = place_of(self.tree, raw)
        return self.tree.files[place.path].lines[place.range.start.line] if place is not None else ""

    def _in_other_builds(self) -> frozenset[str]:
        """What is declared somewhere in the sources, where conditions are on macros whose values are not known."""
        if self._declared is None:
            undecided = self.by_build | _BY_PASS
            conditions = (match.group() for source in self.sources for match in _CONDITION.finditer(source.text))
            if any(not undecided.isdisjoint(WORD.findall(condition)) for condition in conditions):
                declared = (one.declares for source in self.sources for one in statements(source.prepared))
                self._declared = frozenset().union(*declared)
            else:
                self._declared = frozenset()
        return self._declared

    def is_inner(self, raw: RawDiagnostic) -> bool:
        """Whether a name that is lacking is one that CANN's headers have for themselves."""
        name = self.name(raw)
        return _INNER_NAMESPACE.search(raw.message) is not None or (
            is_inner_name(name, member=True) and not is_public_name(name, member=True)
        )

    def scope(self, raw: RawDiagnostic) -> str | None:
        """In which namespace a name was looked for, "" for any; None where nothing like it is to be suggested."""
        if _SUGGESTED.search(raw.message):
            return None
        if not _NO_MEMBER.match(raw.message):
            return ""
        where = _NAMESPACES.search(raw.message)
        return where.group("name") if where is not None else None
