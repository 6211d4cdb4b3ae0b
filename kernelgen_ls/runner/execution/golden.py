"""Make inputs and golden outputs of cases: ``python golden.py CASES OUT SEED TYPES``. Runs in the sandbox, alone.

``CASES`` is the user's file (``CASES``, ``inputs``, ``golden``... as docs/cases.md says) or a folder in the
layout of NPUKernelBench's ``validation/`` (``test_cases.csv``, ``prepare_inputs.py``, ``module.py``; needs torch).
``TYPES`` is JSON: the element types there are, as ``cases.GOLDEN_TYPES`` lists them.
A formula in the place of ``golden`` is computed by this project's own code, which lies around this file.
What comes out is raw bytes and ``manifest.json``; whoever reads it trusts none of it. The kernel runs elsewhere: it
sees neither this process nor the golden outputs.
"""

import csv
import importlib.util
import inspect
import json
import random
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np

MAX_CASES = 200
ABSENT = frozenset({"", "NA", "N/A", "n/a", "NaN", "nan", "None", "null", "NULL"})
"""How a sheet says that a value is not there."""
PACKAGE = Path(__file__).parents[2]


def import_package() -> None:
    """Make ``kernelgen_ls`` importable from where this file lies: this program has no paths but the system's own."""
    spec = importlib.util.spec_from_file_location(
        PACKAGE.name, PACKAGE / "__init__.py", submodule_search_locations=[str(PACKAGE)]
    )
    assert spec is not None and spec.loader is not None
    sys.modules[PACKAGE.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[PACKAGE.name])


def load(path: Path) -> Any:
    """The module in a file."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(f"cases_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def of_case(module: Any, name: str, case: dict[str, Any], default: Any) -> Any:
    """``NAME`` of a cases file, or what its function ``name`` gives for the case."""
    constant = getattr(module, name.upper(), None)
    function = getattr(module, name, None)
    if callable(function):
        return function(case)
    return default if constant is None else constant


class Types:
    """The element types a kernel can be given, as the caller lists them."""

    def __init__(self, listed: list[dict[str, Any]]) -> None:
        self.numpy = {one["name"]: one["numpy"] for one in listed}
        self.halved = {one["name"] for one in listed if one["numpy"] is None}
        """Those that numpy lacks: the upper half of a float32."""
        self.halved_torch = {one["torch"]: one["name"] for one in listed if one["numpy"] is None}
        self.tolerance = {one["name"]: one["tolerance"] for one in listed if one["tolerance"] is not None}


def upper_halves(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The upper halves of floats, rounded to the nearest even one: what ``bfloat16`` is."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(array), np.uint16(0x7FC0), rounded.reshape(array.shape))


def to_bytes(value: Any, known: Types) -> tuple[str, list[int], bytes]:
    """Element type, shape and little-endian bytes of an array, a ``(type, array)`` pair or a torch tensor."""
    wanted = ""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        wanted, value = value
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        if str(value.dtype) in known.halved_torch:
            wanted, value = known.halved_torch[str(value.dtype)], value.float()
        value = value.numpy()
    array = np.asarray(value)
    if array.dtype.name in known.halved:
        return array.dtype.name, list(array.shape), array.tobytes()
    if wanted in known.halved:
        return wanted, list(array.shape), upper_halves(array).tobytes()
    if wanted:
        array = array.astype(wanted)
    if array.dtype.name not in known.numpy.values():
        raise TypeError(f"arrays of {array.dtype} cannot be given to a kernel")
    array = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return array.dtype.name, list(array.shape), array.tobytes()


def tensors(values: Any, folder: Path, prefix: str, known: Types) -> list[dict[str, Any]]:
    """Write the arrays, by parameter where they are named, below ``folder``; what the manifest says of them."""
    names: list[str] = []
    if isinstance(values, dict):
        names, values = [str(name) for name in values], list(values.values())
    if not isinstance(values, (list, tuple)) or (len(values) == 2 and isinstance(values[0], str)):
        values = [values]
    written = []
    for number, value in enumerate(values):
        dtype, shape, data = to_bytes(value, known)
        file = folder / f"{prefix}-{number}.bin"
        file.write_bytes(data)
        name = names[number] if names else ""
        written.append({"dtype": dtype, "shape": shape, "file": str(file), "name": name})
    return written


def as_read(value: Any, known: Types) -> tuple[str, Any]:
    """Element type and values of an array as a kernel reads them: rounded to the type, floating-point as float64."""
    dtype, shape, data = to_bytes(value, known)
    if dtype in known.halved:
        array: Any = (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32)
    else:
        array = np.frombuffer(data, np.dtype(dtype).newbyteorder("<"))
    return dtype, (array.astype(np.float64) if array.dtype.kind == "f" else array).reshape(shape)


def golden_outputs(module: Any, case: Any, given: Any, folder: Path, known: Types) -> dict[str, Any]:
    """What the manifest says of a case's golden outputs: ``golden``'s, else those of the file's ``FORMULA``."""
    if hasattr(module, "golden"):
        return {"outputs": tensors(module.golden(case, given), folder, "golden", known)}
    formula, outputs = of_case(module, "formula", case, None), of_case(module, "outputs", case, None)
    if formula is None:
        raise SystemExit("it has neither golden(case, inputs) nor a FORMULA")
    if not isinstance(given, dict) or not isinstance(outputs, dict):
        raise SystemExit("a FORMULA needs inputs() to give a dict by name, and outputs the element type of each output")
    import_package()
    from kernelgen_ls.runner.execution.formula_golden import formula_golden

    try:
        found = formula_golden(
            formula,
            {name: as_read(value, known) for name, value in given.items()},
            outputs,
            of_case(module, "attributes", case, None) or {},
            known.tolerance,
            saturates=bool(of_case(module, "saturation", case, False)),
            exact=bool(of_case(module, "exact", case, False)),
        )
    except ValueError as problem:
        raise SystemExit(str(problem)) from problem
    first, *others = (
        {"words": reading.words, "outputs": formula_tensors(reading.outputs, given, folder, f"golden-{number}", known)}
        for number, reading in enumerate(found)
    )
    return {"outputs": first["outputs"], "reading": first["words"], "others": others}


def formula_tensors(outputs: Any, given: Any, folder: Path, prefix: str, known: Types) -> list[dict[str, Any]]:
    """What the manifest says of what a formula gives, written below ``folder`` with what each element may be off."""
    in_place = any(one.name in given for one in outputs)
    written = tensors([(one.dtype, one.values) for one in outputs], folder, prefix, known)
    for number, (one, said) in enumerate(zip(outputs, written, strict=True)):
        allowed = folder / f"{prefix}-{number}.allowed"
        allowed.write_bytes(np.ascontiguousarray(one.allowed, "<f4").tobytes())
        said |= {"allowed": str(allowed), "name": one.name if in_place else ""}
    return written


def from_cases_file(path: Path, out: Path, seed: int, known: Types) -> list[dict[str, Any]]:
    """The manifest's cases for a file of our own format."""
    module = load(path)
    described = []
    for number, case in enumerate(list(module.CASES)[:MAX_CASES]):
        folder = out / f"case-{number}"
        folder.mkdir(parents=True)
        given = module.inputs(case, np.random.default_rng([seed, int(of_case(module, "seed", case, number))]))
        written = tensors(given, folder, "input", known)
        tiling = of_case(module, "tiling", case, None)
        if isinstance(tiling, (bytes, bytearray)):
            tiling = {"hex": bytes(tiling).hex()}
        elif tiling is not None:
            tiling = {"fields": json.loads(json.dumps(tiling, default=plain))}
        described.append(
            {
                "name": str(case.get("name", f"case {number}")) if isinstance(case, dict) else str(case),
                "inputs": written,
                **golden_outputs(module, case, given, folder, known),
                "tiling": tiling,
                "tiling_key": of_case(module, "tiling_key", case, None),
                "block_dim": int(of_case(module, "block_dim", case, 1)),
                "workspace": int(of_case(module, "workspace", case, 0)),
                "tolerance": of_case(module, "tolerance", case, None),
                "attributes": json.loads(json.dumps(of_case(module, "attributes", case, None), default=plain)),
                "saturation": of_case(module, "saturation", case, None),
                "tentative": isinstance(case, dict) and bool(case.get("tentative")),
            }
        )
    return described


def plain(value: Any) -> Any:
    """Numpy's scalars and arrays as JSON knows them."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


class CalledError(Exception):
    """A kernel was called by the reference: with these arguments, of which ``named`` ones have names."""

    def __init__(self, values: tuple[Any, ...], named: dict[str, Any]) -> None:
        super().__init__("the kernel is called")
        self.values, self.named = values, named


def stand_in(name: str, attribute: Any) -> None:
    """A module in the place of one that only the device's side has, whose functions are what ``attribute`` gives."""
    module = types.ModuleType(name)
    module.__getattr__ = attribute  # type: ignore[method-assign]  # PEP 562
    sys.modules.setdefault(name, module)


def kernel_function(name: str) -> Any:
    """A function of the module of kernels: it says what it was called with."""
    if name.startswith("__"):
        raise AttributeError(name)

    def call(*values: Any, **named: Any) -> None:
        raise CalledError(values, named)

    return call


def device_function(name: str) -> Any:
    """What a module of the device's side has under a name: nothing that works here."""
    if name.startswith("__"):
        raise AttributeError(name)
    return None


def rand_of_the_device(torch: Any) -> Any:
    """``torch.rand`` that gives whole numbers too, as the device's does: floats that are cut."""
    given: Any = getattr(torch, "rand", None)

    def rand(*size: Any, dtype: Any = None, **named: Any) -> Any:
        try:
            return given(*size, dtype=dtype, **named)
        except NotImplementedError:
            return given(*size, **named).to(dtype)

    return rand


def from_validation_folder(folder: Path, out: Path, seed: int, known: Types) -> list[dict[str, Any]]:
    """The manifest's cases for a ``validation/`` folder; needs torch, on the CPU."""
    sys.path.insert(0, str(folder))
    import torch

    torch.rand = rand_of_the_device(torch)
    import_package()
    from kernelgen_ls.runner.execution.own_check import check_precision

    for name in ("torch_npu", "torch_npu.contrib", "framework", "framework.utils"):
        stand_in(name, device_function)
    sys.modules["framework.utils"].check_precision = check_precision  # type: ignore[attr-defined]  # made above
    stand_in("kernel_gen_ops", kernel_function)
    prepare = load(folder / "prepare_inputs.py")
    reference = load(folder / "module.py")
    described = []

    def start_over(number: int) -> None:
        random.seed(number)
        np.random.seed(number)
        torch.manual_seed(number)

    for number, row in enumerate(rows(folder / "test_cases.csv")[:MAX_CASES]):
        start_over(seed + number)
        target = out / f"case-{number}"
        target.mkdir(parents=True)
        given = list(prepare.get_inputs(row, device="cpu"))
        fixed = list(prepare.get_init_inputs(row, device="cpu"))
        flat, attributes = kernel_call(reference, fixed, given)
        # Before a reference that changes its arguments does so.
        written = tensors([value for _, value in flat], target, "input", known)
        written = [{**one, "name": name} for one, (name, _) in zip(written, flat, strict=True)]
        start_over(seed + number)
        golden = reference.Model(*fixed)(*given)
        described.append(
            {
                "name": f"case {row.get('case_id', number)}",
                "inputs": written,
                "outputs": judged_outputs(prepare, row, golden, target, known),
                "tiling": None,
                "tiling_key": None,
                "block_dim": 1,
                "workspace": 0,
                "tolerance": None,
                "attributes": attributes or None,
            }
        )
    return described


def judged_outputs(prepare: Any, row: dict[str, Any], golden: Any, folder: Path, known: Types) -> list[dict[str, Any]]:
    """What the manifest says of a reference's outputs: how far each may differ too."""
    from kernelgen_ls.runner.execution.own_check import own_check, share

    flat = leaves([golden])
    check = own_check(prepare, row, golden)
    written = tensors(flat, folder, "golden", known)
    for number, said in enumerate(written):
        said["share"] = share(check, flat, number) if hasattr(flat[number], "detach") else 0.0
    return written


def rows(sheet: Path) -> list[dict[str, Any]]:
    """The rows of a sheet, with the values of a column as numbers or truth values where all of them are such."""
    with sheet.open(newline="") as file:
        read = list(csv.DictReader(file, delimiter=";"))
    columns = {name: column([row[name] for row in read]) for name in (read[0] if read else {})}
    return [{name: values[number] for name, values in columns.items()} for number in range(len(read))]


def column(texts: list[str | None]) -> list[Any]:
    """A column's values as pandas reads them, which the benchmark does: whole numbers where all are whole."""
    given = [None if text is None or text in ABSENT else text for text in texts]
    if all(text is None or text.lower() in ("true", "false") for text in given) and any(given):
        return [float("nan") if text is None else text.lower() == "true" for text in given]
    try:
        numbers = [float("nan") if text is None else float(text) for text in given]
    except ValueError:
        return [float("nan") if text is None else text for text in given]
    return [int(number) for number in numbers] if all(map(float.is_integer, numbers)) else numbers


def kernel_call(reference: Any, fixed: list[Any], given: list[Any]) -> tuple[list[tuple[str, Any]], dict[str, Any]]:
    """The tensors, each with the name of its parameter, and the attributes that the kernel is called with.

    Where the class that calls the kernel (``ModelNew``) does not come to it here, they are those of the reference.
    """
    forward = getattr(reference.Model, "forward", reference.Model.__call__)
    own = [*named(forward, [None, *given])[1:], *named(reference.Model, fixed)]
    try:
        reference.ModelNew(*fixed)(*given)
    except CalledError as call:
        names = parameter_names(call.values, own)
        return arguments([*zip(names, call.values, strict=True), *call.named.items()])
    except Exception:  # whatever a class does that is written for the device
        return arguments(own)
    return arguments(own)


def named(function: Any, values: list[Any]) -> list[tuple[str, Any]]:
    """Values with the names of the parameters that they are for."""
    return list(zip(inspect.signature(function).parameters, values, strict=False))


def parameter_names(values: tuple[Any, ...], own: list[tuple[str, Any]]) -> list[str]:
    """What the reference calls each of the values that a kernel is called with; "argument N" where it has no such."""
    found: list[str] = []
    for number, value in enumerate(values):
        name = next((name for name, one in own if one is value and name not in found), None)
        found.append(name or f"argument {number}")
    return found


def leaves(values: list[Any]) -> list[Any]:
    """The values, and in the place of a list of them its own; what is None is left out."""
    flat: list[Any] = []
    for value in values:
        flat += leaves(list(value)) if isinstance(value, (list, tuple)) else [value] if value is not None else []
    return flat


def arguments(pairs: list[tuple[str, Any]]) -> tuple[list[tuple[str, Any]], dict[str, Any]]:
    """The tensors among named values in their order, those of lists too, and all other values by their names.

    What is None is left out: an operand or attribute that the case does not have.
    """
    flat: list[tuple[str, Any]] = []
    attributes: dict[str, Any] = {}
    for name, value in pairs:
        several = value if isinstance(value, (list, tuple)) else [value]
        if several and all(hasattr(one, "detach") for one in several):
            flat += [(name, one) for one in several]
        elif value is not None:
            attributes[name] = value
    return flat, attributes


def main() -> None:
    """Write everything below ``OUT``."""
    path, out, seed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    known = Types(json.loads(sys.argv[4]))
    out.mkdir(parents=True, exist_ok=True)
    described = (from_validation_folder if path.is_dir() else from_cases_file)(path, out, seed, known)
    (out / "manifest.json").write_text(json.dumps({"cases": described}, default=plain))


if __name__ == "__main__":
    main()
