"""The findings of a kernel's configurations as those of the kernel."""

from __future__ import annotations

from attrs import evolve

from kernelgen_ls.kernel.findings import Finding, Location, Severity


def merged(by_configuration: list[tuple[str, list[Finding]]], *, everywhere: bool = False) -> list[Finding]:
    """The findings of all configurations, each once, ``only_for`` the configurations that have it.

    With ``everywhere`` only what every configuration has is kept: they are guesses then, one of which is right.
    """
    found: dict[tuple[Location, Severity, str], list[tuple[str, Finding]]] = {}
    for name, findings in by_configuration:
        for finding in findings:
            found.setdefault((finding.location, finding.severity, finding.message), []).append((name, finding))
    result = []
    for occurrences in found.values():
        finding = occurrences[0][1]
        whole = len(occurrences) == len(by_configuration)
        if everywhere and not whole:
            continue
        names = () if whole else tuple(dict.fromkeys(name for name, _ in occurrences if name))
        result.append(evolve(finding, only_for=names))
    return sorted(result, key=lambda item: (item.location.path, item.location.range.start, item.message))
