"""This project's own kernels: clean ones are clean, and every seeded defect is found where its mark stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints import lint
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

ROOT = Path(__file__).parents[3]
CLEAN = sorted((ROOT / "tests/kernels/clean").glob("*.cpp"))
DEFECTS = sorted((ROOT / "tests/kernels/defects").glob("*.cpp"))
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/api_desc.md"))


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def errors(toolchain: EmbeddedToolchain, entry: str, files: dict[str, str]) -> list[tuple[int, str]]:
    result = toolchain.check(
        CheckRequest(entry=entry, files=tuple(SourceFile(*item) for item in files.items()), chip="Ascend910B1")
    )
    return [(f.location.range.start.line, f.message) for f in result.findings if f.severity is Severity.ERROR]


def test_there_are_enough_of_them() -> None:
    assert len(CLEAN) + len(EXAMPLES) >= 30
    assert len(DEFECTS) >= 100
    assert len(EXAMPLES) >= 10


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
def test_clean_kernels_are_clean(toolchain: EmbeddedToolchain, path: Path) -> None:
    text = path.read_text("utf-8")
    assert errors(toolchain, path.name, {path.name: text}) == []
    found = lint(Source(text), chip_named("Ascend910B1"))
    assert [f for f in found if f.severity in (Severity.ERROR, Severity.WARNING)] == []


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_clean_on_both_sides(toolchain: EmbeddedToolchain, folder: Path) -> None:
    files = {str(p.relative_to(folder)): p.read_text("utf-8") for p in folder.rglob("*") if p.is_file()}
    for entry in (f"op_kernel/{folder.name}.cpp", f"op_host/{folder.name}.cpp"):
        assert errors(toolchain, entry, files) == []


@pytest.mark.parametrize("path", DEFECTS, ids=lambda path: path.stem)
def test_defects_are_found_where_they_are(toolchain: EmbeddedToolchain, path: Path) -> None:
    text = path.read_text("utf-8")
    marked = {
        (at, match.group("severity"))
        for at, line in enumerate(text.split("\n"))
        if (match := re.search(r"// expect: (?P<severity>error|warning)", line))
    }
    request = CheckRequest(path.name, (SourceFile(path.name, text),), "Ascend910B1")
    found = {(item.location.range.start.line, item.severity.value) for item in toolchain.check(request).findings}
    assert marked
    assert {item for item in found if item[1] in ("error", "warning")} == marked
