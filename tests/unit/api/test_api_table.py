"""The API table: what it covers, that it says what the declarations say, and the pages made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.kernel import api
from kernelgen_ls.kernel.api import ApiKind

HERE = Path(__file__).parent
COMMON_NAMES = (HERE / "common_names.txt").read_text(encoding="utf-8").split()
"""Names that ten or more of some 1,900 public kernel files use."""

NOT_INTERFACE = {
    "AscendC": "the namespace itself",
    "std": "a namespace of C++",
    "C": "a kernel's own name",
    "B": "a kernel's own name",
    "D": "a kernel's own name",
    "R": "a kernel's own name",
    "A": "a kernel's own name",
    "_": "a kernel's own name",
    "CopyIn": "a stage that kernels define",
    "CopyOut": "a stage that kernels define",
    "Compute": "a stage that kernels define",
    "is_same": "C++ standard library",
    "integral_constant": "C++ standard library",
    "decltype": "a C++ keyword",
    "assert": "C standard library",
    "cType": "a kernel's own name or a template's parameter",
    "xType": "a kernel's own name or a template's parameter",
    "biasType": "a kernel's own name or a template's parameter",
    "dType": "a kernel's own name or a template's parameter",
    "BIAS_TYPE": "a kernel's own name or a template's parameter",
    "A_TYPE": "a kernel's own name or a template's parameter",
    "B_TYPE": "a kernel's own name or a template's parameter",
    "C_TYPE": "a kernel's own name or a template's parameter",
    "L0cT": "a kernel's own name or a template's parameter",
    "WeightT": "a kernel's own name or a template's parameter",
    "Config": "a kernel's own name or a template's parameter",
    "Config_": "a kernel's own name or a template's parameter",
    "Intf": "a kernel's own name or a template's parameter",
    "Impl": "a kernel's own name or a template's parameter",
    "Params": "a kernel's own name or a template's parameter",
    "ContextData": "a kernel's own name or a template's parameter",
    "ConvBpContext": "a kernel's own name or a template's parameter",
    "TensorShape": "a kernel's own name or a template's parameter",
    "B2Condition": "a kernel's own name or a template's parameter",
    "Type": "a kernel's own name or a template's parameter",
    "type": "a kernel's own name or a template's parameter",
    "name": "a kernel's own name",
    "sync": "a kernel's own name or a template's parameter",
}
"""Common names that are no part of AscendC, each with what it is."""


@pytest.mark.parametrize("name", [name for name in COMMON_NAMES if name not in NOT_INTERFACE])
def test_every_common_name_has_an_entry_with_a_signature_and_a_sentence(name: str):
    entry = api.lookup(name)
    assert entry is not None
    assert entry.summary.rstrip().endswith((".", ":"))
    assert entry.signatures
    assert entry.signatures[0].text


def test_what_is_skipped_is_really_not_in_the_table():
    unused = [name for name in NOT_INTERFACE if name not in COMMON_NAMES]
    assert unused == []


def test_overloads_parameters_and_defaults():
    entry = api.lookup("ReduceMax")
    assert entry is not None
    assert entry.kind is ApiKind.FUNCTION
    first = entry.signatures[0]
    assert [item.name for item in first.parameters] == ["dst", "src", "sharedTmpBuffer", "count", "calIndex"]
    assert first.required == 4
    assert first.parameters[-1].default == "false"
    assert first.scope == "AscendC"
    assert entry.dtypes[:2] == ("half", "float")  # then those of registers


def test_a_method_is_found_with_the_class_it_belongs_to():
    entry = api.lookup("AllocTensor")
    assert entry is not None
    assert entry.kind is ApiKind.METHOD
    assert "AscendC::TQueBind" in {signature.scope for signature in entry.signatures}


def test_a_qualified_name_is_looked_up_by_its_last_part():
    assert api.lookup("AscendC::Add") == api.lookup("Add")
    assert api.lookup("NoSuchOperation") is None


def test_a_page_shows_signature_meaning_types_and_header():
    entry = api.lookup("Adds")
    assert entry is not None
    page = api.page(entry)
    assert page.startswith("```cpp\n")
    assert "scalarValue" in page
    assert "the scalar, of the tensor's element type" in page
    assert "`half`" in page
    assert '#include "kernel_operator.h"' in page


def test_a_structure_is_shown_with_its_fields():
    entry = api.lookup("DataCopyExtParams")
    assert entry is not None
    page = api.page(entry)
    assert "`uint32_t blockLen = 0`" in page


def test_a_deprecated_name_says_what_to_use():
    entry = api.lookup("LoadDataWithStride")
    assert entry is not None
    assert "LoadData3DParamsV2" in entry.deprecated
    assert "**Deprecated:**" in api.page(entry)


def test_no_entry_is_private_and_every_summary_is_one_paragraph():
    for entry in api.all_entries():
        assert not entry.name.startswith(("_", "Kernelgen", "ASC_")), entry.name
        assert "\n" not in entry.summary, entry.name
        assert all("\n" not in signature.text for signature in entry.signatures), entry.name
