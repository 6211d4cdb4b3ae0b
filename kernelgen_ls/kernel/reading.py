"""From a syntax tree to the parts of a kernel: the only code that knows the grammar's node names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import tree_sitter_cpp
from tree_sitter import Language, Node, Query, QueryCursor

from kernelgen_ls.kernel.structure import (
    Argument,
    Branch,
    Call,
    Conditional,
    Function,
    Jump,
    KernelClass,
    Loop,
    Parameter,
    Span,
    Structure,
    Variable,
)

CPP = Language(tree_sitter_cpp.language())

_QUERY = Query(
    CPP,
    """
    (function_definition body: (_)) @function
    (class_specifier name: (_) body: (_)) @class
    (struct_specifier name: (_) body: (_)) @class
    (call_expression) @call
    (field_declaration) @declaration
    (declaration) @declaration
    (for_statement) @loop
    (while_statement) @loop
    (do_statement) @loop
    (for_range_loop) @loop
    (if_statement) @conditional
    (switch_statement) @conditional
    (return_statement) @jump
    (break_statement) @jump
    (continue_statement) @jump
    (goto_statement) @jump
    (lambda_expression) @lambda
    (ERROR) @broken
    (alias_declaration) @alias
    (type_definition) @alias
    """,
)
_TYPE = re.compile(
    r"(?:(?:const|constexpr|static|inline|volatile|typename|struct)\s+)*(?P<scope>(?:\w+\s*::\s*)*)(?P<kind>\w+)\s*(?P<open><)?"
)
_QUALIFIER_WORD = re.compile(r"\b__[a-z_0-9]+__\b|\[[^\]\n]*aicore\s*\]")


def read_structure(text: str, root: Node) -> Structure:
    """Return the parts of ``text``, whose syntax tree (of the blanked text) has the root ``root``."""
    captures = QueryCursor(_QUERY).captures(root)
    class_nodes = _in_order(captures.get("class", []))
    functions = tuple(
        function for node in _in_order(captures.get("function", [])) if (function := _function(text, node)) is not None
    )
    declarations = _in_order(captures.get("declaration", []))
    variables = [variable for node in declarations for variable in _variables(text, node)]
    for function in functions:
        scope = Span(function.span.start, function.span.end)
        variables.extend(
            _variable(parameter.type, parameter.name, parameter.span, scope) for parameter in function.parameters
        )
    variables.sort(key=lambda variable: variable.span.start)
    return Structure(
        functions=functions,
        classes=tuple(_class(text, node, functions) for node in class_nodes),
        variables=tuple(variables),
        calls=tuple(call for node in _in_order(captures.get("call", [])) if (call := _call(text, node)) is not None),
        loops=tuple(_loop(text, node) for node in _in_order(captures.get("loop", []))),
        conditionals=tuple(_conditional(text, node) for node in _in_order(captures.get("conditional", []))),
        jumps=tuple(
            Jump(node.type.removesuffix("_statement"), _span(node)) for node in _in_order(captures.get("jump", []))
        ),
        lambdas=tuple(_span(node) for node in _in_order(captures.get("lambda", []))),
        broken=tuple(node.start_byte for node in _in_order(captures.get("broken", []))),
        aliases=_aliases(text, _in_order(captures.get("alias", []))),
    )


@lru_cache(maxsize=4096)
def split_type(written: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind and template arguments of a written type: ``AscendC::TQue<A, 2> &`` gives TQue and (A, 2)."""
    match = _TYPE.match(written.strip())
    if match is None:
        return written.strip(), ()
    if not match.group("open"):
        return match.group("kind"), ()
    return match.group("kind"), template_arguments(match.string[match.end() - 1 :])


@lru_cache(maxsize=4096)
def template_arguments(text: str) -> tuple[str, ...]:
    """Return the arguments of ``<...>`` at the start of ``text``; commas inside nested brackets do not part them."""
    depth = 0
    start = 1
    arguments: list[str] = []
    for index, character in enumerate(text):
        if character in "<([{":
            depth += 1
        elif character in ">)]}":
            depth -= 1
        if (character == "," and depth == 1) or depth == 0:
            arguments.append(text[start:index].strip())
            start = index + 1
            if depth == 0:
                break
    return tuple(argument for argument in arguments if argument)


def _in_order(nodes: list[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))


def _span(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def _text(text: str, node: Node | None) -> str:
    return "" if node is None else text[node.start_byte : node.end_byte]


def _function(text: str, node: Node) -> Function | None:
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    body = node.child_by_field_name("body")
    if declarator is None or body is None:
        return None
    named = declarator.child_by_field_name("declarator")
    if named is None:
        return None
    owner = ""
    while named.type == "qualified_identifier":
        scope = named.child_by_field_name("scope")
        inner = named.child_by_field_name("name")
        if inner is None:
            break
        owner = split_type(_text(text, scope))[0]
        named = inner
    enclosing = _enclosing_class(node)
    if enclosing is not None:
        owner = _text(text, enclosing.child_by_field_name("name"))
    start = node.parent.start_byte if node.parent and node.parent.type == "linkage_specification" else node.start_byte
    before = text[text.rfind("\n", 0, start) + 1 : declarator.start_byte]
    parameters = declarator.child_by_field_name("parameters")
    return Function(
        name=_text(text, named),
        owner=owner,
        span=Span(start, node.end_byte),
        name_span=_span(named),
        body=_span(body),
        parameters=tuple(_parameters(text, parameters)) if parameters is not None else (),
        qualifiers=tuple(_QUALIFIER_WORD.findall(before)),
        template_parameters=tuple(_template_parameters(text, node)),
    )


def _parameters(text: str, node: Node) -> Iterator[Parameter]:
    for child in node.named_children:
        if child.type not in ("parameter_declaration", "optional_parameter_declaration"):
            continue
        declarator = child.child_by_field_name("declarator")
        name = _declared_name(declarator) if declarator is not None else None
        end = name.start_byte if name is not None else child.end_byte
        yield Parameter(text[child.start_byte : end].strip(), _text(text, name), _span(name or child))


def _template_parameters(text: str, node: Node) -> Iterator[str]:
    """Yield the names of the template parameters of everything that encloses ``node``, innermost first."""
    parent = node.parent
    while parent is not None:
        if parent.type == "template_declaration":
            parameters = parent.child_by_field_name("parameters")
            for child in parameters.named_children if parameters is not None else ():
                words = re.findall(r"\w+", _text(text, child).split("=")[0])
                if words:
                    yield words[-1]
        parent = parent.parent


def _enclosing_class(node: Node) -> Node | None:
    parent = node.parent
    while parent is not None and parent.type not in ("class_specifier", "struct_specifier"):
        if parent.type in ("function_definition", "lambda_expression"):
            return None
        parent = parent.parent
    return parent


def _class(text: str, node: Node, functions: tuple[Function, ...]) -> KernelClass:
    name = node.child_by_field_name("name")
    assert name is not None, "the query asks for a name"
    bases = next((child for child in node.named_children if child.type == "base_class_clause"), None)
    written = [_text(text, child) for child in bases.named_children] if bases is not None else []
    kind = split_type(_text(text, name))[0]
    own = tuple(function for function in functions if function.owner == kind)
    return KernelClass(
        name=kind,
        span=_span(node),
        name_span=_span(name),
        bases=tuple(split_type(base)[0] for base in written if base not in ("public", "private", "protected")),
        template_parameters=tuple(_template_parameters(text, node)),
        functions=own,
        declared=tuple(_declared_functions(text, node)),
    )


def _declared_functions(text: str, node: Node) -> Iterator[str]:
    """Yield the names of the member functions that a class declares without a body."""
    body = node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        inner = child
        if child.type == "template_declaration":
            inner = child.named_children[-1]
        if inner.type not in ("field_declaration", "declaration"):
            continue
        declarator = inner.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = declarator.child_by_field_name("declarator")
        if declarator is not None and "=" not in text[declarator.end_byte : inner.end_byte]:
            yield _text(text, declarator.child_by_field_name("declarator"))


def _variables(text: str, node: Node) -> Iterator[Variable]:
    typed = node.child_by_field_name("type")
    if typed is None:
        return
    kind, arguments = split_type(_text(text, typed))
    scope, owner, access = _scope(text, node)
    before = text[node.start_byte : typed.start_byte]
    constant = "constexpr" in before or "const" in before.split()
    for declarator in node.children_by_field_name("declarator"):
        name = _declared_name(declarator)
        if name is None or (node.type == "declaration" and declarator.type == "function_declarator"):
            continue
        value = declarator.child_by_field_name("value") or node.child_by_field_name("default_value")
        yield Variable(
            name=_text(text, name),
            kind=kind,
            arguments=arguments,
            span=_span(node),
            name_span=_span(name),
            scope=scope,
            owner=owner,
            access=access,
            is_array="[" in text[name.end_byte : declarator.end_byte].split("=")[0],
            is_constant=constant,
            value=_text(text, value),
        )


def _variable(written: str, name: str, span: Span, scope: Span) -> Variable:
    kind, arguments = split_type(written)
    return Variable(name, kind, arguments, span, span, scope, "", "", False, False, "")


def _declared_name(node: Node) -> Node | None:
    """Return the identifier that a declarator declares."""
    current: Node | None = node
    while current is not None and current.type not in ("identifier", "field_identifier"):
        inner = current.child_by_field_name("declarator")
        if inner is None and current.type in ("reference_declarator", "array_declarator", "pointer_declarator"):
            inner = next((child for child in current.named_children if child.type.endswith("identifier")), None)
        current = inner
    return current


def _scope(text: str, node: Node) -> tuple[Span, str, str]:
    """Return where a declaration's names hold, the class it belongs to, and its access there."""
    if node.type == "field_declaration":
        owner = _enclosing_class(node)
        if owner is not None:
            access = "private" if owner.type == "class_specifier" else "public"
            sibling = node.prev_named_sibling
            while sibling is not None:
                if sibling.type == "access_specifier":
                    access = _text(text, sibling)
                    break
                sibling = sibling.prev_named_sibling
            name = split_type(_text(text, owner.child_by_field_name("name")))[0]
            return _span(owner), name, access
    parent = node.parent
    while parent is not None:
        if parent.type in ("compound_statement", "for_statement", "case_statement", "lambda_expression"):
            return _span(parent), "", ""
        parent = parent.parent
    return Span(0, len(text)), "", ""


def _call(text: str, node: Node) -> Call | None:
    callee = node.child_by_field_name("function")
    given = node.child_by_field_name("arguments")
    if callee is None or given is None:
        return None
    receiver, qualifier = "", ""
    templates: tuple[str, ...] = ()
    while True:
        if callee.type == "field_expression":
            receiver = _text(text, callee.child_by_field_name("argument"))
            inner = callee.child_by_field_name("field")
        elif callee.type == "qualified_identifier":
            scope = _text(text, callee.child_by_field_name("scope"))
            qualifier = f"{qualifier}::{scope}" if qualifier else scope
            inner = callee.child_by_field_name("name")
        elif callee.type in ("template_function", "template_method"):
            templates = template_arguments(_text(text, callee.child_by_field_name("arguments")))
            inner = callee.child_by_field_name("name")
        elif callee.type == "dependent_name":
            inner = callee.named_child(0) if callee.named_child_count else None
        else:
            break
        if inner is None:
            return None
        callee = inner
    if callee.type not in ("identifier", "field_identifier"):
        return None
    name = _text(text, callee)
    return Call(
        name=name,
        receiver=receiver,
        qualifier=qualifier,
        template_arguments=templates,
        arguments=tuple(
            Argument(_text(text, child), _span(child)) for child in given.named_children if child.type != "comment"
        ),
        span=_span(node),
        name_span=_span(callee),
        branches=tuple(_branches(node)) if name in ("InitBuffer", "Reset") else (),
    )


def _branches(node: Node) -> Iterator[Branch]:
    """Yield the arms of the ``if`` and ``switch`` statements that ``node`` stands in, innermost first."""
    child, parent = node, node.parent
    while parent is not None and parent.type not in ("function_definition", "lambda_expression"):
        if parent.type == "if_statement":
            yield Branch(parent.start_byte, int(child.type == "else_clause"))
        elif parent.type == "case_statement":
            switch = parent.parent.parent if parent.parent is not None else None
            yield Branch((switch or parent).start_byte, parent.start_byte)
        child, parent = parent, parent.parent


def _conditional(text: str, node: Node) -> Conditional:
    condition = node.child_by_field_name("condition")
    asked = _span(condition) if condition is not None else Span(node.start_byte, node.start_byte)
    if node.type == "switch_statement":
        body = node.child_by_field_name("body")
        cases = [child for child in body.named_children if child.type == "case_statement"] if body is not None else []
        default = any(child.child_by_field_name("value") is None for child in cases)
        return Conditional(_span(node), asked, tuple(map(_span, cases)), default, falls_through=True)
    arms = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
    return Conditional(
        _span(node),
        asked,
        tuple(_span(arm) for arm in arms if arm is not None),
        exhaustive=arms[1] is not None,
        compile_time=re.match(r"if\s+constexpr\b", text[node.start_byte : asked.start]) is not None,
    )


def _loop(text: str, node: Node) -> Loop:
    body = node.child_by_field_name("body")
    body_span = _span(body) if body is not None else Span(node.end_byte, node.end_byte)
    header = text[node.start_byte : body_span.start]
    initializer = node.child_by_field_name("initializer")
    names = re.findall(r"([A-Za-z_]\w*)\s*=(?!=)", _text(text, initializer))
    update = node.child_by_field_name("update")
    names += re.findall(r"[A-Za-z_]\w*", _text(text, update).split("=")[0])
    return Loop(_span(node), body_span, header, tuple(dict.fromkeys(names)))


def _aliases(text: str, nodes: list[Node]) -> dict[str, str]:
    aliases: dict[str, str] = {}
    for node in nodes:
        if node.type == "alias_declaration":
            name = _text(text, node.child_by_field_name("name"))
        else:
            name = _text(text, node.child_by_field_name("declarator"))
        meaning = _text(text, node.child_by_field_name("type")).strip()
        aliases[name] = meaning if aliases.get(name, meaning) == meaning else ""
    return aliases
