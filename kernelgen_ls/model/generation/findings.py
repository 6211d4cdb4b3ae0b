"""What a check's findings mean to a repair: which errors come first, and which APIs their lines speak of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.model.prompts.task import GeneratedFile

SignatureLookup = Callable[[str], Sequence[str]]
"""The declarations of an API by name; empty for a name that is none."""

MOST_SIGNATURES = 12
_NAME = re.compile(r"\b[A-Z]\w+(?=\s*[<(])")


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The errors, in the order of their places; later ones often follow from earlier ones."""
    found = [finding for finding in findings if finding.severity is Severity.ERROR]
    return tuple(sorted(found, key=lambda finding: (finding.location.path, finding.location.range)))


def warnings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """What a lint would have the user look at."""
    return tuple(finding for finding in findings if finding.severity is Severity.WARNING)


def signatures(files: Sequence[GeneratedFile], found: Sequence[Finding], lookup: SignatureLookup) -> tuple[str, ...]:
    """The declarations of the APIs that the erroneous lines and the messages name, those of the first errors first."""
    lines = {file.path: file.text.split("\n") for file in files}
    shown: dict[str, None] = {}
    for finding in found:
        source = lines.get(finding.location.path, [])
        span = finding.location.range
        text = "\n".join(source[span.start.line : span.end.line + 1])
        for name in dict.fromkeys([*_NAME.findall(text), *re.findall(r"'(\w+)'", finding.message)]):
            for signature in lookup(name):
                shown.setdefault(f"{signature}", None)
        if len(shown) >= MOST_SIGNATURES:
            break
    return tuple(shown)[:MOST_SIGNATURES]
