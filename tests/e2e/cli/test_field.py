"""What people reported and what working public kernels hold, with the right finding beside its line.

``tests/kernels/field`` is checked as a user would: every file in one command. A line without ``// expect:`` has no
finding, so most of its files stand for a false alarm that there was.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FIELD = Path(__file__).parents[2] / "kernels" / "field"
_EXPECTED = re.compile(r"// expect: (?P<codes>.*)$")


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[int, list[str]]]:
    """Codes by file and line, of the folder copied to where no project of ours is above it."""
    folder = tmp_path_factory.mktemp("field") / "field"
    shutil.copytree(FIELD, folder)
    headers = [path.relative_to(folder).as_posix() for path in folder.glob("*.h")]
    command = [sys.executable, "-m", "kernelgen_ls", "check", "--json", ".", *headers]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    found: dict[str, dict[int, list[str]]] = {file["path"]: {} for file in report["files"]}
    for finding in report["findings"]:
        lines = found.setdefault(finding["path"], {})
        lines.setdefault(finding["location"]["range"]["start"]["line"] + 1, []).append(finding["code"])
    return found


def expected(path: Path) -> dict[int, list[str]]:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return {number: found.group("codes").split() for number, line in lines if (found := _EXPECTED.search(line))}


@pytest.mark.parametrize(
    "path", sorted(p.relative_to(FIELD).as_posix() for p in FIELD.rglob("*") if p.suffix in (".cpp", ".h", ".asc"))
)
def test_every_line_has_its_finding_and_no_other(path: str, findings: dict[str, dict[int, list[str]]]) -> None:
    assert findings.get(path, {}) == expected(FIELD / path)


def test_kernels_are_checked_and_a_host_test_that_declares_one_is_left_alone(
    findings: dict[str, dict[int, list[str]]],
) -> None:
    kernels = {p.relative_to(FIELD).as_posix() for p in FIELD.rglob("*") if p.suffix in (".cpp", ".asc")}
    assert kernels - set(findings) == {"gtest-ut/tests/ut/op_kernel/test_scale.cpp"}
