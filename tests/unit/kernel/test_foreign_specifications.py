"""Specifications in hands that are not this project's: read whole, understood as they are meant."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.spec.markdown import from_api_desc
from kernelgen_ls.kernel.spec.sources import gather
from kernelgen_ls.kernel.syntax import Source
from tests.unit.kernel.foreign.comments import COMMENTS
from tests.unit.kernel.foreign.definitions import DEFINITIONS
from tests.unit.kernel.foreign.descriptions_en import DESCRIPTIONS_EN
from tests.unit.kernel.foreign.descriptions_zh import DESCRIPTIONS_ZH
from tests.unit.kernel.foreign.docstrings import DOCSTRINGS
from tests.unit.kernel.foreign.foreign import Foreign, faults
from tests.unit.kernel.foreign.more import MORE_COMMENTS, MORE_DEFINITIONS, MORE_DOCSTRINGS, MORE_EN, MORE_ZH


def by_name(foreign: Foreign) -> str:
    return foreign.name


@pytest.mark.parametrize("foreign", [*COMMENTS, *MORE_COMMENTS], ids=by_name)
def test_a_comment_above_an_entry(foreign: Foreign) -> None:
    assert not faults(foreign, gather(Source.parse(foreign.text)))


@pytest.mark.parametrize("foreign", [*DESCRIPTIONS_ZH, *DESCRIPTIONS_EN, *MORE_ZH, *MORE_EN], ids=by_name)
def test_a_description(foreign: Foreign) -> None:
    assert not faults(foreign, from_api_desc(foreign.text))


@pytest.mark.parametrize("foreign", [*DEFINITIONS, *MORE_DEFINITIONS], ids=by_name)
def test_a_definition_with_a_formula_beside_it(foreign: Foreign) -> None:
    assert not faults(foreign, gather(definition=foreign.text, api_desc=foreign.extra.get("README.md", "")))


@pytest.mark.parametrize("foreign", [*DOCSTRINGS, *MORE_DOCSTRINGS], ids=by_name)
def test_a_docstring(foreign: Foreign) -> None:
    assert not faults(foreign, gather(module=foreign.text))
