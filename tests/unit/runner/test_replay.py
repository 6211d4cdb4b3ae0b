"""A record made with the tests' CANN answers without it, and never passes for a measurement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve

from kernelgen_ls.runner.jobs.config import RunnerConfig, SandboxConfig
from kernelgen_ls.runner.jobs.messages import CheckRequest, LatencyKind, MeasureRequest, Outcome
from kernelgen_ls.runner.toolchains.replay.toolchain import RecordingToolchain, ReplayToolchain
from tests.fakes.cann import PROJECT, environment, write_cann
from tests.unit.runner.test_cann import files, kernel, never


def test_what_was_recorded_is_replayed_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = tmp_path / "cann"
    for name, value in environment(home, write_cann(home)).items():
        monkeypatch.setenv(name, value)
    record = tmp_path / "record"
    config = RunnerConfig(record=record, sandbox=SandboxConfig(readable=(str(PROJECT), str(home))))
    recording = RecordingToolchain(config)
    recording.info()
    tree = files(kernel())
    check = CheckRequest("op_kernel/twice.cpp", tree, "Ascend910B1", document="a", version=1)
    measure = MeasureRequest("op_kernel/twice.cpp", tree, "Ascend910B1", "twice", "cases.py", launches=3)
    recorded = recording.run(measure, never, lambda _: None)
    assert recording.run(check, never).outcome is Outcome.PASSED
    assert recorded.latency is not None and recorded.latency.kind is LatencyKind.MEASURED

    monkeypatch.delenv("ASCEND_HOME_PATH")
    replay = ReplayToolchain(config)
    info = replay.info()
    assert (info.name, info.soc, info.cann) == ("replay", "Ascend910B1", "8.3.RC1")
    assert replay.run(evolve(check, document="b", version=2, files=tree[::-1]), never).outcome is Outcome.PASSED
    replayed = replay.run(measure, never, lambda _: None)
    assert replayed.latency is not None and replayed.latency.kind is LatencyKind.REPLAYED
    assert replayed.latency.samples_us == recorded.latency.samples_us
    changed = replay.run(evolve(check, files=files(kernel("int x;"))), never)
    assert changed.outcome is Outcome.INFRA_ERROR and "not in the runner's record" in changed.message
    assert all(json.loads(path.read_text()) for path in record.iterdir())


def test_a_folder_that_is_no_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no record"):
        ReplayToolchain(RunnerConfig(record=tmp_path)).info()
    with pytest.raises(ValueError, match="--record"):
        ReplayToolchain(RunnerConfig())
