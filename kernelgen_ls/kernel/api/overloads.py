"""The overloads of a name for a call that is being written: which is meant, how their parameters are written."""

from __future__ import annotations

import re

from attrs import frozen

from kernelgen_ls.kernel.api import ApiEntry, Signature

MOST_OVERLOADS = 12
"""More of them nobody reads through."""


@frozen
class Overloads:
    """``active`` is the index of the signature that is shown first, ``parameter`` that of the parameter in it."""

    signatures: tuple[Signature, ...]
    active: int
    parameter: int


def overloads(entry: ApiEntry, argument: int) -> Overloads | None:
    """The overloads with parameters; active is the first that takes an argument of this zero-based index.

    None where no overload has parameters.
    """
    signatures = tuple(one for one in entry.signatures if one.parameters)[:MOST_OVERLOADS]
    if not signatures:
        return None
    active = next((index for index, one in enumerate(signatures) if argument < len(one.parameters)), 0)
    return Overloads(signatures, active, min(argument, len(signatures[active].parameters) - 1))


def parameter_texts(entry: ApiEntry, signature: Signature) -> tuple[str, ...]:
    """One text a parameter: as it stands in the signature, the bare name where that cannot be read."""
    written = written_parameters(signature.text, entry.name)
    if len(written) != len(signature.parameters):
        return tuple(parameter.name for parameter in signature.parameters)
    return written


def written_parameters(declaration: str, name: str) -> tuple[str, ...]:
    """The parameters of the function ``name`` as they stand in its declaration, commas inside brackets left alone."""
    found = re.search(rf"\b{re.escape(name)}\s*\(", declaration)
    if found is None:
        return ()
    parameters, depth, start = [], 0, found.end()
    for index in range(found.end(), len(declaration)):
        character = declaration[index]
        if character in "([{<":
            depth += 1
        elif character in ")]}>" and depth:
            depth -= 1
        elif character in ",)" and not depth:
            parameters.append(declaration[start:index].strip())
            start = index + 1
            if character == ")":
                break
    return tuple(parameter for parameter in parameters if parameter)
