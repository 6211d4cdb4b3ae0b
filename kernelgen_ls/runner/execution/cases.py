"""The cases a kernel is run on, as its cases file's process described them, and the judgement of its outputs.

The manifest comes from a program of the user's: every size and path in it is checked here. Outputs are compared by
bytes and element types, without the kernel's process having any say.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cattrs
from attrs import evolve, field, frozen

from kernelgen_ls.kernel.cases.columns import CASE_DTYPES
from kernelgen_ls.kernel.chips import BLOCK_BYTES
from kernelgen_ls.kernel.dtypes import BFLOAT16, COMPLEX64, FLOAT16, FLOAT32, FLOAT64
from kernelgen_ls.runner.execution.differences import Differing, in_common, spread
from kernelgen_ls.runner.execution.writers import writers
from kernelgen_ls.runner.jobs.messages import CaseResult, Outcome, WrongValues

_DTYPES = {dtype.name: dtype for dtype in (*CASE_DTYPES, COMPLEX64)}

_TOLERANCE = {FLOAT16.name: 1 / 512, BFLOAT16.name: 1 / 128, FLOAT32.name: 1 / 2048, FLOAT64.name: 1 / 2048}
"""How much an output may differ by default: ``|difference| <= tolerance * max(1, |golden|)``."""

GOLDEN_TYPES = json.dumps(
    [
        {
            "name": dtype.name,
            "torch": f"torch.{dtype.torch}",
            "numpy": None if dtype.ml_dtypes else dtype.numpy,
            "tolerance": _TOLERANCE.get(dtype.name),
        }
        for dtype in _DTYPES.values()
    ]
)
"""What ``golden.py`` is told of them: null in the place of numpy's name for what is the upper half of a float32."""

_ENDS = {FLOAT16.name: 65504.0, BFLOAT16.name: 3.3895313892515355e38, FLOAT32.name: 3.4028234663852886e38}
"""The largest finite values."""

UNWRITTEN = 0xFF
"""What every byte of an output is before a launch: not zero, so that what was never written is not right by chance."""

_MAX_BYTES = 4 * 1024**3
_MANIFEST_BYTES = 4 * 1024**2


class CasesError(Exception):
    """The cases file does not give what is needed; the message is one line for its author."""


@frozen
class Tensor:
    """Raw little-endian elements in a file."""

    dtype: str
    shape: tuple[int, ...]
    file: str
    name: str = ""
    """The kernel's parameter that it is for, where the cases file says so; what a reference calls an input."""
    allowed: str = ""
    """Of an output: a file with the largest difference of each element (float32), in the place of a tolerance."""
    share: float = 0.0
    """Of an output: the part of ``max(1, |golden|)`` that a floating-point element may differ by where that of its type
    is less; what a whole number may differ by."""

    @property
    def size_bytes(self) -> int:
        """The size that element type and shape make."""
        return _DTYPES[self.dtype].size_bytes(math.prod(self.shape))


@frozen
class Reading:
    """What a formula may mean that leaves something open: ``words`` say what is taken for that."""

    words: str
    outputs: tuple[Tensor, ...]


@frozen
class Case:
    """One case: inputs, golden outputs and how the kernel is launched on it."""

    name: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    tiling: Mapping[str, Any] | None = None
    """``{"hex": bytes}`` or ``{"fields": {name: value}}``."""
    tiling_key: int | None = None
    block_dim: int = 1
    workspace: int = 0
    tolerance: tuple[float, float] | None = None
    """Relative and absolute: ``|difference| <= relative * |golden| + absolute``."""
    attributes: Mapping[str, Any] | None = None
    """The operator's attributes by name, for a tiling that op_host computes; the rest have their defaults."""
    saturation: bool | None = None
    """Whether what is beyond a type's end becomes its end, rather than infinite; None for the tool chain's own way."""
    tentative: bool = False
    """Left aside where it is not executed, as long as others are: nobody promised that op_host takes its shapes."""
    reading: str = ""
    """What was taken for what the formula of the golden outputs leaves open, in words."""
    others: tuple[Reading, ...] = ()
    """What else the formula may mean: outputs that are right as well."""

    def read_as(self, words: str) -> Case | None:
        """The case as its formula is read in these words; None where it cannot be. One that is not open stays."""
        if words == self.reading or not self.others:
            return self
        other = next((one for one in self.others if one.words == words), None)
        return None if other is None else evolve(self, outputs=other.outputs, reading=words, others=())

    @property
    def said(self) -> str:
        """How the formula was read, where it leaves something open."""
        return f"the formula, read with {self.reading}" if self.reading else ""


@frozen
class _Manifest:
    cases: tuple[Case, ...] = field(factory=tuple)


def read_manifest(folder: Path) -> tuple[Case, ...]:
    """The cases in ``folder/manifest.json``; raises :class:`CasesError` for anything that is not sound."""
    file = folder / "manifest.json"
    if folder.is_symlink() or file.is_symlink() or not file.is_file() or file.stat().st_size > _MANIFEST_BYTES:
        raise CasesError("the cases file made no cases")
    try:
        manifest = cattrs.structure(json.loads(file.read_text()), _Manifest)
    except OSError as problem:
        raise CasesError("the cases file made no cases") from problem
    except Exception as problem:
        # JSON's and cattrs' errors alike mean that the user's file gave something else than it should.
        raise CasesError(f"the cases are not as they should be: {str(problem)[:200]}") from problem
    if not manifest.cases:
        raise CasesError("the cases file has no cases")
    for case in manifest.cases:
        if not case.outputs:
            raise CasesError(f"{case.name}: golden() gives no output")
        if not (1 <= case.block_dim <= 65535 and 0 <= case.workspace <= _MAX_BYTES):
            raise CasesError(f"{case.name}: block_dim is 1 to 65535, workspace up to 4 GiB")
        for tensor in (*case.inputs, *case.outputs, *(output for one in case.others for output in one.outputs)):
            _check_tensor(folder, case, tensor)
    return manifest.cases


def take_over(cases: tuple[Case, ...], target: Path) -> tuple[Case, ...]:
    """Move the checked files of ``cases`` into ``target``, out of reach of the program that made them."""
    target.mkdir(parents=True)
    count = 0

    def moved(tensors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        nonlocal count
        taken = []
        for tensor in tensors:
            path = target / f"{count}.bin"
            count += 1
            Path(tensor.file).replace(path)
            allowed = path.with_suffix(".allowed") if tensor.allowed else None
            if allowed is not None:
                Path(tensor.allowed).replace(allowed)
            taken.append(evolve(tensor, file=str(path), allowed=str(allowed or "")))
        return tuple(taken)

    return tuple(
        evolve(
            case,
            inputs=moved(case.inputs),
            outputs=moved(case.outputs),
            others=tuple(evolve(one, outputs=moved(one.outputs)) for one in case.others),
        )
        for case in cases
    )


def _check_tensor(folder: Path, case: Case, tensor: Tensor) -> None:
    if tensor.dtype not in _DTYPES:
        raise CasesError(f"{case.name}: the element type {tensor.dtype!r} is not known")
    if any(n < 0 for n in tensor.shape) or tensor.size_bytes > _MAX_BYTES:
        raise CasesError(f"{case.name}: the shape {tensor.shape} is not possible")
    if not 0 <= tensor.share <= 1:
        raise CasesError(f"{case.name}: a share of {tensor.share:g} is not between 0 and 1")
    _check_file(folder, case, tensor.file, tensor.size_bytes)
    if tensor.allowed:
        _check_file(folder, case, tensor.allowed, FLOAT32.size_bytes(math.prod(tensor.shape)))


def _check_file(folder: Path, case: Case, path: str, size: int) -> None:
    file = Path(path)
    if file.is_symlink() or not file.resolve().is_relative_to(folder.resolve()) or not file.is_file():
        raise CasesError(f"{case.name}: {file.name} is not a file of the cases")
    if file.stat().st_size != size:
        raise CasesError(f"{case.name}: {file.name} does not have the size of its shape")


def judge(case: Case, produced: list[Path], names: Sequence[str] = ()) -> CaseResult:
    """Compare the files a kernel wrote with the case's golden outputs; ``names`` are the outputs' parameters.

    Where a formula may mean several things, outputs of another reading are right too.
    """
    result = _compared(case, produced, names)
    if result.outcome is Outcome.PASSED:
        return result
    others = (evolve(case, outputs=one.outputs) for one in case.others)
    fits = any(_compared(one, produced, names).outcome is Outcome.PASSED for one in others)
    return CaseResult(case.name, Outcome.PASSED) if fits else result


def _compared(case: Case, produced: list[Path], names: Sequence[str]) -> CaseResult:
    for number, (golden, path) in enumerate(zip(case.outputs, produced, strict=True)):
        name = names[number] if number < len(names) else golden.name
        size = path.stat().st_size if path.is_file() else 0
        if size != golden.size_bytes:
            where = name or f"output {number}"
            message = f"{where} has {size} bytes; {golden.dtype}{list(golden.shape)} has {golden.size_bytes}"
            return CaseResult(case.name, Outcome.WRONG_SHAPE, message)
        wrong = _wrong_values(case, number, name, path)
        if wrong is not None:
            return CaseResult(case.name, Outcome.WRONG_VALUES, str(wrong), wrong)
    return CaseResult(case.name, Outcome.PASSED)


def overflows(case: Case, produced: Sequence[Path]) -> bool:
    """Whether a golden or a produced element is not finite, where types are in play that a device may saturate."""
    import numpy as np

    short = (FLOAT16.name, BFLOAT16.name)
    if not any(tensor.dtype in short for tensor in (*case.inputs, *case.outputs)):
        return False
    pairs = zip(case.outputs, produced, strict=True)
    floating = ((one.dtype, Path(one.file), path) for one, path in pairs if one.dtype in _TOLERANCE)
    return any(not np.isfinite(_values(path, dtype)).all() for dtype, *both in floating for path in both)


def _wrong_values(case: Case, number: int, name: str, path: Path) -> WrongValues | None:
    """What differs in one output by more than the case allows."""
    import numpy as np  # only where kernels run

    golden = _in_parts(case.outputs[number])
    got, want = _values(path, golden.dtype), _values(Path(golden.file), golden.dtype)
    allowed = _allowed(case, golden, want)
    if got.dtype.kind == "f":
        # A value that is not finite is as far off as can be, and is shown before all others.
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        odd = ~(np.isfinite(got) & np.isfinite(want)) & ~same
        odd &= ~_over_the_end(got, want, allowed, golden.dtype)
        if case.saturation is not False:
            odd &= ~_saturated(got, want, golden.dtype)
        finite = np.isfinite(want)
        difference = np.abs(np.where(finite & ~odd, got, 0) - np.where(finite & ~odd, want, 0))
        wrong = odd | (finite & np.isfinite(got) & (difference > allowed))
        difference = np.where(odd, np.inf, difference)
    else:
        difference = np.abs(got.astype(np.float64) - want.astype(np.float64))
        # Whole numbers beyond 2**53 differ where their float64 do not.
        wrong = (got != want) & ((difference > allowed) | (np.asarray(allowed) == 0))
    if not wrong.any():
        return None
    at = int(np.argmax(np.where(wrong, difference, -1)))
    size = _DTYPES[golden.dtype].size_bytes(1)
    untouched = (np.fromfile(path, np.uint8).reshape(-1, size) == UNWRITTEN).all(axis=1)
    relative = _TOLERANCE.get(golden.dtype, 0.0)
    wrote = writers(path, wrong.size, size)
    said = spread(Differing(golden.shape, wrong, got, want, untouched, size, relative, wrote), case.block_dim)
    index = tuple(int(place) for place in np.unravel_index(at, golden.shape or (1,)))
    count = int(wrong.sum())
    return WrongValues(number, name, index, *_shown(got[at], want[at]), count, wrong.size, said)


def _in_parts(tensor: Tensor) -> Tensor:
    """A tensor of complex numbers as one of their real and imaginary parts; any other as it is."""
    if tensor.dtype != COMPLEX64.name:
        return tensor
    return evolve(tensor, dtype=FLOAT32.name, shape=(*tensor.shape, 2))


def _allowed(case: Case, golden: Tensor, want: Any) -> Any:
    """The largest difference of each element; integers are exact where the case gives them none."""
    import numpy as np

    if case.tolerance is not None and want.dtype.kind == "f":
        return case.tolerance[0] * np.abs(want) + case.tolerance[1]
    if golden.allowed:
        return np.fromfile(golden.allowed, "<f4").astype(np.float64)
    if want.dtype.kind != "f":
        return golden.share
    return max(golden.share, _TOLERANCE[golden.dtype]) * np.maximum(1, np.abs(want))


def _over_the_end(got: Any, want: Any, allowed: Any, dtype: str) -> Any:
    """Where an infinite value stands for one that is so near the end of its type that what is allowed reaches over."""
    import numpy as np

    near = np.isfinite(want) & np.isinf(got) & (np.abs(want) + allowed >= _ENDS.get(dtype, np.inf))
    return near & (np.sign(got) == np.sign(want))


def _saturated(got: Any, want: Any, dtype: str) -> Any:
    """Where a device in saturation mode has a number for what is infinite or no number."""
    import numpy as np

    if dtype not in (FLOAT16.name, BFLOAT16.name):
        return np.zeros(want.shape, bool)
    return (np.isinf(want) & (got == np.copysign(_ENDS[dtype], want))) | (np.isnan(want) & (got == 0))


def _shown(got: Any, want: Any) -> tuple[str, str]:
    """Two values as text: whole numbers whole, others with as many digits as tell them apart."""
    if got.dtype.kind != "f":
        return str(got), str(want)
    short = f"{got:g}", f"{want:g}"
    return short if short[0] != short[1] else (f"{got:.9g}", f"{want:.9g}")


def has_odd_tail(case: Case) -> bool:
    """Whether a last dimension does not fill 32-byte blocks: what kernels most often get wrong."""
    return any(
        t.shape and _DTYPES[t.dtype].size_bytes(t.shape[-1]) % BLOCK_BYTES for t in (*case.inputs, *case.outputs)
    )


def told_apart(cases: Sequence[Case], results: Sequence[CaseResult]) -> str:
    """What the wrong ones of the cases have in common and no right one has, in words."""
    pairs = [
        (case, result.outcome is Outcome.WRONG_VALUES)
        for case, result in zip(cases, results, strict=True)
        if result.outcome in (Outcome.WRONG_VALUES, Outcome.PASSED)
    ]
    types = [(", ".join(dict.fromkeys(t.dtype for t in (*one.inputs, *one.outputs))), bad) for one, bad in pairs]
    tails = [("a length that does not fill 32 bytes" if has_odd_tail(one) else "", bad) for one, bad in pairs]
    blocks = [("one block" if one.block_dim == 1 else "several blocks", bad) for one, bad in pairs]
    return in_common({"with": tails, "in": types, "on": blocks})


def _values(path: Path, dtype: str) -> Any:
    import numpy as np

    if dtype == BFLOAT16.name:
        bits = np.fromfile(path, np.uint16).astype(np.uint32) << 16
        return bits.view(np.float32).astype(np.float64)
    values = np.fromfile(path, np.dtype(dtype).newbyteorder("<"))
    return values.astype(np.float64) if values.dtype.kind == "f" else values
