"""What an operator shall do, from wherever a developer wrote it: a comment, ``api_desc.md``, a JSON, an OpDef.

Each reader gives a ``Specification`` with what its text says and nothing else; ``merge`` puts several together. What
none of them says is listed by ``missing``, to be asked for: nothing here is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.opdef import Operand, OperatorDefinition, snake_case

_DEFINING = frozenset({"op_host", "definition"})
"""Sources that declare a whole interface."""


@frozen
class SpecTensor:
    """An input or output: ``dtypes`` it may have (``float16``), ``shape`` its dimensions as written, None if unsaid.

    ``requirement`` is ``required``, ``optional`` or ``dynamic`` (a list of tensors).
    """

    name: str
    dtypes: tuple[str, ...] = ()
    shape: tuple[str, ...] | None = None
    requirement: str = "required"
    description: str = ""

    @property
    def fixed_shape(self) -> tuple[int, ...] | None:
        """The shape as numbers; None where it is unsaid or has a dimension that is a name."""
        if self.shape is None or not all(size.isdigit() for size in self.shape):
            return None
        return tuple(int(size) for size in self.shape)


@frozen
class SpecAttribute:
    """An attribute: ``type`` is ``int``, ``float``, ``bool``, ``string`` or a list of them; ``default`` as written."""

    name: str
    type: str = ""
    default: str | None = None
    description: str = ""


@frozen
class Specification:
    """An operator to be written. Empty fields are unsaid; ``sources`` names what it was read from.

    ``dtypes`` are element types said of the operator as a whole; a tensor without its own has these.
    """

    name: str = ""
    formula: str = ""
    description: str = ""
    inputs: tuple[SpecTensor, ...] = ()
    outputs: tuple[SpecTensor, ...] = ()
    attributes: tuple[SpecAttribute, ...] = ()
    dtypes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    reference: str = ""
    """Code in Python that computes the outputs."""
    problems: tuple[str, ...] = ()
    """What could not be read where the operator is described, a sentence each."""

    @property
    def kernel_name(self) -> str:
        """The operator's name in snake case: that of the kernel's file and entry function."""
        return snake_case(self.name)

    @property
    def missing(self) -> tuple[str, ...]:
        """What no source said: of ``name``, ``formula``, ``inputs``, ``outputs``, ``dtypes`` and ``shapes``.

        A definition that has inputs and no output says that the operator works in place.
        """
        is_defined = not _DEFINING.isdisjoint(self.sources)
        said = {
            "name": bool(self.name),
            "formula": bool(self.formula),
            "inputs": bool(self.inputs),
            "outputs": bool(self.outputs) or (is_defined and bool(self.inputs)),
            "dtypes": bool(self.dtypes) or any(tensor.dtypes for tensor in self.inputs + self.outputs),
            "shapes": any(tensor.shape is not None for tensor in self.inputs),
        }
        return tuple(name for name, is_said in said.items() if not is_said)

    def tensor_dtypes(self, tensor: SpecTensor) -> tuple[str, ...]:
        """Return the element types of one of the operator's tensors: its own, else the operator's."""
        return tensor.dtypes or self.dtypes


HOW_TO_SAY: Mapping[str, str] = {
    "name": "write 'op: Name' in the comment, or put the comment above the entry function",
    "formula": "write a line 'formula: y = x1 + x2' in the comment, or a formula or Python code in api_desc.md",
    "inputs": "write a line 'in x: float16 [48, 1024]' for each input",
    "outputs": "write a line 'out y: float16 [48, 1024]' for each output",
    "dtypes": "name the element types, as in 'in x: float16 [48, 1024]' or 'dtypes: float16, float32'",
    "shapes": "give each input its shape, as in 'in x: float16 [48, 1024]', or [N, D] where it varies",
}
"""For each thing that can be missing, what the developer writes to say it."""


def merge(*specifications: Specification) -> Specification:
    """Return what all say together; where two disagree, the earlier one is right.

    The inputs, outputs and attributes are those of the first that has any; the others add what it does not say about
    a tensor of the same name, or of the same place where both have as many.
    """
    result = Specification()
    for other in specifications:
        result = Specification(
            name=result.name or other.name,
            formula=result.formula or other.formula,
            description=result.description or other.description,
            inputs=_merged(result.inputs, other.inputs),
            outputs=_merged(result.outputs, other.outputs),
            attributes=_merged_attributes(result.attributes, other.attributes),
            dtypes=result.dtypes or other.dtypes,
            sources=tuple(dict.fromkeys(result.sources + other.sources)),
            reference=result.reference or other.reference,
            problems=result.problems + other.problems,
        )
    names = {attribute.name for attribute in result.attributes}
    return evolve(result, inputs=tuple(tensor for tensor in result.inputs if tensor.name not in names))


def from_operator(operator: OperatorDefinition) -> Specification:
    """Return what an ``OpDef`` says: the interface, with the element types of every column."""
    return Specification(
        name=operator.name,
        inputs=tuple(_from_operand(operand) for operand in operator.inputs),
        outputs=tuple(_from_operand(operand) for operand in operator.outputs),
        attributes=tuple(
            SpecAttribute(item.name, _attribute_type(item.type), item.default) for item in operator.attributes
        ),
        sources=("op_host",),
    )


def _from_operand(operand: Operand) -> SpecTensor:
    dtypes = tuple(dict.fromkeys(dtype.name for written in operand.dtypes if (dtype := find_dtype(written))))
    return SpecTensor(operand.name, dtypes, None, operand.requirement.lower())


def _attribute_type(written: str) -> str:
    return f"list of {written.removeprefix('List').lower()}" if written.startswith("List") else written.lower()


def _merged(first: tuple[SpecTensor, ...], second: tuple[SpecTensor, ...]) -> tuple[SpecTensor, ...]:
    if not first or not second:
        return first or second
    by_name = {tensor.name: tensor for tensor in second}
    same_places = len(first) == len(second)
    merged = []
    for index, tensor in enumerate(first):
        other = by_name.get(tensor.name) or (second[index] if same_places else None)
        if other is None:
            merged.append(tensor)
            continue
        merged.append(
            SpecTensor(
                tensor.name,
                tensor.dtypes or other.dtypes,
                tensor.shape if tensor.shape is not None else other.shape,
                # A comment says "optional" or "a list" only where it speaks of it.
                tensor.requirement if tensor.requirement != "required" else other.requirement,
                tensor.description or other.description,
            )
        )
    return tuple(merged)


def _merged_attributes(
    first: tuple[SpecAttribute, ...], second: tuple[SpecAttribute, ...]
) -> tuple[SpecAttribute, ...]:
    if not first:
        return second
    by_name = {attribute.name: attribute for attribute in second}
    return tuple(
        SpecAttribute(
            attribute.name,
            attribute.type or (other.type if other else ""),
            attribute.default if attribute.default is not None else (other.default if other else None),
            attribute.description or (other.description if other else ""),
        )
        for attribute in first
        for other in (by_name.get(attribute.name),)
    )
