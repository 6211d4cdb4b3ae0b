"""Building a whole operator project with the tests' CANN: ``msopgen``, ``cmake`` and the package they make.

The kernels are really checked, one dtype column after the other, and so is op_host; what is printed has a build's
wrappers, and kernels are compiled from a copy, as the real build does. Beside what ``cann`` knows:

    // build refuses: TEXT       (in a kernel: only the build sees it)      // build hangs      (in op_host)
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import platform
import re
import shutil
import sys
import tarfile
import time
from pathlib import Path

from tests.fakes.cann_programs import diagnose

LISTS = {
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16.0)\nproject(opp)\nadd_subdirectory(op_host)\n"
    "add_subdirectory(op_kernel)\n",
    "op_host/CMakeLists.txt": "aux_source_directory(${CMAKE_CURRENT_SOURCE_DIR} ops_srcs)\n",
    "op_kernel/CMakeLists.txt": "add_ops_compile_options(ALL OPTIONS -O2)\n",
}
PRESETS = {
    "version": 1,
    "configurePresets": [
        {
            "name": "default",
            "binaryDir": "${sourceDir}/build_out",
            "cacheVariables": {
                "ASCEND_COMPUTE_UNIT": {"type": "STRING", "value": "ascend910"},
                "vendor_name": {"type": "STRING", "value": "customize"},
            },
        }
    ],
}
CODES = {"uint8_t": "B", "int32_t": "i", "uint32_t": "I", "int64_t": "q", "uint64_t": "Q", "float": "f", "bool": "?"}
CHIPS = {"ascend910b": "Ascend910B1", "ascend310p": "Ascend310P3"}


def msopgen(home: str, argv: list[str]) -> int:
    """``msopgen gen -i FILE -c ai_core-SOC -lan cpp -out FOLDER``."""
    options = dict(zip(argv[1::2], argv[2::2], strict=True))
    (operator,) = json.loads(Path(options["-i"]).read_text())
    assert argv[0] == "gen" and options["-lan"] == "cpp" and options["-c"].startswith("ai_core-Ascend")
    assert operator["op"] and operator["input_desc"] and operator["output_desc"]
    project = Path(options["-out"])
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", operator["op"]).lower()
    samples = {
        f"op_host/{name}.cpp": "#error this is msopgen's sample\n",
        f"op_host/{name}_tiling.h": "#error this is msopgen's sample\n",
        f"op_kernel/{name}.cpp": "#error this is msopgen's sample\n",
        "build.sh": "cmake -S . -B build_out --preset=default\n",
        "CMakePresets.json": json.dumps(PRESETS),
        **LISTS,
    }
    for path, text in samples.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    return 0


def cmake(home: str, argv: list[str]) -> int:
    """``cmake -S . -B build_out --preset=default -D...``; ``cmake --build build_out --target binary|package``."""
    if argv[0] == "--build":
        target = argv[argv.index("--target") + 1]
        return {"binary": _binary, "package": _package}[target](Path(argv[1]))
    presets = Path("CMakePresets.json")
    if not presets.is_file() or "--preset=default" not in argv:
        print("CMake Error: Could not read presets from .: File not found")
        return 1
    (preset,) = json.loads(presets.read_text())["configurePresets"]
    variables = {name: one["value"] for name, one in preset["cacheVariables"].items()}
    variables |= dict(a[2:].split("=", 1) for a in argv if a.startswith("-D"))
    for path in LISTS:
        if not Path(path).is_file():
            folder = Path(path).parent
            print("CMake Error at CMakeLists.txt:3 (add_subdirectory):")
            print(f"  The source directory\n\n    {folder.absolute()}\n\n  does not contain a CMakeLists.txt file.\n")
            return 1
        for number, line in enumerate(Path(path).read_text().splitlines(), 1):
            fatal = re.match(r'message\(FATAL_ERROR "(.*)"\)', line)
            if fatal:
                print(f"CMake Error at {path}:{number} (message):\n  {fatal[1]}\n\n")
                print("-- Configuring incomplete, errors occurred!")
                return 1
    build = Path("build_out")
    build.mkdir(exist_ok=True)
    (build / "cache.json").write_text(json.dumps({"home": home, **variables}))
    print("-- Configuring done\n-- Generating done")
    return 0


def _binary(build: Path) -> int:
    from kernelgen_ls.kernel.chips import find_chip
    from kernelgen_ls.kernel.host import read_host
    from kernelgen_ls.runner.toolchains.configurations import kernel_configurations
    from kernelgen_ls.runner.toolchains.source_tree import SourceTree

    unit = json.loads((build / "cache.json").read_text())["ASCEND_COMPUTE_UNIT"]
    soc = CHIPS[unit]
    chip = find_chip(soc)
    assert chip is not None
    hosts = {str(path): path.read_text() for path in sorted(Path("op_host").glob("*")) if path.suffix in (".cpp", ".h")}
    if any("// build hangs" in text for text in hosts.values()):
        time.sleep(3600)  # a build that hangs: only the budget or a cancel ends it
    for path in hosts:
        if path.endswith(".cpp") and diagnose(Path.cwd(), path, soc, ""):
            print("gmake[3]: *** [op_host/CMakeFiles/cust_opmaster.dir/build.make:76] Error 1")
            return 2
    kernels = {str(path): path.read_text() for path in sorted(Path("op_kernel").glob("*.cpp"))}
    tree = SourceTree.of({**hosts, **kernels})
    for path, text in kernels.items():
        copy = build.absolute() / "op_kernel/tbe/ascendc" / Path(path).stem / Path(path).name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
        for number, line in enumerate(text.splitlines(), 1):
            refused = re.search(r"// build refuses: (.*)", line)
            if refused:
                print(f"Output of ascendc_compiler:\n{copy}:{number}:1: error: {refused[1]}\n1 error generated.")
                print("[ERROR] Command execution failed, the returnCode is non-zero!")
                return 2
        operator = read_host(hosts).operator_for(Path(path).stem)
        assert operator is not None
        columns: dict[tuple[str, ...], list[str]] = {}
        for one in kernel_configurations(tree, path, chip).configurations:
            prefix = f"[2026-11-30 10:00:00] [ERROR] [{unit}] {operator.name}_0 "
            if "// trusted" not in text and diagnose(Path.cwd(), path, soc, one.name, prefix=prefix, shown=str(copy)):
                print("[ERROR] Command execution failed, the returnCode is non-zero!")
                return 2
            types = tuple(re.findall(r"^#define DTYPE_\w+ (\w+)$", one.prelude, re.M))
            key = re.search(r"tiling key (\d+)", one.name)
            columns.setdefault(types, []).append(key[1] if key else "0")
        for types, keys in columns.items():
            _write_kernel(build / "binary" / unit, operator.name, text, types, keys)
    return 0


def _write_kernel(folder: Path, operator: str, text: str, types: tuple[str, ...], keys: list[str]) -> None:
    names = {"half": "float16", "float": "float32", "bfloat16_t": "bfloat16"}
    dtypes = [names.get(name, name.removesuffix("_t")) for name in types]
    symbol = f"{operator}_{hashlib.md5(repr(types).encode()).hexdigest()}"
    symbols = [f"{symbol}_{key}" for key in keys]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{symbol}.o").write_text(json.dumps({"text": text, "symbols": symbols}))
    description = {
        "binFileName": symbol,
        "binFileSuffix": ".o",
        "kernelName": symbol,
        "kernelList": [{"kernelName": name} for name in symbols],
        "magic": "RT_DEV_BINARY_MAGIC_ELF_AIVEC",
        "supportInfo": {
            "inputs": [{"name": f"in{n}", "dtype": dtype} for n, dtype in enumerate(dtypes[:-1])],
            "outputs": [{"name": "out", "dtype": dtype} for dtype in dtypes[-1:]],
        },
    }
    (folder / f"{symbol}.json").write_text(json.dumps(description))


def _package(build: Path) -> int:
    from kernelgen_ls.kernel.host import read_host

    variables = json.loads((build / "cache.json").read_text())
    hosts = {str(path): path.read_text() for path in sorted(Path("op_host").glob("*")) if path.suffix in (".cpp", ".h")}
    host = read_host(hosts)
    registered = {}
    for operator in host.operators:
        struct = host.tiling_struct(operator.name)
        assert struct is not None
        layout = "@" + "".join(CODES[item.type] for item in struct.fields)
        fields = [item.name for item in struct.fields]
        registered[operator.name] = {"format": layout, "fields": fields, "host": "\n".join(hosts.values())}
    machine = platform.machine()
    vendor = build / "stage/vendors" / variables["vendor_name"]
    tiling = vendor / "op_impl/ai_core/tbe/op_tiling"
    library = tiling / f"lib/linux/{machine}/libcust_opmaster_rt2.0.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    library.write_text(json.dumps(registered))
    (tiling / "liboptiling.so").symlink_to(f"lib/linux/{machine}/libcust_opmaster_rt2.0.so")
    shutil.copytree(build / "binary", vendor / "op_impl/ai_core/tbe/kernel")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        tar.add(build / "stage", ".")
    run = build / f"custom_opp_debian_{machine}.run"
    run.write_text(
        f"#!{sys.executable} -B\nimport base64, io, sys, tarfile\n"
        "options = dict(a[2:].partition('=')[::2] for a in sys.argv[1:])\nassert 'quiet' in options\n"
        f"packed = base64.b64decode({base64.b64encode(packed.getvalue()).decode()!r})\n"
        "tarfile.open(fileobj=io.BytesIO(packed)).extractall(options['install-path'])\n"
    )
    run.chmod(0o755)
    print(f"Self-extractable archive {run.name} successfully created.")
    return 0
