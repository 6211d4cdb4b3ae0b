"""The engine benchmark runs and reports both sides; what it measures is nobody's test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kernelgen_ls.bench.engine import engine

pytestmark = pytest.mark.engine


def test_it_reports_both_sides(tiny_gguf: Path, tmp_path: Path) -> None:
    output = tmp_path / "reports" / "engine.json"
    arguments = ["--model", str(tiny_gguf), "--threads", "1", "--prompt", "64", "--count", "6", "--repetitions", "2"]
    result = CliRunner().invoke(engine, [*arguments, "--json", str(output)])
    assert result.exit_code == 0, result.output
    report = json.loads(output.read_text())
    for side in ("ours", "bare"):
        assert all(rate > 0 for rate in report[side]["prefill"] + report[side]["decode"])
    assert "our worker" in result.output
