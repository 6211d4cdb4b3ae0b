"""Writes the table of public names from an unpacked CANN developer kit: its documentation pages and its headers.

    scripts/generate_public_names.py FOLDER

Only facts are taken: a name, what it is, its scope, its family, and for which instruction sets a page says that it is
supported. FOLDER holds `docs`, `include` and `impl`; what `impl` declares is public where a page names it, and an inner
name otherwise, as are the compiler's own functions and types that it uses.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tree_sitter
import tree_sitter_cpp

TABLE = Path(__file__).resolve().parent.parent / "kernelgen_ls/kernel/api/public_names.tsv"
HEADING = (
    "# name\tkind\tscope\tfamily\t"
    "architectures that a page names (-: no page, *: a page that names none, !: an inner name)\n"
)

ARCHITECTURES = {
    "950": "dav-3510",
    "A3": "dav-2201",
    "910b": "dav-2201",
    "310b": "dav-3002",
    "310p": "dav-2002",
    "910": "dav-1001",
}
"""What a page's marks call a chip."""
PAGES = (
    ("SIMD-API/基础API/Reg矢量计算", "reg"),
    ("SIMD-API/基础API/矩阵计算（TensorAPI）", "tensor"),
    ("SIMD-API/基础API/data_structure_TensorAPI", "tensor"),
    ("SIMD-API/基础API", "basic"),
    ("SIMD-API/高阶API/HCCL", "hccl"),
    ("SIMD-API/高阶API", "advanced"),
    ("SIMD-API/C-API", "c"),
    ("SIMT-API", "simt"),
    ("Utils-API/CPP", "std"),
    ("Utils-API", "utils"),
    ("AI-CPU-API", "aicpu"),
)
HEADERS = (
    ("basic_api/reg_compute", "reg"),
    ("basic_api", "basic"),
    ("adv_api/hccl", "hccl"),
    ("adv_api/hcomm", "hccl"),
    ("adv_api", "advanced"),
    ("c_api", "c"),
    ("simt_api", "simt"),
    ("tensor_api", "tensor"),
    ("aicpu_api", "aicpu"),
    ("utils/std", "std"),
    ("utils", "utils"),
)
UNPUBLISHED = re.compile(r"(?:^|/)(?:internal|hcomm/|dav_|stub)|/cc/")
"""Folders whose declarations are not meant for kernels."""
NOT_FOR_KERNELS = re.compile(r"(?:^|/)(?:hcomm|aicpu\w*|tiling|stub|simt_api)/|/cc/")
"""Folders of host code and of other processors: not even an inner name of kernels stands there."""
BY_THE_COMPILER = re.compile(r"/(?:dav_\w+|npu_arch_\w+)/")
"""Folders whose functions call what only the compiler has."""

_ATTRIBUTES = re.compile(
    r"\b__(?:aicore|host_aicore|simd_callee|simd_vf|simt_callee|simt_vf|gm|ubuf|cbuf|ca|cb|cc|fbuf|ssbuf|biasbuf|host|"
    r"local_mem|forceinline|force_inline|device|simd|BLOCK_LOCAL|WEAK|no_simd_vf_fusion|sync_\w+?|check_sync_alias)__\b"
    r"|\b\w+_DECL(?:__)?\b|__attribute__\s*\(\(.*?\)\)\)?|\b__(?:in|out|inout)_pipe__\([^()]*\)|\[\[.*?\]\]"
)
_PROTOTYPES = re.compile(r"^#+[^\n]*原型[^\n]*$(.*?)(?=^## )", re.DOTALL | re.MULTILINE)
_SUPPORT = re.compile(r"^##\s*产品支持情况[^\n]*$(.*?)(?=^## )", re.DOTALL | re.MULTILINE)
_MARKED = re.compile(r'<!-- npu="([\w,]+)" id\d+ -->(.*?)<!-- end', re.DOTALL)
_SUPPORTED = re.compile(r"^\s*-\s*(?P<product>[^：:\n]+)[：:]\s*支持", re.MULTILINE)
_CODE = re.compile(r"```\w*[ \t]*\n(.*?)```", re.DOTALL)
_PROTOTYPE_END = re.compile(r"\)(\s*(?:const|noexcept|override)?\s*)\n")
_WORD = re.compile(r"\b[A-Za-z_]\w+\b")
_NAME = re.compile(r"(?!_+$)[A-Za-z_]\w+$")
_GUARD = re.compile(r"_H(?:PP)?_*$|^__ASCENDC_INCLUDE|_UNDEF_")
_KEYWORDS = frozenset(("if", "for", "void", "constexpr", "typename", "static_cast", "reinterpret_cast", "return"))
_INNER = re.compile(r"(?:internal|detail|impl|private)", re.IGNORECASE)
_BUILTIN = re.compile(
    r"(?<![\w.>:])(?:(?P<function>[a-z][a-z0-9]*(?:_[a-z0-9]+)*)\(|(?P<type>[A-Za-z][A-Za-z0-9_]*_t)\b"
    r"|(?P<constant>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b)"
)
_PARAMETER = re.compile(r"^[A-Z_]+_TYPE$")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DISTINCT = re.compile(r"[A-Z]\w{3,}|[a-z]+[A-Z_]\w{2,}")
_CONSTANT = re.compile(r"[A-Z]\w*_\w+")
_INNER_CLASSES = frozenset(("AscendCUtils",))
"""Classes that no page has and kernels use all the same."""

_MEMBERS = frozenset(("method", "field"))

Found = tuple[str, str, str]
"""A name, its kind and its scope."""
Documented = tuple[str, set[str]]
"""A documented name's kind, and the instruction sets that its pages name."""


def main() -> None:
    kit = Path(sys.argv[1])
    rows: dict[Found, tuple[str, str]] = {}
    words: set[str] = set()
    documented: dict[str, dict[str, Documented]] = {}  # by name and family
    for page in sorted((kit / "docs/zh/api").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        words.update(_WORD.findall(text))
        family = _family(page.relative_to(kit / "docs/zh/api").as_posix(), PAGES)
        for name, kind, _scope in _in_page(text):
            if kind in ("constant", "type") and name.islower():
                continue  # of an example
            documented.setdefault(name, {}).setdefault(family, (kind, set()))[1].update(_supported(text))
    families: dict[str, set[str]] = {}
    declared: dict[Found, str] = {}
    for folder in ("include", "impl"):
        for name, kind, scope, family in _in_headers(kit / folder, words if folder == "impl" else None):
            declared.setdefault((name, kind, scope), family)
            families.setdefault(name, set()).add(family)
    for found, family in declared.items():
        pages = documented.get(found[0], {})
        if family in pages:
            pages = {family: pages[family]}
        elif not families[found[0]].isdisjoint(pages):
            pages = {}  # they are about something else of the same name
        rows[found] = (family, _architectures(list(pages.values())))
    for name, pages in documented.items():
        for family, about in pages.items():
            elsewhere = name in families and len(pages) == 1  # the headers' folders say another family than the page's
            if _NAME.match(name) and family not in families.get(name, ()) and not elsewhere:
                rows[name, about[0], ""] = (family, _architectures([about]))
    public = {name for name, _kind, _scope in rows}
    for found, family in _inner(kit, {name for name, kind, _scope in rows if kind in ("class", "struct")}):
        if found[1] in _MEMBERS or found[0] not in public:
            public.add(found[0])
            rows.setdefault(found, (family, "!"))
    lines = ("\t".join((*found, *facts)) for found, facts in sorted(rows.items()))
    TABLE.write_text(HEADING + "\n".join(lines) + "\n", encoding="utf-8")


def _architectures(pages: list[Documented]) -> str:
    if not pages:
        return "-"
    return ",".join(sorted(set().union(*(page[1] for page in pages)))) or "*"


def _family(path: str, families: tuple[tuple[str, str], ...]) -> str:
    return next((family for start, family in families if path.startswith(start)), "basic")


def _supported(text: str) -> Iterator[str]:
    section = _SUPPORT.search(text + "\n## ")
    for marks, body in _MARKED.findall(section.group(1)) if section else ():
        products = [match.group("product") for match in _SUPPORTED.finditer(body)]
        if any("Vector Core" not in product for product in products):
            yield from (ARCHITECTURES[mark] for mark in marks.split(",") if mark in ARCHITECTURES)


def _in_page(text: str) -> Iterator[Found]:
    for section in _PROTOTYPES.findall(text + "\n## "):
        for code in _CODE.findall(section):
            prototypes = re.sub(r"^\s*//.*$", "", html.unescape(code), flags=re.MULTILINE)
            yield from _named(_PROTOTYPE_END.sub(r")\1;\n", prototypes + "\n"))


def _in_headers(folder: Path, words: set[str] | None) -> Iterator[tuple[str, str, str, str]]:
    """What the headers declare; where ``words`` are given only of these, and no members."""
    for path in sorted(folder.rglob("*.h")):
        relative = path.relative_to(folder).as_posix()
        if UNPUBLISHED.search(relative):
            continue
        for name, kind, scope in _named(path.read_text(encoding="utf-8", errors="replace")):
            if not _NAME.match(name) or name in _KEYWORDS or _GUARD.search(name) or _INNER.search(scope):
                continue
            if kind == "constant" and not scope:
                continue  # an assignment inside a macro's text, as a rule
            if words is not None and (name not in words or kind in ("method", "field") or name.endswith("Impl")):
                continue
            yield name, kind, scope, _family(relative, HEADERS)


def _inner(kit: Path, classes: set[str]) -> Iterator[tuple[Found, str]]:
    """What the headers declare besides, of namespaces and of ``classes``, and what only the compiler has."""
    declared: dict[Found, str] = {}
    used: dict[Found, str] = {}
    for folder in ("include", "impl"):
        for path in sorted((kit / folder).rglob("*.h")):
            relative = path.relative_to(kit / folder).as_posix()
            text = path.read_text(encoding="utf-8", errors="replace")
            for found in _named(text):
                declared.setdefault(found, "" if NOT_FOR_KERNELS.search(relative) else _family(relative, HEADERS))
            if BY_THE_COMPILER.search(relative):
                for match in _BUILTIN.finditer(_COMMENT.sub(" ", text)):
                    kind = match.lastgroup or ""
                    used.setdefault((match[kind], kind, ""), _family(relative, HEADERS))
    known = {name for name, _kind, _scope in declared} | _KEYWORDS
    all_classes = {name for name, kind, _scope in declared if kind in ("class", "struct")}
    for (name, kind, scope), family in used.items():
        if name not in known and len(name) > 2 and not _GUARD.search(name) and not _PARAMETER.search(name):
            yield (name, kind, scope), family
    for found, family in declared.items():
        name, kind, scope = found
        owner = scope.rpartition("::")[2]
        if not family or not _NAME.match(name) or name in _KEYWORDS or _GUARD.search(name):
            continue
        if name.lower().endswith("impl"):
            continue  # the ending says it
        if kind in _MEMBERS:
            if name != owner and (owner in classes or owner in _INNER_CLASSES):
                yield found, family
            continue
        inside = _INNER.search(scope) or (owner in all_classes)
        distinct = (_CONSTANT if kind == "constant" else _DISTINCT).fullmatch(name)
        if distinct and not inside and not (kind == "constant" and not scope):
            yield found, family


def _named(text: str) -> list[Found]:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))
    found: list[Found] = []
    _walk(parser.parse(_ATTRIBUTES.sub(" ", text).encode()).root_node, (), False, found)
    return found


_CLASSES = {"class_specifier": "class", "struct_specifier": "struct", "union_specifier": "struct"}


def _walk(parent: Any, scope: tuple[str, ...], in_class: bool, found: list[Found]) -> None:
    for node in parent.children:
        kind = node.type
        if kind in _CLASSES or kind == "enum_specifier":
            _type(node, scope, found)
        elif kind == "namespace_definition":
            body, named = node.child_by_field_name("body"), node.child_by_field_name("name")
            if named is not None and not _text(named).islower():
                found.append((_text(named), "namespace", "::".join(scope)))
            if body is not None:
                _walk(body, (*scope, _text(named)) if named is not None else scope, False, found)
        elif kind in ("preproc_def", "preproc_function_def"):
            found.append((_text(node.child_by_field_name("name")), "macro", ""))
        elif kind == "alias_declaration":
            name = _text(node.child_by_field_name("name"))
            if not (in_class and name.islower()):  # a trait's `type` and the like
                found.append((name, "type", "::".join(scope)))
        elif kind in ("function_definition", "declaration", "field_declaration", "type_definition"):
            _declaration(node, scope, in_class, found)
        elif kind in (
            "template_declaration",
            "linkage_specification",
            "declaration_list",
            "field_declaration_list",
        ) or (kind.startswith("preproc_if") or kind in ("preproc_else", "preproc_elif", "preproc_elifdef", "ERROR")):
            _walk(node, scope, in_class, found)


def _declaration(node: Any, scope: tuple[str, ...], in_class: bool, found: list[Found]) -> None:
    declared = node.child_by_field_name("type")
    is_type = declared is not None and (declared.type in _CLASSES or declared.type == "enum_specifier")
    if is_type and declared.child_by_field_name("body") is not None:
        _type(declared, scope, found)
    for declarator in node.children_by_field_name("declarator"):
        name, function, qualifier = _declared(declarator)
        if not name:
            continue
        where = "::".join((*scope, qualifier) if qualifier else scope)
        member = in_class or bool(qualifier)
        if node.type == "type_definition":
            found.append((name, "type", where))
        elif function:
            found.append((name, "method" if member else "function", where))
        else:
            found.append((name, "field" if member else "constant", where))


def _type(node: Any, scope: tuple[str, ...], found: list[Found]) -> None:
    named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    name = re.sub(r"<.*", "", _text(named), flags=re.DOTALL) if named is not None else ""
    inner = (*scope, name) if name else scope
    kind = _CLASSES.get(node.type, "enum")
    if name:
        found.append((name, kind, "::".join(scope)))
    if body is None:
        return
    if kind != "enum":
        _walk(body, inner, True, found)
        return
    items = (item.child_by_field_name("name") for item in body.children if item.type == "enumerator")
    found.extend((_text(item), "enumerator", "::".join(inner)) for item in items)


def _declared(declarator: Any) -> tuple[str, bool, str]:
    """The name that a declarator declares, whether it is a function, and its class where the name is qualified."""
    function = False
    while declarator is not None:
        function = function or declarator.type == "function_declarator"
        if declarator.type in ("identifier", "field_identifier", "type_identifier"):
            return _text(declarator), function, ""
        if declarator.type == "qualified_identifier":
            *qualifier, name = re.sub(r"<.*>", "", _text(declarator), flags=re.DOTALL).split("::")
            return ("" if "operator" in name else name), function, "::".join(qualifier)
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            inner = next((child for child in declarator.children if child.type.endswith("declarator")), None)
        declarator = inner
    return "", function, ""


def _text(node: Any) -> str:
    return str(node.text.decode()).strip()


if __name__ == "__main__":
    main()
