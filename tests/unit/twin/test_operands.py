"""Which of a case's tensors an operator's operands have."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.opdef import Operand
from kernelgen_ls.runner.execution.cases import Tensor
from kernelgen_ls.runner.toolchains.twin.host_request import operand_tensors

KINDS = {"?": "OPTIONAL", "*": "DYNAMIC"}


def operands(text: str) -> tuple[Operand, ...]:
    return tuple(Operand(word.rstrip("?*"), KINDS.get(word[-1], "REQUIRED")) for word in text.split())


@pytest.mark.parametrize(
    ("definition", "names", "expected"),
    [
        ("a b? c", "a c", "a=a b= c=c"),
        ("a b c", "x y z", "a=x b=y c=z"),
        ("g p t w? z? l?", "g log_p t w", "g=g p=log_p t=t w=w z= l="),
        ("x w? zeroPoint? s?", "input w zero_point", "x=input w=w zeroPoint=zero_point s="),
        ("x scale? offset?", "x y", "x=x scale= offset=y"),
        ("x* w* bias? sizes?", "x x weight weight groups", "x=x,x w=weight,weight bias= sizes=groups"),
        ("x* w* y*", "x x x w y", "x=x,x,x w=w y=y"),
        ("x* w* s", "- - - - -", "x=-,- w=-,- s=-"),
        ("x* s? t?", "- -", "x=- s= t=-"),
    ],
)  # fmt: skip
def test_tensors_reach_the_operands_they_are_meant_for(definition: str, names: str, expected: str) -> None:
    tensors = tuple(Tensor("float32", (1,), "", name.replace("-", "")) for name in names.split())
    found = operand_tensors(operands(definition), tensors)
    assert " ".join(f"{one.name}={','.join(t.name or '-' for t in given)}" for one, given in found) == expected
