"""What Python says in another form than a formula needs, said in that form before it is read.

``self.act = nn.ReLU()`` and ``self.act(x)`` is ``nn.functional.relu(x)``; ``x.mul_(2).add_(y)`` gives ``x`` a new
value; ``x.view(*shape)`` takes the list as it is; looking into a dictionary that is written out is a choice.
"""

from __future__ import annotations

import ast

from attrs import define, field

_NAMES = """
    ReLU ReLU6 Sigmoid Tanh GELU SiLU Mish Softplus Softsign ELU CELU SELU LeakyReLU Hardsigmoid Hardswish Hardtanh
    Hardshrink Softshrink LogSigmoid Tanhshrink Softmax LogSoftmax Softmin GLU Threshold
"""
_MODULES = frozenset(_NAMES.split())
"""PyTorch's modules that are nothing but a function of their input."""
_LISTED = frozenset(("view", "reshape", "expand", "permute", "repeat"))


def simplified(module: ast.Module) -> ast.Module:
    """The tree in the plainer form."""
    for one in [node for node in ast.walk(module) if isinstance(node, ast.ClassDef)]:
        made = next((m for m in one.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
        held = _held(made.body, "self.") if made is not None else {}
        for member in one.body:
            if member is not made:
                _Simplifier(dict(held)).visit(member)
    _Simplifier({}).visit(module)
    return ast.fix_missing_locations(module)


def _held(body: list[ast.stmt], prefix: str) -> dict[str, ast.expr]:
    """The modules and dictionaries that statements keep under a name."""
    found = {}
    for one in body:
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and _is_kept(one.value):
            name = ast.unparse(one.targets[0])
            if name.startswith(prefix):
                found[name] = one.value
    return found


def _is_kept(value: ast.expr) -> bool:
    return isinstance(value, ast.Dict) or (isinstance(value, ast.Call) and _module_name(value) in _MODULES)


def _module_name(call: ast.Call) -> str:
    path = ast.unparse(call.func)
    return path.rsplit(".", 1)[-1] if path.split(".")[0] in ("nn", "torch") else ""


@define
class _Simplifier(ast.NodeTransformer):
    """``held`` are the modules and dictionaries that names hold."""

    held: dict[str, ast.expr] = field(factory=dict)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:  # ast's name
        outside = self.held
        self.held = {**outside, **_held(node.body, "")}
        own = [one for one in node.body if not (isinstance(one, ast.Assign) and _is_kept(one.value))]
        node.body = own or [ast.Pass()]
        self.generic_visit(node)
        self.held = outside
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:  # ast's name
        module = self._module(node.func)
        self.generic_visit(node)
        if module is not None:
            return ast.copy_location(_applied(module, node), node)
        looked_into = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "get" else None
        table = self._table(looked_into) if looked_into is not None else None
        if table is not None and node.args:
            return ast.copy_location(_chosen(table, node.args[0], node.args[1:]), node)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method in _LISTED and len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
            node.args = [node.args[0].value]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:  # ast's name
        table = self._table(node.value)
        self.generic_visit(node)
        return ast.copy_location(_chosen(table, node.slice, []), node) if table is not None else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:  # ast's name
        self.generic_visit(node)
        plain, target = _chained(node.value)
        if target is None or plain is None:
            return node
        return ast.copy_location(ast.Assign([ast.Name(target.id, ast.Store())], plain), node)

    def _module(self, called: ast.expr) -> ast.Call | None:
        held = self.held.get(ast.unparse(called)) if isinstance(called, ast.Name | ast.Attribute) else called
        return held if isinstance(held, ast.Call) and _module_name(held) in _MODULES else None

    def _table(self, value: ast.expr) -> ast.Dict | None:
        held = self.held.get(ast.unparse(value)) if isinstance(value, ast.Name | ast.Attribute) else value
        return held if isinstance(held, ast.Dict) and held.keys and all(held.keys) else None


def _applied(module: ast.Call, node: ast.Call) -> ast.Call:
    """A module's function of what the module is called with, with what the module was made with behind it."""
    function = ast.Attribute(ast.Name("F", ast.Load()), _module_name(module).lower(), ast.Load())
    options = [one for one in module.keywords if one.arg != "inplace"]
    return ast.Call(function, [*node.args, *module.args], options)


def _chosen(table: ast.Dict, key: ast.expr, otherwise: list[ast.expr]) -> ast.expr:
    """The values of a dictionary by its keys; the last one, or the value that ``get`` has for the rest, is the rest."""
    pairs = [(one, value) for one, value in zip(table.keys, table.values, strict=True) if one is not None]
    *first, (_, last) = pairs
    value = otherwise[0] if otherwise else last
    for one, taken in reversed(pairs if otherwise else first):
        value = ast.IfExp(ast.Compare(key, [ast.Eq()], [one]), taken, value)
    return value


def _chained(node: ast.expr) -> tuple[ast.expr | None, ast.Name | None]:
    """Methods that change their tensor, one behind the other, as what they give, and the tensor's name."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return None, None
    name, inner = node.func.attr, node.func.value
    if not name.endswith("_") or name.endswith("__") or name in ("requires_grad_", "copy_"):
        return None, None
    value, target = (inner, inner) if isinstance(inner, ast.Name) else _chained(inner)
    if value is None:
        return None, None
    function = ast.copy_location(ast.Attribute(value, name[:-1], ast.Load()), node.func)
    return ast.copy_location(ast.Call(function, node.args, node.keywords), node), target
