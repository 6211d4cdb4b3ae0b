"""The overload that is meant by a call that is being written, and its parameters as texts."""

import pytest

from kernelgen_ls.kernel import api
from kernelgen_ls.kernel.api.overloads import overloads, parameter_texts, written_parameters


@pytest.mark.parametrize(
    ("name", "argument", "parameter"), [("Add", 0, 0), ("Add", 2, 2), ("DataCopyPad", 2, 2), ("InitBuffer", 2, 2)]
)
def test_the_first_overload_that_takes_the_argument(name: str, argument: int, parameter: int) -> None:
    entry = api.lookup(name)
    assert entry is not None
    found = overloads(entry, argument)
    assert found is not None
    assert found.parameter == parameter
    assert len(found.signatures[found.active].parameters) > argument
    assert all(len(one.parameters) <= argument for one in found.signatures[: found.active])


def test_an_argument_beyond_every_overload_is_the_last_of_the_first() -> None:
    entry = api.lookup("Add")
    assert entry is not None
    found = overloads(entry, 99)
    assert found is not None
    assert (found.active, found.parameter) == (0, len(found.signatures[0].parameters) - 1)


def test_every_parameter_of_a_function_stands_in_its_signature() -> None:
    for entry in api.all_entries():
        found = overloads(entry, 0) if entry.kind in (api.ApiKind.FUNCTION, api.ApiKind.METHOD) else None
        for signature in found.signatures if found is not None else ():
            texts = parameter_texts(entry, signature)
            assert len(texts) == len(signature.parameters)
            assert all(text in signature.text for text in texts)


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("void F(int a, Pair<int, B> b = {1, 2})", ("int a", "Pair<int, B> b = {1, 2}")),
        ("template <typename T> void F(T x[], void (*f)(int, int))", ("T x[]", "void (*f)(int, int)")),
        ("void F()", ()),
        ("class F", ()),
    ],
)
def test_parameters_as_they_are_written(text: str, parameters: tuple[str, ...]) -> None:
    assert written_parameters(text, "F") == parameters
