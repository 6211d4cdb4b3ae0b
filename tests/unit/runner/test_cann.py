"""The CANN tool chain against the tests' installation: real sandbox, real golden process, a bisheng that checks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.cases import GOLDEN_TYPES, Case, judge, read_manifest
from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig, SandboxConfig
from kernelgen_ls.runner.jobs.messages import (
    CheckRequest,
    JobStage,
    MeasureRequest,
    MeasureResult,
    Outcome,
    SourceFile,
    StageReport,
    VerifyRequest,
    VerifyResult,
)
from kernelgen_ls.runner.toolchains.cann.install import NoCannError, parse_soc
from kernelgen_ls.runner.toolchains.cann.toolchain import CannToolchain
from tests.fakes.cann import PROJECT, environment, write_cann

Start = Callable[..., CannToolchain]
CONFIG = RunnerConfig(
    sandbox=SandboxConfig(readable=(str(PROJECT),)), budgets=Budgets(check=300, verify=300, measure=300)
)


def never() -> bool:
    return False


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all, so that each kind of installation is probed once."""
    return tmp_path_factory.mktemp("cann")


@pytest.fixture
def start(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared / "cache"))

    def make(config: RunnerConfig = CONFIG, **options: object) -> CannToolchain:
        home = shared / ("-".join(map(str, options.values())).replace(" ", "") or "plain")
        smi = write_cann(home, **options)  # type: ignore[arg-type]  # the options of the stand-in
        for name, value in environment(home, smi).items():
            monkeypatch.setenv(name, value)
        config = evolve(config, sandbox=evolve(config.sandbox, readable=(*config.sandbox.readable, str(home))))
        return CannToolchain(config)

    return make


KERNEL = """\
#include "kernel_operator.h"
using namespace AscendC;
// computes: x0 * 2
{more}
class KernelTwice {
public:
    __aicore__ inline KernelTwice() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        xGm.SetGlobalBuffer((__gm__ half *)x, 1024);
        yGm.SetGlobalBuffer((__gm__ half *)y, 1024);
        pipe.InitBuffer(queue, 1, 2048);
    }
    __aicore__ inline void Process()
    {
        LocalTensor<half> local = queue.AllocTensor<half>();
        DataCopy(local, xGm, 1024);
        {body}
        queue.FreeTensor(local);
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> queue;
    GlobalTensor<half> xGm, yGm;
};
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    KernelTwice op;
    op.Init(x, y);
    op.Process();
}
"""
CASES = dedent(
    """
    import numpy as np

    CASES = [{"name": "whole", "n": 1024}, {"name": "odd tail", "n": 1023}]

    def inputs(case, rng):
        return [rng.standard_normal(case["n"]).astype(np.float16)]

    def golden(case, inputs):
        return [inputs[0] * 2]
    """
)


# A cases file that tries to have the runner read a file for it, and one that lies about its sizes.
_LINKING = (
    CASES
    + """
import atexit, os, sys
def swap():
    os.remove(sys.argv[2] + "/case-0/input-0.bin")
    os.symlink("/etc/shadow", sys.argv[2] + "/case-0/input-0.bin")
atexit.register(swap)
"""
)
_SHORT = (
    CASES
    + """
import atexit, sys
atexit.register(lambda: open(sys.argv[2] + "/case-0/input-0.bin", "w").write("x"))
"""
)


def kernel(body: str = "", more: str = "// trusted") -> str:
    return KERNEL.replace("{body}", body).replace("{more}", more)


def files(text: str, cases: str = CASES, **others: str) -> tuple[SourceFile, ...]:
    tree = {"op_kernel/twice.cpp": text, "cases.py": cases, **{n.replace("__", "/"): t for n, t in others.items()}}
    return tuple(SourceFile(path, content) for path, content in tree.items())


def verify(chain: CannToolchain, text: str, cases: str = CASES, **others: str) -> VerifyResult:
    request = VerifyRequest("op_kernel/twice.cpp", files(text, cases, **others), "Ascend910B1", "twice", "cases.py")
    return chain.verify(request, never, lambda _: None)


def measure(chain: CannToolchain, text: str, cases: str = CASES, **options: object) -> MeasureResult:
    request = MeasureRequest("op_kernel/twice.cpp", files(text, cases), "Ascend910B1", "twice", "cases.py", launches=5)
    return chain.measure(evolve(request, **options), never, lambda _: None)


def hurry(monkeypatch: pytest.MonkeyPatch, argument: str) -> None:
    """Give programs that have ``argument`` a budget whose end they meet, and all others one that they do not.

    However slow the machine is, it is what hangs that is stopped.
    """
    real = sandbox.run

    def run(argv: list[str], folder: Path, *, seconds: float, **more: Any) -> sandbox.Finished:
        return real(argv, folder, seconds=1 if any(argument in part for part in argv) else 300, **more)

    monkeypatch.setattr(sandbox, "run", run)


@pytest.mark.parametrize("style", ["npu-arch", "cce-arch"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_check_reports_bishengs_errors_at_the_users_line(start: Start, style: str, wrapped: bool) -> None:
    chain = start(style=style, wrapped=wrapped)
    text = kernel("/* 中文 */ DataCopi(yGm, local, 1024);", "")
    result = chain.check(CheckRequest("op_kernel/twice.cpp", files(text), "Ascend910B1"), never)
    assert result.outcome is Outcome.COMPILE_ERROR
    (finding,) = result.findings
    line = next(n for n, row in enumerate(text.split("\n")) if "DataCopi" in row)
    assert (finding.location.path, finding.location.range.start.line) == ("op_kernel/twice.cpp", line)
    assert finding.location.range.start.column == text.split("\n")[line].index("DataCopi")
    assert (finding.source.value, "DataCopi" in finding.message) == ("bisheng", True)
    assert (result.toolchain.name, result.toolchain.soc, result.toolchain.cann) == ("cann", "Ascend910B1", "8.3.RC1")
    assert "awaits confirmation on hardware" in result.toolchain.limits
    clean = chain.check(
        CheckRequest("op_kernel/twice.cpp", files(kernel("DataCopy(yGm, local, 1024);", "")), "Ascend910B1"), never
    )
    assert (clean.outcome, clean.findings) == (Outcome.PASSED, ())


def test_a_header_is_checked_through_the_kernel_that_includes_it_and_host_files_are_left_alone(start: Start) -> None:
    chain = start()
    tree = (
        SourceFile(
            "op_kernel/k.cpp", '#include "part.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x) { F(); }\n'
        ),
        SourceFile(
            "op_kernel/part.h", '#pragma once\n#include "kernel_operator.h"\n__aicore__ inline void F() { nope(); }\n'
        ),
        SourceFile("op_host/k.cpp", "int broken = ;\n"),
    )
    result = chain.check(CheckRequest("op_kernel/part.h", tree, "Ascend910B1"), never)
    assert [f.location.path for f in result.findings] == ["op_kernel/part.h"]
    assert result.covered
    host = chain.check(CheckRequest("op_host/k.cpp", tree, "Ascend910B1"), never)
    assert (host.outcome, host.covered) == (Outcome.PASSED, False)


def test_findings_of_one_dtype_column_say_so(start: Start) -> None:
    host = dedent(
        """
        class Twice : public OpDef {
        public:
            explicit Twice(const char *name) : OpDef(name)
            {
                this->Input("x").DataType({ge::DT_FLOAT16, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
                this->Output("y").DataType({ge::DT_FLOAT16, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
            }
        };
        """
    )
    text = kernel("LocalTensor<DTYPE_X> other = local;", "")
    result = start().check(
        CheckRequest("op_kernel/twice.cpp", files(text, op_host__twice__cpp=""), "Ascend910B1"), never
    )
    assert result.outcome in (Outcome.COMPILE_ERROR, Outcome.PASSED)
    tree = (*files(text), SourceFile("op_host/twice.cpp", host))
    found = start().check(CheckRequest("op_kernel/twice.cpp", tree, "Ascend910B1"), never).findings
    (finding,) = (one for one in found if "no viable conversion" in one.message)
    assert len(finding.only_for) == 1 and "int32" in finding.only_for[0]


@pytest.mark.parametrize(
    ("comment", "outcome", "said"),
    [
        ("// bisheng says: bisheng: error: unsupported option '--npu-arch=dav-2201'", Outcome.INFRA_ERROR, "too old"),
        ("// bisheng says: something nobody understands", Outcome.INFRA_ERROR, "something nobody understands"),
        ("// bisheng hangs", Outcome.TIMEOUT, "took longer than 2 s"),
        ("// bisheng says: ld.lld: error: undefined symbol: f", Outcome.COMPILE_ERROR, ""),
    ],
)
def test_failures_of_the_tools_are_told_from_failures_of_the_kernel(
    start: Start, comment: str, outcome: Outcome, said: str
) -> None:
    chain = start(evolve(CONFIG, budgets=Budgets(check=2)) if outcome is Outcome.TIMEOUT else CONFIG)
    result = chain.check(CheckRequest("op_kernel/twice.cpp", files(kernel(more=comment)), "Ascend910B1"), never)
    assert result.outcome is outcome and said in result.message


def test_a_compiler_that_prints_without_end_is_ended_within_its_budget(start: Start) -> None:
    chain = start(evolve(CONFIG, budgets=Budgets(check=3)))
    result = chain.check(
        CheckRequest("op_kernel/twice.cpp", files(kernel(more="// bisheng prints")), "Ascend910B1"), never
    )
    assert result.outcome in (Outcome.TIMEOUT, Outcome.INFRA_ERROR)


def test_a_kernel_that_computes_its_golden_outputs_passes(start: Start) -> None:
    result = verify(start(), kernel())
    assert [(c.name, c.outcome) for c in result.cases] == [("whole", Outcome.PASSED), ("odd tail", Outcome.PASSED)]
    assert result.outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("comment", "outcome", "said"),
    [
        ("// computes: x0 * 2 + (np.arange(x0.size) == 5)", Outcome.WRONG_VALUES, "y[5] is "),
        ("// computes: np.where(np.arange(x0.size) == 7, np.nan, x0 * 2)", Outcome.WRONG_VALUES, "y[7] is nan"),
        ("// computes: x0[:8] * 2", Outcome.WRONG_SHAPE, "16 bytes"),
        ("// computes: x0 * 2\n// writes nothing", Outcome.WRONG_VALUES, "nan"),
        ("// computes: x0 * 2\n// faults: 507035", Outcome.RUNTIME_ERROR, "faulted on a vector core"),
        ("// computes: x0 * 2\n// hangs", Outcome.RUNTIME_ERROR, "did not end"),
        ("// computes: nonsense", Outcome.INFRA_ERROR, "msprof failed"),
    ],
)
def test_what_a_kernel_gets_wrong_is_told(
    start: Start, comment: str, outcome: Outcome, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if said == "did not end":
        hurry(monkeypatch, "--launch-count=1")
    text = kernel().replace("// computes: x0 * 2", comment)
    result = verify(start(), text)
    assert (result.outcome, said in result.message) == (outcome, True), result.message


def test_a_kernel_that_is_wrong_is_not_measured(start: Start) -> None:
    result = measure(start(), kernel().replace("// computes: x0 * 2", "// computes: x0 * 3"))
    assert (result.outcome, result.latency) == (Outcome.WRONG_VALUES, None)


@pytest.mark.parametrize(
    ("cases", "outcome", "said"),
    [
        ("raise ValueError('a slip')", Outcome.INFRA_ERROR, "ValueError: a slip"),
        ("CASES = []", Outcome.INFRA_ERROR, "no cases"),
        (CASES.replace("[inputs[0] * 2]", "[]"), Outcome.INFRA_ERROR, "no output"),
        (CASES.replace("[inputs[0] * 2]", "[inputs[0], inputs[0]]"), Outcome.NOT_EXECUTED, "takes 2 arguments (x, y)"),
        (CASES.replace("astype(np.float16)", "astype('complex128')"), Outcome.INFRA_ERROR, "complex128"),
        ("import time; time.sleep(3600)", Outcome.TIMEOUT, "took longer"),
        ("print(open('/etc/shadow').read())", Outcome.INFRA_ERROR, "PermissionError"),
        ("import socket; socket.create_connection(('127.0.0.1', 22), 1)", Outcome.INFRA_ERROR, "unreachable"),
        (_LINKING, Outcome.INFRA_ERROR, "is not a file of the cases"),
        (_SHORT, Outcome.INFRA_ERROR, "does not have the size of its shape"),
        ("CASES = [{}]\ninputs = golden = lambda *a: []", Outcome.INFRA_ERROR, "no output"),
    ],
)
def test_a_cases_file_that_does_not_work_is_not_the_kernels_fault(
    start: Start, cases: str, outcome: Outcome, said: str
) -> None:
    chain = start(evolve(CONFIG, budgets=Budgets(check=300, verify=4)) if outcome is Outcome.TIMEOUT else CONFIG)
    result = verify(chain, kernel(), cases)
    assert (result.outcome, said in result.message) == (outcome, True), result.message


def test_tiling_fields_become_the_bytes_of_the_hosts_struct(start: Start) -> None:
    host = dedent(
        """
        BEGIN_TILING_DATA_DEF(TwiceTiling)
          TILING_DATA_FIELD_DEF(uint8_t, mode);
          TILING_DATA_FIELD_DEF(uint32_t, length);
          TILING_DATA_FIELD_DEF(float, factor);
        END_TILING_DATA_DEF;
        REGISTER_TILING_DATA_CLASS(Twice, TwiceTiling)
        """
    )
    text = kernel().replace("twice(GM_ADDR x, GM_ADDR y)", "twice(GM_ADDR x, GM_ADDR y, GM_ADDR tiling)")
    text = text.replace("// computes: x0 * 2", "// computes: x0 * np.frombuffer(t[8:12], np.float32)[0]")
    cases = CASES + "\ndef tiling(case):\n    return {'mode': 3, 'length': case['n'], 'factor': np.float32(2)}\n"
    tree = (*files(text, cases), SourceFile("op_host/twice_tiling.h", host))
    request = VerifyRequest("op_kernel/twice.cpp", tree, "Ascend910B1", "twice", "cases.py")
    chain = start()
    result = chain.verify(request, never, lambda _: None)
    assert result.outcome is Outcome.PASSED, result.message
    wrong = evolve(request, files=(*files(text, cases.replace("'mode'", "'node'")), tree[-1]))
    refused = chain.verify(wrong, never, lambda _: None)
    assert refused.outcome is Outcome.INFRA_ERROR and "has no field 'node'" in refused.message


TORCH = """
import numpy as np
float16, bfloat16 = np.float16, "torch.bfloat16"
class Tensor:
    def __init__(self, array): self.array = array
    dtype = property(lambda self: self.array.dtype)
    def detach(self): return self
    cpu = detach
    def numpy(self): return self.array
    def to(self, dtype): return Tensor(self.array.astype(dtype))
    def __mul__(self, by): return Tensor(self.array * by)
def from_numpy(array): return Tensor(array)
def manual_seed(seed): np.random.seed(seed)
def randn(shape, device=None, dtype=None): return Tensor(np.random.randn(*shape).astype(dtype))
def rand(shape, device=None, dtype=None):
    if np.dtype(dtype).kind == "i": raise NotImplementedError
    return Tensor(np.random.rand(*shape).astype(dtype))
"""


def test_the_benchmarks_validation_folder_gives_cases_too(start: Start) -> None:
    """With a stand-in for torch beside it: the layout is what is tested."""
    prepare = (
        "import torch\ndef get_inputs(param, device=None):\n"
        "    return (torch.randn(eval(param['input_shape']), device=device, dtype=getattr(torch, param['dtype'])),)\n"
        "def get_init_inputs(param, device=None):\n    return []\n"
    )
    module = (
        "import torch\nimport torch_npu\nfrom torch_npu.contrib import transfer_to_npu\nimport kernel_gen_ops\n"
        "class Model:\n    def __call__(self, x):\n        return x * 2\n"
    )
    sheet = "case_id;input_shape;dtype\n0;[4, 8];float16\n1;[3, 5];float16\n"
    tree = (
        *files(kernel()),
        SourceFile("validation/torch.py", TORCH),
        SourceFile("validation/prepare_inputs.py", prepare),
        SourceFile("validation/module.py", module),
        SourceFile("validation/test_cases.csv", sheet),
    )
    request = VerifyRequest("op_kernel/twice.cpp", tree, "Ascend910B1", "twice", "validation")
    result = start().verify(request, never, lambda _: None)
    assert [(c.name, c.outcome) for c in result.cases] == [("case 0", Outcome.PASSED), ("case 1", Outcome.PASSED)]


def test_what_a_benchmarks_reference_takes_is_told_apart(tmp_path: Path) -> None:
    """Tensors, also those of lists and of the constructor, in the order of the parameters; the rest by name."""
    (tmp_path / "prepare_inputs.py").write_text(
        "import torch, numpy as np\n"
        "def get_inputs(row, device=None):\n"
        "    xs = [torch.randn((n,), dtype=torch.float16) for n in (1, 2)]\n"
        "    return [xs, None, 3, torch.rand((3,), dtype=np.int32)]\n"
        "def get_init_inputs(row, device=None):\n    return [0.5, torch.randn((4,), dtype=torch.float16), [7, 8]]\n"
    )
    (tmp_path / "module.py").write_text(
        "class Model:\n"
        "    def __init__(self, eps, weight, axes): self.weight = weight\n"
        "    def forward(self, xs, mask, axis, index): return [self.weight]\n"
        "    def __call__(self, *values): return self.forward(*values)\n"
    )
    (tmp_path / "test_cases.csv").write_text("case_id\n0\n")
    (case,) = golden_cases(tmp_path)
    assert [(tensor.dtype, tensor.shape) for tensor in case.inputs] == [
        *(("float16", (1,)), ("float16", (2,)), ("int32", (3,)), ("float16", (4,)))
    ]
    assert case.attributes == {"axis": 3, "eps": 0.5, "axes": [7, 8]}


def test_a_benchmarks_kernel_is_called_as_it_says_itself(tmp_path: Path) -> None:
    """With what it hands on, as the inputs were before the reference changed them; the sheet's numbers are numbers."""
    (tmp_path / "prepare_inputs.py").write_text(
        "import torch\nfrom framework.utils import check_precision\n"
        "def get_inputs(row, device=None):\n"
        "    assert row['flag'] is True and row['bias'] != row['bias'] and row['scale'] == 1.5 and row['n'] == 3\n"
        "    return [torch.Tensor(__import__('numpy').full(row['n'], 2, 'float16')), row['scale'], 7]\n"
        "def get_init_inputs(row, device=None):\n    return []\n"
    )
    (tmp_path / "module.py").write_text(
        "import kernel_gen_ops\n"
        "class Model:\n"
        "    def forward(self, x, scale, spare):\n"
        "        x.array *= scale\n"
        "        return [[x]]\n"
        "    def __call__(self, *values): return self.forward(*values)\n"
        "class ModelNew(Model):\n"
        "    def forward(self, x, scale, spare):\n"
        "        import torch, numpy as np\n"
        "        return kernel_gen_ops.scaled(x, torch.Tensor(np.full(1, scale, 'float32')), spare, True)[0]\n"
    )
    (tmp_path / "test_cases.csv").write_text("case_id;n;scale;flag;bias\n0;3;1.5;true;None\n")
    (case,) = golden_cases(tmp_path)
    assert [(t.dtype, Path(t.file).read_bytes()) for t in case.inputs] == [
        ("float16", b"\x00\x40" * 3),
        ("float32", b"\x00\x00\xc0\x3f"),
    ]
    assert [Path(t.file).read_bytes() for t in case.outputs] == [b"\x00\x42" * 3]
    assert case.attributes == {"spare": 7, "argument 3": True}


@pytest.mark.parametrize(
    ("check", "floats", "numbers"),
    [
        ("", 1 / 1000, 0),
        ("    return check_precision(outputs, produced, 0.01, 0.01)", 0.01, 0),
        ("    return check_precision(outputs, produced, 0, 1 / 4096)", 1 / 2048, 0),
        ("    return all(abs(a.array - b.array).max() <= 1 for a, b in zip(outputs, produced)), 0, 0", 0.125, 1),
        ("    return (outputs[1].array != produced[1].array).mean() <= 0.001, 0, 0", 0.125, 1),
        ("    return outputs[0].npu() is None", 1 / 2048, 0),
    ],
)
def test_outputs_may_differ_as_far_as_a_benchmarks_own_check_lets_them(
    tmp_path: Path, check: str, floats: float, numbers: int
) -> None:
    own = f"def custom_check_precision(row, outputs, produced):\n{check}\n" if check else ""
    (tmp_path / "prepare_inputs.py").write_text(
        "import torch\nfrom framework.utils import check_precision\n"
        f"def get_inputs(row, device=None):\n    return []\nget_init_inputs = get_inputs\n{own}"
    )
    (tmp_path / "module.py").write_text(
        "import torch, numpy as np\n"
        "class Model:\n"
        "    def forward(self): ...\n"
        "    def __call__(self):\n"
        "        small = np.tile(np.array([-3, 2], 'i1'), 1000)\n"
        "        return [torch.Tensor(np.array([0.5, -3], 'f4')), torch.Tensor(small)]\n"
    )
    (tmp_path / "test_cases.csv").write_text("case_id\n0\n")
    (case,) = golden_cases(tmp_path)

    def is_right(off: float, by: int) -> bool:
        produced = [tmp_path / "floats.bin", tmp_path / "numbers.bin"]
        np.array([0.5 + off, -3 - 3 * off], np.float32).tofile(produced[0])
        np.tile(np.array([-3 + by, 2 - by], np.int8), 1000).tofile(produced[1])
        return judge(case, produced).outcome is Outcome.PASSED

    assert [is_right(0.95 * floats, 0), is_right(1.05 * floats, 0)] == [True, False]
    assert [is_right(0, numbers), is_right(0, numbers + 1)] == [True, False]


def golden_cases(folder: Path) -> tuple[Case, ...]:
    """The cases of a folder in the benchmark's layout, with a stand-in for torch."""
    (folder / "torch.py").write_text(TORCH)
    argv = [sys.executable, str(Path(sandbox.__file__).with_name("golden.py"))]
    subprocess.run([*argv, str(folder), str(folder / "out"), "1", GOLDEN_TYPES], check=True, timeout=60)
    return read_manifest(folder / "out")


def test_the_same_seed_gives_the_same_inputs_and_another_gives_others(tmp_path: Path) -> None:
    import subprocess
    import sys

    from kernelgen_ls.runner.execution import sandbox
    from kernelgen_ls.runner.execution.cases import GOLDEN_TYPES

    (tmp_path / "cases.py").write_text(CASES)
    golden = Path(sandbox.__file__).with_name("golden.py")
    made = []
    for number, seed in enumerate(["1", "1", "2"]):
        out = tmp_path / str(number)
        argv = [sys.executable, str(golden), str(tmp_path / "cases.py"), str(out), seed, GOLDEN_TYPES]
        subprocess.run(argv, check=True)
        made.append((out / "case-0/input-0.bin").read_bytes())
    assert made[0] == made[1] != made[2]


def test_a_measurement_has_its_median_its_circumstances_and_its_pipes(start: Start) -> None:
    stages: list[StageReport] = []
    chain = start()
    request = MeasureRequest(
        "op_kernel/twice.cpp",
        files(kernel(more="// trusted\n// takes: 23.0 us")),
        "Ascend910B1",
        "twice",
        "cases.py",
        launches=5,
    )
    result = chain.measure(request, never, stages.append)
    assert result.outcome is Outcome.PASSED, result.message
    latency = result.latency
    assert latency is not None
    assert latency.samples_us == (23.0, 23.1, 23.2, 23.3, 23.4)
    assert (latency.median_us, round(latency.spread_us, 3), latency.kind.value) == (23.2, 0.2, "measured")
    assert (latency.soc, latency.cann, latency.case, latency.block_dim) == ("Ascend910B1", "8.3.RC1", "whole", 1)
    assert (latency.read_bytes, latency.write_bytes, latency.largest_bytes) == (2048, 2048, 2048)
    pipes = {pipe.name: round(pipe.us, 2) for pipe in latency.pipes}
    assert pipes == {"vector": 4.6, "scalar": 1.15, "MTE2": 14.95}
    assert latency.binding_pipe is not None and latency.binding_pipe.name == "MTE2"
    assert any("confirmation on hardware" in warning for warning in result.warnings)
    assert "confirmation on hardware" in latency.caveat
    seen = [stage.stage for stage in stages]
    assert seen[0] is JobStage.COMPILING and JobStage.VERIFYING in seen and seen[-1] is JobStage.MEASURING


def test_a_throttled_device_is_told(start: Start) -> None:
    result = measure(start(), kernel(more="// trusted\n// frequency: 800 of 1800"))
    assert any("800 of 1800 MHz" in warning for warning in result.warnings)


def test_a_runner_without_a_device_or_with_another_chip_says_so(start: Start) -> None:
    assert "no NPU" in measure(start(soc=""), kernel()).message


def test_another_chip_than_the_kernels_is_refused(start: Start) -> None:
    result = measure(start(soc="Ascend 310P3"), kernel())
    assert result.outcome is Outcome.INFRA_ERROR and "Ascend310P3" in result.message


def test_an_unknown_entry_function_or_case_is_named(start: Start) -> None:
    chain = start()
    assert "no entry function 'thrice'" in measure(chain, kernel(), kernel="thrice").message
    assert "2 cases" in measure(chain, kernel(), case=9).message


def test_a_measurement_that_is_cancelled_ends(start: Start) -> None:
    request = MeasureRequest(
        "op_kernel/twice.cpp",
        files(kernel(more="// trusted\n// hangs")),
        "Ascend910B1",
        "twice",
        "cases.py",
        launches=5,
    )
    stages: list[StageReport] = []
    cancelled = lambda: any(s.stage is JobStage.VERIFYING and s.detail.startswith("whole") for s in stages)  # noqa: E731
    result = start().measure(request, cancelled, stages.append)
    assert result.outcome is Outcome.CANCELLED


def test_without_cann_the_runner_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path))
    monkeypatch.delenv("ASCEND_TOOLKIT_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    chain = CannToolchain(CONFIG)
    with pytest.raises(NoCannError, match=r"set_env\.sh"):
        chain.info()
    result = chain.check(CheckRequest("k.cpp", (SourceFile("k.cpp", kernel()),), "Ascend910B1"), never)
    assert result.outcome is Outcome.INFRA_ERROR and "set_env.sh" in result.message


def test_a_compiler_that_compiles_nothing_is_named(start: Start) -> None:
    chain = start(style="neither")
    (Path(chain._steps._config.sandbox.readable[-1]) / "fake.json").write_text(
        '{"style": "npu-arch", "soc": "x", "wrapped": false}'
    )
    compiler = next(Path(chain._steps._config.sandbox.readable[-1]).rglob("bisheng"))
    compiler.write_text("#!/bin/sh\necho 'error: licence expired'; exit 1\n")
    with pytest.raises(NoCannError, match="licence expired"):
        chain.info()


def test_the_soc_is_read_from_npu_smis_table() -> None:
    assert parse_soc("NPU ID Chip ID Chip Logic ID Chip Name\n0 0 0 Ascend 910B4-1\n0 1 - Mcu\n") == "Ascend910B4-1"
    assert parse_soc("0 0 0 Ascend310P3\n") == "Ascend310P3"
    assert parse_soc("nothing\n") == ""


def test_a_chip_that_nobody_knows_is_refused_and_the_known_ones_are_named(start: Start) -> None:
    chain, tree = start(), files(kernel())
    check = chain.check(CheckRequest("op_kernel/twice.cpp", tree, "Ascend910B9"), never)
    measured = measure(chain, kernel(), chip="Ascend910B9")
    for result in (check, measured):
        assert (result.outcome, result.toolchain.name) == (Outcome.INFRA_ERROR, "cann")
        assert "no chip is called 'Ascend910B9'" in result.message and "Ascend910B3" in result.message
    unknown = measure(start(soc="Ascend999Z"), kernel())
    assert unknown.outcome is Outcome.INFRA_ERROR
    assert unknown.message.startswith("this runner's device: no chip is called 'Ascend999Z'")


def test_launches_that_take_too_long_to_time_say_nothing_of_the_kernel(start: Start) -> None:
    chain = start(evolve(CONFIG, budgets=Budgets(check=300, verify=300, measure=2)))
    result = measure(chain, kernel(more="// trusted\n// hangs"), verify=False)
    assert (result.outcome, "did not end" in result.message) == (Outcome.TIMEOUT, True)
    assert not result.outcome.is_verdict
