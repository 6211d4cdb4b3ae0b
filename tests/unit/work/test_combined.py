"""The embedded checker's answer and a compiler's, as one."""

from __future__ import annotations

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.runner.jobs.messages import CheckResult, Outcome, ToolchainInfo
from kernelgen_ls.work.combined import combined


def finding(source: FoundBy, severity: Severity = Severity.ERROR) -> Finding:
    place = Position(3, 0)
    return Finding(
        Location("op_host/add.cpp", Range(place, place)), severity, f"said by {source.value}", source, "code"
    )


EMBEDDED = finding(FoundBy.EMBEDDED)
LINT = finding(FoundBy.LINT, Severity.WARNING)
COMPILED = finding(FoundBy.BISHENG)
HERE = CheckResult(Outcome.COMPILE_ERROR, (EMBEDDED, LINT))
THERE = ToolchainInfo("cann")


def test_the_compilers_word_stands_before_the_embedded_checkers_and_lints_stay() -> None:
    found = combined(HERE, CheckResult(Outcome.COMPILE_ERROR, (COMPILED,), toolchain=THERE))
    assert found.findings == (COMPILED, LINT)
    assert found.toolchain == THERE
    assert combined(HERE, CheckResult(Outcome.PASSED, (), toolchain=THERE)).outcome is Outcome.PASSED


def test_what_the_compiler_did_not_look_at_stays_as_the_embedded_checker_found_it() -> None:
    assert combined(HERE, CheckResult(Outcome.PASSED, (), toolchain=THERE, covered=False)) == HERE


def test_a_lint_of_severity_error_is_an_error_whatever_the_compiler_says() -> None:
    here = CheckResult(Outcome.COMPILE_ERROR, (finding(FoundBy.LINT),))
    assert combined(here, CheckResult(Outcome.PASSED, (), toolchain=THERE)).outcome is Outcome.COMPILE_ERROR
