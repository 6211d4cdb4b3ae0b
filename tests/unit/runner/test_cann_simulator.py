"""A runner with CANN and no NPU: the simulator's figures, read by their columns' names and never called measured."""

from __future__ import annotations

import json
from pathlib import Path

from attrs import evolve

from kernelgen_ls.runner.jobs.config import Budgets
from kernelgen_ls.runner.jobs.messages import LatencyKind, LineCost, MeasureRequest, Outcome
from kernelgen_ls.runner.toolchains.cann.simulator import read_duration, read_lines, read_simulated_pipes
from tests.unit.runner.test_cann import CONFIG, Start, files, kernel, measure, never, shared, start, verify

__all__ = ["shared", "start"]  # fixtures

SIMULATOR = {"soc": "", "simulator": "Ascend910B3"}


def test_without_an_npu_a_latency_is_simulated_and_says_so(start: Start) -> None:
    text = kernel(more="// trusted\n// takes: 23.0 us")
    request = MeasureRequest("op_kernel/twice.cpp", files(text), "Ascend910B3", "twice", "cases.py")
    stages = []
    result = start(**SIMULATOR).measure(request, never, stages.append)
    assert result.outcome is Outcome.PASSED, result.message
    latency = result.latency
    assert latency is not None and latency.kind is LatencyKind.SIMULATED
    assert (latency.samples_us, latency.soc, latency.device) == ((23.0,), "Ascend910B3", "simulator")
    assert {pipe.name: pipe.us for pipe in latency.pipes} == {"MTE2": 11.5, "vector": 5.75}
    line = next(n for n, row in enumerate(text.split("\n")) if "DataCopy(" in row)
    assert latency.lines == (LineCost("op_kernel/twice.cpp", line, 13.8, 5),)
    assert "not a measurement" in result.warnings[0] and any("awaits confirmation" in w for w in result.warnings)
    assert "in the simulator" in stages[-1].detail


def test_what_the_simulator_cannot_do_is_told(start: Start) -> None:
    chain = start(**SIMULATOR)
    missing = measure(chain, kernel(), chip="Ascend310P3")
    assert missing.outcome is Outcome.INFRA_ERROR and "no simulator of Ascend310P3" in missing.message
    assert "no NPU" in verify(chain, kernel()).message
    wrong = measure(chain, kernel().replace("// computes: x0 * 2", "// computes: x0 * 3"), chip="Ascend910B3")
    assert (wrong.outcome, wrong.latency) == (Outcome.WRONG_VALUES, None) and "in the simulator" in wrong.message
    slow = start(evolve(CONFIG, budgets=Budgets(check=300, verify=300, measure=5)), **SIMULATOR)
    hanging = measure(slow, kernel(more="// trusted\n// hangs"), chip="Ascend910B3")
    assert hanging.outcome is Outcome.TIMEOUT and "smaller case" in hanging.message


def test_an_npu_of_another_chip_leaves_the_simulator_to_stand_in(start: Start) -> None:
    result = measure(start(soc="Ascend 310P3", simulator="Ascend910B1"), kernel(), chip="Ascend910B1")
    assert result.latency is not None and result.latency.kind is LatencyKind.SIMULATED
    assert result.latency.soc == "Ascend910B1"


def core(out: Path, name: str, instructions: str = "", lines: str = "") -> None:
    folder = out / "OPPROF_1/device0/simulator" / name
    folder.mkdir(parents=True)
    (folder / f"{name}_instr_exe_20260101.csv").write_text(instructions)
    (folder / f"{name}_code_exe_20260101.csv").write_text(lines)


def test_columns_are_found_by_name_wherever_they_stand(tmp_path: Path) -> None:
    head = "Running_Time(us),pipe,extra,instr,\n"
    core(tmp_path, "core0.cubecore0", head + "2.0,CUBE,x,MMAD,\n1.0,FIXP,x,FIX,\n", "line,code\n1,x.cpp\n")
    core(tmp_path, "core0.veccore0", head + "4.0,VEC,x,VADD,\nNA,MTE2,x,MOV,\n")
    pipes = {pipe.name: (pipe.us, pipe.ratio) for pipe in read_simulated_pipes(tmp_path, 4.0)}
    assert pipes == {"cube": (1.0, 0.25), "fixpipe": (0.5, 0.125), "vector": (2.0, 0.5)}
    assert read_lines(tmp_path, lambda path: path) == ()


def test_a_latency_spans_all_cores_and_nothing_is_made_of_no_trace(tmp_path: Path) -> None:
    assert read_duration(tmp_path) is None
    for number, (start_us, length) in enumerate([(5.0, 2.0), (6.0, 4.0)]):
        folder = tmp_path / f"simulator/core0.veccore{number}"
        folder.mkdir(parents=True)
        event = {"ph": "X", "ts": start_us, "dur": length}
        (folder / "trace.json").write_text(json.dumps({"traceEvents": [event, {"ph": "X", "ts": "?"}, 7]}))
    assert read_duration(tmp_path) == 5.0
    (tmp_path / "simulator/trace.json").write_text("{ broken")
    assert read_duration(tmp_path) is None, "what the simulator says of the whole is what counts"
