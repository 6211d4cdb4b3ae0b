"""kernel/static-variable: a variable of a device function that is to keep its value from one call to the next.

A device function's variables live in registers and on the stack of one core for one call of the kernel. Constants are
left alone: nothing has to be kept of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.structure import Span

_STATIC = re.compile(
    r"\b(?P<declared>(?:const(?:expr)?\s+)?static\b[^;={}()]*?\b(?P<name>[A-Za-z_]\w*))\s*(?:\[[^\]]*\]\s*)*[;={]"
)
_CONSTANT = re.compile(r"\b(?:const|constexpr)\b")


def _check(context: LintContext) -> Iterator[Report]:
    for found in _STATIC.finditer(context.source.plain):
        function = context.structure.function_at(found.start())
        if function is None or not function.body.holds(found.start()) or "__aicore__" not in function.qualifiers:
            continue
        if _CONSTANT.search(found.group("declared")):
            continue
        yield Report(
            Span(found.start(), found.end("declared")),
            f"'{found.group('name')}' is static, and a device function keeps no variable from one call to the next: "
            "make it a member of the kernel's class, or keep it in the workspace",
        )


LINT = Lint(
    "kernel/static-variable", Severity.WARNING, "a variable of a device function that is to outlive its call", _check
)
