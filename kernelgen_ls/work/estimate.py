"""A bound on a kernel's latency where nothing measured it: a roofline, computed, never called anything else.

What a chip can do at most is known: bytes a core and the whole chip read from memory, bytes written towards the L2
cache, elements its vector and cube units take a cycle. A kernel cannot be faster than the slowest of these. Only reads
are set against the memory's bandwidth: writes land in the L2 cache, and counting them gave more than was measured.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from attrs import frozen

from kernelgen_ls.kernel.chips import Chip, find_chip
from kernelgen_ls.kernel.dtypes import FLOAT32, find_dtype
from kernelgen_ls.kernel.host import read_host
from kernelgen_ls.kernel.roles import says_host
from kernelgen_ls.kernel.spec.sources import gather
from kernelgen_ls.kernel.spec.specification import Specification
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.jobs.messages import Latency


@frozen
class TensorSize:
    """An input or output by element type and shape."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def elements(self) -> int:
        """How many elements."""
        return math.prod(self.shape)

    @property
    def size_bytes(self) -> int:
        """How many bytes."""
        return (find_dtype(self.dtype) or FLOAT32).size_bytes(self.elements)


@frozen
class Work:
    """What a kernel has to do at least; ``vector_bytes`` pass through the vector unit once for each instruction."""

    read_bytes: int
    write_bytes: int
    vector_bytes: int = 0
    cube_multiplies: int = 0


@frozen
class Bound:
    """One limit: ``us`` microseconds that ``pipe`` needs at least."""

    pipe: str
    us: float


@frozen
class Estimate:
    """No kernel that does this work on this chip takes less than ``us``; ``binding`` names what limits it.

    ``assumptions`` says in words what the figure rests on; show them with it.
    """

    us: float
    binding: str
    bounds: tuple[Bound, ...]
    chip: str
    cores: int
    assumptions: tuple[str, ...] = ()


@frozen
class NoEstimate:
    """Why there is no bound, in one line; ``of_chip`` tells that the operator's shapes are not the reason."""

    reason: str
    of_chip: bool = False


def work_of(inputs: Sequence[TensorSize], outputs: Sequence[TensorSize], instructions: int = 1) -> Work:
    """The work of an elementwise kernel: everything read once, written once, ``instructions`` over the largest."""
    largest = max((tensor.size_bytes for tensor in (*inputs, *outputs)), default=0)
    return Work(
        sum(tensor.size_bytes for tensor in inputs),
        sum(tensor.size_bytes for tensor in outputs),
        largest * instructions,
    )


def estimate(work: Work, chip: Chip, block_dim: int | None = None) -> Estimate | NoEstimate:
    """The bound for ``work`` on ``chip`` with ``block_dim`` cores (None: all of them).

    Where a chip's rates are not publicly known there is no bound: none is guessed from another chip's.
    """
    rates = chip.rates
    if rates is None:
        return NoEstimate(f"what the memory and the units of {chip.soc} do at most is not publicly known", of_chip=True)
    cores = min(block_dim or chip.vector_cores, chip.vector_cores)
    cube_cores = min(block_dim or chip.cube_cores, chip.cube_cores)
    cycles_a_us = chip.frequency_mhz
    # What fits in the L2 cache may be there already when a kernel is launched again and again.
    may_be_cached = work.read_bytes + work.write_bytes <= chip.l2_bytes
    core_read = rates.l2_read_bytes if may_be_cached else rates.read_bytes
    bounds = (
        Bound("MTE2", 0.0 if may_be_cached else work.read_bytes / rates.memory_bytes_a_second * 1e6),
        Bound("MTE2", work.read_bytes / (core_read * cores * cycles_a_us)),
        Bound("MTE3", work.write_bytes / (rates.write_bytes * cores * cycles_a_us)),
        Bound("vector", work.vector_bytes / (rates.vector_bytes * cores * cycles_a_us)),
        Bound("cube", work.cube_multiplies / (rates.cube_multiplies * cube_cores * cycles_a_us)),
    )
    worst = max(bounds, key=lambda bound: bound.us)
    by_pipe = {pipe: max(b.us for b in bounds if b.pipe == pipe) for pipe in dict.fromkeys(b.pipe for b in bounds)}
    said = (
        f"every input is read once from {'the L2 cache' if may_be_cached else 'memory'} and every output written once",
        f"{cores} of {chip.vector_cores} cores" if block_dim else f"all {cores} cores",
        "no launch overhead, no waiting between the pipes",
    )
    kept = tuple(Bound(pipe, round(us, 3)) for pipe, us in by_pipe.items() if us > 0)
    return Estimate(round(worst.us, 3), worst.pipe, kept, chip.soc, cores, said)


def estimate_measured(latency: Latency) -> Estimate | NoEstimate | None:
    """The bound for the very case that was measured, on the chip and the cores it ran on.

    None where the runner did not say the case's sizes.
    """
    chip = find_chip(latency.soc)
    if chip is None or not latency.read_bytes + latency.write_bytes:
        return None
    work = Work(latency.read_bytes, latency.write_bytes, latency.largest_bytes)
    return estimate(work, chip, latency.block_dim or None)


_SHAPELESS = NoEstimate("the specification names no shapes in numbers")


def blocks_of(hosts: Mapping[str, str], constants: Mapping[str, int]) -> int | None:
    """The cores that op_host asks for where it asks for a number; None where it computes it, or says several."""
    said = {match for text in hosts.values() for match in re.findall(r"\bSetBlockDim\(\s*([^()]+?)\s*\)", text)}
    numbers = {int(one) if one.isdigit() else constants.get(one) for one in said}
    (number,) = numbers if len(numbers) == 1 else (None,)
    return number or None


def estimate_specification(
    specification: Specification, chip: Chip, block_dim: int | None = None
) -> Estimate | NoEstimate:
    """The bound for an operator whose specification names its shapes in numbers.

    The first element type is taken where a tensor may have several. Matrix products are bound by their reads alone.
    """
    tensors: list[list[TensorSize]] = []
    for side in (specification.inputs, specification.outputs):
        sizes = []
        for tensor in side:
            dtypes, shape = specification.tensor_dtypes(tensor), tensor.fixed_shape
            if tensor.requirement == "optional":
                continue
            if not dtypes or shape is None:
                return _SHAPELESS
            sizes.append(TensorSize(dtypes[0], shape))
        tensors.append(sizes)
    inputs, outputs = tensors
    return estimate(work_of(inputs, outputs), chip, block_dim) if inputs or outputs else _SHAPELESS


def estimate_operator(texts: Mapping[str, str], path: str, kernel: str, chip: Chip) -> Estimate | NoEstimate:
    """A bound from what an operator's files say of its shapes and its cores.

    ``texts`` are the files by path relative to the operator's folder, ``path`` the one with the entry ``kernel``.
    """
    source = Source.parse(texts[path])
    place = next((source.range(one.name_span).start for one in source.structure.entries if one.name == kernel), None)
    described = next((text for name, text in texts.items() if name.endswith("api_desc.md")), "")
    hosts = {name: text for name, text in texts.items() if says_host(name, text)}
    host = read_host(hosts) if hosts else None
    specification = gather(source, place, api_desc=described, host=host)
    return estimate_specification(specification, chip, blocks_of(hosts, host.constants if host else {}))
