"""The programs of the tests' CANN installation; see ``cann``."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

ARCHITECTURES = {
    "dav-2201": "Ascend910B1",
    "dav-c220-vec": "Ascend910B1",
    "dav-c220-cube": "Ascend910B1",
    "dav-2002": "Ascend310P3",
    "dav-m200": "Ascend310P3",
}
KINDS = {"error": "error", "warning": "warning"}


def bisheng(home: str, argv: list[str]) -> int:
    """``bisheng -c FILE -o OBJECT --npu-arch=...``."""
    fake = json.loads((Path(home) / "fake.json").read_text())
    arch = next((a.split("=", 1)[1] for a in argv if a.startswith(("--npu-arch=", "--cce-aicore-arch="))), "")
    if fake["style"] == "cce-arch" and any(a.startswith("--npu-arch") for a in argv):
        print(f"bisheng: error: unsupported option '--npu-arch={arch}'")
        return 1
    if fake["style"] == "npu-arch" and any(a.startswith("--cce-aicore-arch") for a in argv):
        print("clang: error: Unsupported CCE architecture")
        return 1
    if arch not in ARCHITECTURES:
        print(f"clang: error: Unsupported CCE architecture '{arch}'")
        return 1
    source, target = Path(argv[argv.index("-c") + 1]), Path(argv[argv.index("-o") + 1])
    text = source.read_text()
    forced = re.search(r"^// bisheng says: (.*)$", text, re.M)
    if forced:
        print(forced.group(1).replace("\\n", "\n"))
        return 1
    if "// bisheng hangs" in text:
        time.sleep(3600)  # a program that hangs: only the budget or a cancel ends it
    if "// bisheng prints" in text:
        while True:  # only the budget may end it: any finite amount is read in time by a fast enough machine
            print("x" * 100_000)
    header = Path(argv[argv.index("-include") + 1]).read_text() if "-include" in argv else "// configuration: \n"
    # The probe and kernels that say so are known to be clean: most tests are about what comes after.
    trusted = "kernelgen_probe" in text or "// trusted" in text
    errors = (
        0
        if trusted
        else _check(source, ARCHITECTURES[arch], header.splitlines()[0].removeprefix("// configuration: "), fake)
    )
    if errors:
        return 1
    target.write_text(json.dumps({"text": text, "header": header}))
    return 0


def _check(source: Path, chip: str, configuration: str, fake: dict[str, object]) -> int:
    root = next((p for p in source.absolute().parents if p.name == "src"), source.absolute().parent)
    prefix = f"[2026-11-30 10:00:00] [ERROR] [ascend910b] {source.stem}_0 " if fake["wrapped"] else ""
    errors = diagnose(root, str(source.absolute().relative_to(root)), chip, configuration, prefix=prefix)
    if errors:
        print(f"{prefix}{errors} error{'s' if errors > 1 else ''} generated.")
        if fake["wrapped"]:
            print("[ERROR] Command execution failed, the returnCode is non-zero!")
    return errors


def diagnose(root: Path, entry: str, chip: str, configuration: str, *, prefix: str = "", shown: str = "") -> int:
    """Print what the embedded checker says of ``entry`` below ``root`` as a clang would; how many errors there are.

    ``shown`` is the path to print for the entry where a build compiles a copy of it.
    """
    from kernelgen_ls.kernel.findings import FoundBy, Severity
    from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
    from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

    files = tuple(
        SourceFile(str(path.relative_to(root)), path.read_text())
        for path in sorted(root.rglob("*"))
        if path.suffix in (".cpp", ".h", ".hpp")
    )
    result = EmbeddedToolchain().check(CheckRequest(entry, files, chip=chip), lambda: False)
    errors = 0
    for finding in result.findings:
        if finding.source is not FoundBy.EMBEDDED or finding.severity not in (Severity.ERROR, Severity.WARNING):
            continue
        if finding.only_for and configuration not in finding.only_for:
            continue
        errors += finding.severity is Severity.ERROR
        path = root / finding.location.path
        printed = shown if shown and finding.location.path == entry else str(path)
        line, column = finding.location.range.start.line, finding.location.range.start.column
        shown = path.read_text().split("\n")[line]
        byte = len(shown[:column].encode()) + 1
        kind = finding.severity.value
        print(
            f"{prefix}\x1b[1m{printed}:{line + 1}:{byte}: \x1b[0m\x1b[0;1;31m{kind}: \x1b[0m"
            f"\x1b[1m{finding.message}\x1b[0m"
        )
        print(f"{prefix}   {shown}\n{prefix}   {' ' * column}\x1b[0;1;32m^\x1b[0m")
    return errors


def npu_smi(home: str, argv: list[str]) -> int:
    """``npu-smi info -m``."""
    soc = json.loads((Path(home) / "fake.json").read_text())["soc"]
    if argv != ["info", "-m"]:
        return 1
    print("\tNPU ID                         Chip ID                        Chip Logic ID                  Chip Name")
    print(f"\t0                              0                              0                              {soc}")
    print("\t0                              1                              -                              Mcu")
    return 0


def msprof(home: str, argv: list[str]) -> int:
    """``msprof op --config=FILE --output=FOLDER --launch-count=N --warm-up=W --kill=on``, ``msprof op simulator``."""
    import numpy as np

    simulated = argv[1] == "simulator"
    options = dict(a[2:].split("=", 1) for a in argv[1:] if a.startswith("--"))
    path = Path(options["config"])
    if simulated:
        library = f"{home}/tools/simulator/{options['soc-version']}/lib"
        if not os.environ["LD_LIBRARY_PATH"].startswith(f"{library}:") or not Path(library).is_dir():
            print("[ERROR]  libruntime_camodel.so is not found")
            return 1
    if path.stat().st_mode & 0o022 or path.parent.stat().st_mode & 0o022:
        print("[ERROR]  The config file or its folder is writable by others.")
        return 1
    config = json.loads(path.read_text())
    assert config["mode"] == ("ca" if simulated else "onboard")
    (case,) = config["test_cases"]
    compiled = json.loads(Path(config["kernel_path"]).read_text())
    text = compiled["text"]
    if config["kernel_name"] not in compiled.get(
        "symbols", [config["kernel_name"] if config["kernel_name"] in text else ""]
    ):
        print(f"[ERROR]  kernel {config['kernel_name']} is not in the object")
        return 1
    if "// hangs" in text:
        time.sleep(3600)  # a program that hangs: only the budget or a cancel ends it
    fault = re.search(r"// faults: (.*)", text)
    if fault:
        print(f"[ERROR]  launch failed, runtime result {fault.group(1)}")
        return 1
    names = {"float": np.float32, "bool": np.bool_, "bfloat16": np.uint16}
    inputs, outputs, tiling = [], [], b""
    for param in case["param_desc"]:
        if param["param_type"] == "input":
            data = np.fromfile(param["data_path"], names.get(param["type"], param["type"]))
            inputs.append(data.reshape(param["shape"]))
        elif param["param_type"] == "output":
            outputs.append(param)
        elif param["param_type"] == "tiling":
            tiling = Path(param["tiling_data_path"]).read_bytes()
            assert len(tiling) == param["tiling_data_size"]
    computes = re.search(r"// computes: (.*)", text)
    if computes and "// writes nothing" not in text:
        scope = {"np": np, "t": tiling, **{f"x{n}": value for n, value in enumerate(inputs)}}
        value = eval(computes.group(1), scope)
        for param, result in zip(outputs, value if isinstance(value, tuple) else (value,), strict=True):
            np.asarray(result).astype(names.get(param["type"], param["type"])).tofile(param["data_path"])
    if simulated:
        _write_simulation(Path(options["output"]), text, Path(config["kernel_path"]).parents[1] / "src")
        return 0
    _write_profile(Path(options["output"]), config, text, int(options["launch-count"]))
    return 0


def _write_profile(out: Path, config: dict[str, object], text: str, launches: int) -> None:
    folder = out / "OPPROF_20261130100000_ABCDEFGH"
    folder.mkdir(parents=True)
    took = re.search(r"// takes: ([\d.]+) us", text)
    base = float(took.group(1)) if took else 10.0
    frequency = re.search(r"// frequency: (\d+) of (\d+)", text)
    current, rated = frequency.groups() if frequency else ("1850", "1850")
    name, blocks, device = f"{config['kernel_name']}_0", config["blockdim"], config["device_id"]
    rows = ["Op Name,Op Type,Task Duration(us),Block Dim,Mix Block Dim,Device Id,Pid,Current Freq,Rated Freq,"]
    for n in range(launches):
        rows.append(f"{name},vector,{base + n * 0.1:f},{blocks},NA,{device},4711,{current},{rated},")
        if n == 0:
            rows.append(f"memset_0,vector,1.0,1,NA,{device},4711,{current},{rated},")
    (folder / "OpBasicInfo.csv").write_text("\n".join(rows) + "\n")
    pipes = [
        "block_id,sub_block_id,aiv_time(us),aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,aiv_scalar_time(us),"
        "aiv_scalar_ratio,aiv_mte2_time(us),aiv_mte2_ratio,aiv_mte3_time(us),aiv_mte3_ratio,"
    ]
    pipes += [
        f"{block},vector0,{base},NA,{base * 0.2},0.2,{base * 0.05},0.05,{base * (0.6 + 0.1 * block)},0.6,NA,NA,"
        for block in range(2)
    ]
    (folder / "PipeUtilization.csv").write_text("\n".join(pipes) + "\n")


def _write_simulation(out: Path, text: str, source: Path) -> None:
    took = re.search(r"// takes: ([\d.]+) us", text)
    base = float(took.group(1)) if took else 10.0
    folder = out / "OPPROF_20261130100000_ABCDEFGH/simulator"
    line = next(n for n, row in enumerate(text.split("\n"), 1) if "DataCopy(" in row)
    events = [{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "core0.veccore0"}}]
    for core in range(2):
        name = f"core0.veccore{core}"
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}_code_exe.csv").write_text(
            "code,call_count,cycles,running_time(us),\n"
            f"{source}/op_kernel/twice.cpp:{line},{4 + core},{1850 * (core + 1)},{base * 0.3 * (core + 1)},\n"
            f"/usr/local/Ascend/impl/kernel_operator_data_copy_impl.h:12,9,99,{base},\nNA,NA,NA,NA,\n"
        )
        (folder / name / f"{name}_instr_exe.csv").write_text(
            "instr,addr,pipe,call_count,cycles,running_time(us),detail,\n"
            f"MOV_SRC_TO_DST_ALIGN,0x10,MTE2,4,99,{base * 0.5},x,\nVADD,0x14,VECTOR,4,99,{base * 0.25},x,\n"
            f"BAR,0x18,FLOWCTRL,1,1,NA,x,\n"
        )
        own = [
            {"ph": "X", "name": "MOV", "pid": core, "tid": 1, "ts": 1.0, "dur": base * 0.5},
            {"ph": "B", "name": "SET_FLAG", "pid": core, "tid": 2, "ts": 1.0 + base - 0.5 * core},
            {"ph": "E", "name": "SET_FLAG", "pid": core, "tid": 2, "ts": 1.0 + base - 0.5 * core},
        ]
        (folder / name / "trace.json").write_text(json.dumps({"traceEvents": own}))
        events += own
    (folder / "trace.json").write_text(json.dumps({"displayTimeUnit": "ns", "traceEvents": events}))
    (out / "OPPROF_20261130100000_ABCDEFGH/dump").mkdir()
