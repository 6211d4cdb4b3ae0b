"""What clang says, in the kernel author's words: the names of types, the reasons of calls that do not fit, a code."""

from __future__ import annotations

import re

from kernelgen_ls.runner.toolchains.embedded.parser import RawDiagnostic

USER_DEFINED = "-Wuser-defined-warnings"
_SPELLINGS = (
    (re.compile(r"\b_Float16\b"), "half"),
    (re.compile(r"\b__bf16\b"), "bfloat16_t"),
    (re.compile(r"(?:::)?\bAscendC::Constraint::Bf16\b"), "bfloat16_t"),
    (re.compile(r"\bConstraint::Bf16\b"), "bfloat16_t"),
    (re.compile(r"\bConstraint::Absent, "), ""),
    (re.compile(r" ,"), ","),
    (re.compile(r"\s*\(aka '[^']*'\)"), ""),
    (re.compile(r"__attribute__\(\(address_space\(1\)\)\)"), "__gm__"),
)
_REQUIREMENT = re.compile(r"^static assertion failed(?: due to requirement '.*')?(?:: (?P<message>.*))?$", re.DOTALL)
CANDIDATE = re.compile(
    r"^candidate (?:function|template|constructor|function template)?.*?(?:not viable|ignored): (?P<reason>.*)$",
    re.DOTALL,
)
_CODES = (
    ("no matching ", "no-match"),
    ("call to ", "ambiguous"),
    ("expected ", "syntax"),
    ("extraneous ", "syntax"),
    ("unterminated ", "syntax"),
    ("static assertion", "constraint"),
    ("no member", "no-member"),
    ("use of undeclared", "undeclared"),
    ("unknown type", "undeclared"),
    ("not on this chip", "chip"),
    ("too few ", "arguments"),
    ("too many ", "arguments"),
)


def worded(message: str) -> str:
    """A message with the interface's own names for types, and what a requirement says of itself."""
    requirement = _REQUIREMENT.match(message)
    if requirement:
        message = requirement.group("message") or message
    for pattern, replacement in _SPELLINGS:
        message = pattern.sub(replacement, message)
    return message


def reasons_of(raw: RawDiagnostic) -> str:
    """Why no candidate of a call fits, where few reasons say it: what a reader would look up next."""
    if not raw.message.startswith("no matching "):
        return ""
    reasons: dict[str, None] = {}
    for note in raw.notes:
        match = CANDIDATE.match(note.message)
        if match:
            reasons[worded(match.group("reason"))] = None
    kept = list(reasons)[:2]
    return f" ({'; or: '.join(kept)})" if kept else ""


def code_of(raw: RawDiagnostic) -> str:
    """The code that findings of this kind have."""
    for start, code in _CODES:
        if raw.message.startswith(start):
            return f"embedded/{code}"
    if raw.option == USER_DEFINED:
        return "embedded/constraint"
    return f"embedded/{raw.option.removeprefix('-W')}" if raw.option else "embedded/semantic"
