"""Specifications in Python: a function or module with its documentation, in numpy's, Google's or reST's style.

What is defined is read as text and never executed. A body that computes something is reference code; one that does not
leaves the formula to the documentation.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Sequence

from attrs import evolve, frozen

from kernelgen_ls.kernel.formula import Formula, understand
from kernelgen_ls.kernel.spec.described import Signature, described
from kernelgen_ls.kernel.spec.items import Item, tensor_of
from kernelgen_ls.kernel.spec.reference import parsed, reference_of_module
from kernelgen_ls.kernel.spec.sides import unlisted_outputs
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor, merge
from kernelgen_ls.kernel.spec.words import SCALARS, camel

_METHODS = ("forward", "__call__")
_RETURNED = ("out", "output", "y", "result")


@frozen
class _Parameter:
    name: str
    annotation: str = ""
    default: str | None = None

    @property
    def is_attribute(self) -> bool:
        """Whether it is a number or word rather than a tensor."""
        if re.search(r"[Tt]ensor|ndarray|array", self.annotation):
            return False
        if re.fullmatch(
            r"(?:Optional\[)?(?:torch\.dtype|list|tuple|(?:List|list|Tuple|tuple|Sequence)\[[\w, .]+\]"
            r"|[\w |]*\b(?:float|int|bool|str)\b[\w |]*)\]?",
            self.annotation,
        ):
            return True
        return self.name in SCALARS or (self.default is not None and self.default != "None")


@frozen
class _Defined:
    """A function or a module: its parameters in the order of the interface, and all that documents it."""

    name: str
    parameters: tuple[_Parameter, ...]
    documentation: str
    returns: str = ""
    is_module: bool = False
    computes: bool = False


def from_python(text: str, source: str = "docstring", *, whole: bool = True) -> Specification:
    """Return what a Python text says of an operator: signature, documentation and reference code.

    It is about its first class with a ``forward``, else its first function; nothing where the text is no Python or
    defines nothing. A further class that only calls the operator gives the order of its parameters. ``whole``: outputs
    that it does not name are those of its formula, or as many as it returns.
    """
    module = parsed(text)
    defined = _defined(module, text) if module is not None else None
    if defined is None:
        return Specification()
    names = tuple(one.name for one in defined.parameters)
    defaults = {one.name: one.default for one in defined.parameters if one.default is not None}
    signature = Signature(order=names, defaults=defaults)
    spec = described(defined.documentation, source, signature)
    reference = _reference(text, defined)
    spec = evolve(spec, name=camel(defined.name) if not defined.is_module or defined.name not in ("Model",) else "")
    spec = merge(_ordered(spec, defined), _from_signature(defined, spec))
    spec = evolve(spec, reference=reference, sources=(source,))
    return evolve(spec, outputs=tuple(_returned(spec, defined))) if whole and not spec.outputs else spec


def _defined(module: ast.Module, text: str) -> _Defined | None:
    classes = [one for one in module.body if isinstance(one, ast.ClassDef)]
    for one in classes:
        forward = next((m for m in one.body if isinstance(m, ast.FunctionDef) and m.name in _METHODS), None)
        if forward is not None:
            parameters = [*_parameters(forward, text), *_of_constructor(one, text, _parameters(forward, text))]
            order = _called_with(classes[classes.index(one) + 1 :], [each.name for each in parameters])
            parameters.sort(key=lambda each: order.index(each.name) if each.name in order else len(order))
            documented = [_documentation(part, text) for part in (one, forward)]
            return _Defined(
                one.name, tuple(parameters), "\n\n".join(documented), _annotation(forward.returns), is_module=True
            )
    function = next((one for one in module.body if isinstance(one, ast.FunctionDef)), None)
    if function is None:
        return None
    computes = any(isinstance(one, ast.Return) and one.value is not None for one in ast.walk(function))
    documentation = _documentation(function, text)
    return _Defined(
        function.name,
        tuple(_parameters(function, text)),
        documentation,
        _annotation(function.returns),
        computes=computes,
    )


def _parameters(function: ast.FunctionDef, text: str) -> list[_Parameter]:
    arguments = [*function.args.posonlyargs, *function.args.args]
    values: list[ast.expr | None] = [None] * (len(arguments) - len(function.args.defaults))
    values += function.args.defaults
    pairs = [
        *zip(arguments, values, strict=True),
        *zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True),
    ]
    return [
        _Parameter(one.arg, _annotation(one.annotation), None if value is None else ast.get_source_segment(text, value))
        for one, value in pairs
        if one.arg not in ("self", "ctx", "cls")
    ]


def _documentation(node: ast.ClassDef | ast.FunctionDef, text: str) -> str:
    """A docstring as it is written: the backslashes of its formulas are meant, whether or not there is an ``r``."""
    if ast.get_docstring(node) is None:
        return ""
    statement = node.body[0]
    assert isinstance(statement, ast.Expr)
    written = ast.get_source_segment(text, statement.value) or ""
    match = re.fullmatch(r"(?P<prefix>[rRuU]*)(?P<quote>\"\"\"|'''|\"|')(?P<text>.*)(?P=quote)", written, re.DOTALL)
    said = inspect.cleandoc(match["text"]) if match and "\\" in match["text"] else ast.get_docstring(node) or ""
    return re.sub(rf"\A{node.name}\([^\n]*\)[^\n]*", "", said)  # the signature again, as PyTorch's begin


def _annotation(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node).strip("'\"")


def _of_constructor(one: ast.ClassDef, text: str, taken: Sequence[_Parameter]) -> list[_Parameter]:
    """What a module is made with: parameters of the operator too."""
    made = next((m for m in one.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
    names = {each.name for each in taken}
    return [each for each in _parameters(made, text) if each.name not in names] if made is not None else []


def _called_with(classes: Sequence[ast.ClassDef], names: Sequence[str]) -> list[str]:
    """The parameters in the order in which a further class hands them to one call; none where it does not."""
    for one in classes:
        for call in (node for node in ast.walk(one) if isinstance(node, ast.Call)):
            given = [_plain(argument) for argument in call.args]
            if len(given) > 1 and all(given) and sum(name in names for name in given) == len(given):
                return given
    return []


def _plain(node: ast.expr) -> str:
    while isinstance(node, ast.Call) and node.args:
        node = node.args[0]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _reference(text: str, defined: _Defined) -> str:
    if defined.is_module:
        return _in_order(reference_of_module(text), [one.name for one in defined.parameters])
    return text.strip("\n") if defined.computes else ""


def _in_order(code: str, order: Sequence[str]) -> str:
    """Reference code whose ``forward`` takes its operands in the interface's order: names may be others there."""
    module = parsed(code)
    for one in ast.walk(module) if module is not None else ():
        if isinstance(one, ast.FunctionDef) and one.name in _METHODS and not one.args.defaults:
            first, *others = one.args.args
            if first.arg == "self" and all(other.arg in order for other in others):
                one.args.args = [first, *sorted(others, key=lambda other: order.index(other.arg))]
    return ast.unparse(module) if module is not None else code


def _ordered(spec: Specification, defined: _Defined) -> Specification:
    order = [one.name for one in defined.parameters]
    inputs = sorted(spec.inputs, key=lambda one: order.index(one.name) if one.name in order else len(order))
    return evolve(spec, inputs=tuple(inputs))


def _from_signature(defined: _Defined, spec: Specification) -> Specification:
    """What the signature alone says, with what the documentation has decided about each parameter."""
    attributes = {one.name for one in spec.attributes}
    tensors = {one.name for one in spec.inputs}
    inputs, others = [], []
    for one in defined.parameters:
        if one.name in attributes or (one.name not in tensors and one.is_attribute):
            kind = next(
                (word for word in ("float", "int", "bool", "str") if re.search(rf"\b{word}\b", one.annotation)), ""
            )
            others.append(SpecAttribute(one.name, {"str": "string"}.get(kind, kind), one.default))
        else:
            item = Item(one.name, kind=one.annotation, text="optional" if one.default == "None" else "")
            inputs.append(evolve(tensor_of(item), dtypes=(), description=""))
    return Specification(inputs=tuple(inputs), attributes=tuple(others))


def _returned(spec: Specification, defined: _Defined) -> list[SpecTensor]:
    """The outputs that no documentation names: what the formula gives, or as many as the annotation has."""
    given = unlisted_outputs(defined.documentation, spec)
    if given:
        return given
    found = understand(spec.reference) if spec.reference else None
    if isinstance(found, Formula):
        return [SpecTensor(name) for name in found.outputs]
    count = len(re.findall(r"[Tt]ensor\b", defined.returns))
    if not count:
        return []
    taken = {one.name for one in spec.inputs}
    free = next(name for name in _RETURNED if name not in taken)
    return [SpecTensor(free if count == 1 else f"{free}{place}") for place in range(1, count + 1)]
