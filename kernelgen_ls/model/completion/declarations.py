"""What a kernel leans on in other files: the tiling structures that its host side declares with macros."""

from __future__ import annotations

from collections.abc import Mapping

from kernelgen_ls.kernel.host import read_host

MOST_CHARS = 1_600
"""About 450 tokens: every one of them is evaluated once a document."""


def declarations(kernel: str, host: Mapping[str, str]) -> str:
    """The tiling structures as plain C++, for a kernel that reads tiling data; empty for any other.

    ``host`` maps paths to texts of the operator's ``op_host``. Structures that the kernel names come first; what does
    not fit into ``MOST_CHARS`` is left out whole.
    """
    if "TILING_DATA" not in kernel:
        return ""
    structs = read_host(host).structs
    shown: list[str] = []
    size = 0
    for struct in sorted(structs, key=lambda struct: (struct.name not in kernel, struct.path, struct.line)):
        fields = "".join(
            f"    {field.type} {field.name}{f'[{field.length}]' if field.length else ''};\n" for field in struct.fields
        )
        text = f"struct {struct.name} {{\n{fields}}};\n"
        size += len(text)
        if size > MOST_CHARS:
            break
        shown.append(text)
    return "".join(shown)
