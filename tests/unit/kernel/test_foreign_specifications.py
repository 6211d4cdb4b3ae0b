"""Specifications in hands that are not this project's: read whole, understood as they are meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelgen_ls.kernel.spec.markdown import from_api_desc
from kernelgen_ls.kernel.spec.sources import gather
from kernelgen_ls.kernel.spec.understood import understood
from kernelgen_ls.kernel.syntax import Source
from tests.unit.kernel.foreign.comments import COMMENTS
from tests.unit.kernel.foreign.definitions import DEFINITIONS
from tests.unit.kernel.foreign.descriptions_en import DESCRIPTIONS_EN
from tests.unit.kernel.foreign.descriptions_zh import DESCRIPTIONS_ZH
from tests.unit.kernel.foreign.docstrings import DOCSTRINGS
from tests.unit.kernel.foreign.foreign import Foreign, faults
from tests.unit.kernel.foreign.more import MORE_COMMENTS, MORE_DEFINITIONS, MORE_DOCSTRINGS, MORE_EN, MORE_ZH
from tests.unit.kernel.foreign.sentences import SENTENCE_COMMENTS, SENTENCE_DESCRIPTIONS, SENTENCE_DOCSTRINGS


def by_name(foreign: Foreign) -> str:
    return foreign.name


@pytest.mark.parametrize("foreign", [*COMMENTS, *MORE_COMMENTS, *SENTENCE_COMMENTS], ids=by_name)
def test_a_comment_above_an_entry(foreign: Foreign) -> None:
    assert not faults(foreign, gather(Source.parse(foreign.text)))


@pytest.mark.parametrize(
    "foreign", [*DESCRIPTIONS_ZH, *DESCRIPTIONS_EN, *MORE_ZH, *MORE_EN, *SENTENCE_DESCRIPTIONS], ids=by_name
)
def test_a_description(foreign: Foreign) -> None:
    assert not faults(foreign, from_api_desc(foreign.text))


@pytest.mark.parametrize("foreign", [*DEFINITIONS, *MORE_DEFINITIONS], ids=by_name)
def test_a_definition_with_a_formula_beside_it(foreign: Foreign) -> None:
    assert not faults(foreign, gather(definition=foreign.text, api_desc=foreign.extra.get("README.md", "")))


@pytest.mark.parametrize("foreign", [*DOCSTRINGS, *MORE_DOCSTRINGS, *SENTENCE_DOCSTRINGS], ids=by_name)
def test_a_docstring(foreign: Foreign) -> None:
    assert not faults(foreign, gather(module=foreign.text))


ALL = [one.text for one in (*COMMENTS, *DESCRIPTIONS_ZH, *DESCRIPTIONS_EN, *DEFINITIONS, *DOCSTRINGS)]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(ALL), st.data())
def test_a_text_with_a_hole_in_it_is_read_as_far_as_it_says_something(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    cut = text[:start] + data.draw(st.text(max_size=6)) + text[start + data.draw(st.integers(0, 60)) :]
    for spec in (gather(Source.parse(cut)), gather(api_desc=cut), gather(definition=cut), gather(module=cut)):
        understood(spec)
