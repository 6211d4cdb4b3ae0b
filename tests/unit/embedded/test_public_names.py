"""The table of public names against our declarations: what CANN documents is declared here, or is said not to be."""

from __future__ import annotations

import pytest
from clang import cindex

from kernelgen_ls.folders import DECLARATIONS
from kernelgen_ls.kernel.api.public_names import is_inner_name, is_public_name, public_names
from kernelgen_ls.runner.toolchains.embedded.parser import COMMON_FLAGS

NOT_DECLARED_YET = {
    "aicpu": "kernels of the AI CPU are not AscendC kernels",
    "c": "its headers are read only by kernels in its style",
    "simt": "its headers are read only by kernels in its style",
    "tensor": "its headers are read only by kernels in its style",
    "utils": "host programs and debugging",
}
"""Families that may have names without a declaration, and why."""


NOT_DECLARED_SCOPES = {
    "Conv3dTilingApi": "the host's tiling of convolutions",
    "ConvBackpropApi": "gradients of convolutions",
    "ConvBackpropFilterFunc": "gradients of convolutions",
    "ConvBackpropInputFunc": "gradients of convolutions",
    "Conv3dApi": "convolutions under their names of today",
    "Conv3dApiFunc": "convolutions under their names of today",
    "AscendC::Mc2CcTilingConfig": "the host's tiling of communication",
}
"""Scopes that may have names without a declaration, and why; so may what serves them."""
TENSOR_TRAITS = {"Crd2Idx", "GetLayout", "GetStride", "LiteLayoutType", "LiteType", "MakeTensorTrait", "SetLayout"} | {
    *("TensorTrait", "is_layout", "is_tensorTrait", "tPos", "SK_BIND"),
    *("GetBufHandle", "GetCurBufSize", "SetCurAddr", "SetCurBufSize"),  # EXTERN_IMPL_BUFPOOL declares these
}
"""Tensors that carry a layout, and macros' members."""


@pytest.mark.parametrize(
    "name", ["DataCopyPad", "Ands", "HardEvent", "V_MTE3", "PaddingMode", "Matmul", "LoadData2dTransposeParams"]
)
def test_what_cann_has_is_a_public_name(name: str):
    assert is_public_name(name)


@pytest.mark.parametrize("name", ["Leaky", "DataCopyy", "IsMax", "lenght", "i", "size", ""])
def test_what_cann_has_not_is_none(name: str):
    assert not is_public_name(name)


@pytest.mark.parametrize(
    "name", ["SetSyncBaseAddr", "TOTAL_VEC_LOCAL_SIZE", "vcmpv_le", "mem_dsb_t", "BasicDataCopyImpl"]
)
def test_what_cann_declares_for_itself_is_an_inner_name_and_no_public_one(name: str):
    assert is_inner_name(name)
    assert not is_public_name(name)


@pytest.mark.parametrize("name", ["DataCopyPad", "Leaky", "Process", "CopyIn", "tileLength", "blockLength", "i"])
def test_what_cann_publishes_and_what_kernels_call_their_own_is_no_inner_name(name: str):
    assert not is_inner_name(name)


def test_a_member_is_a_public_name_only_as_a_member():
    assert is_public_name("AllocTensor", member=True)
    assert not is_public_name("AllocTensor")


def test_an_entry_says_what_it_is_and_where_it_is_supported():
    (entry,) = [found for found in public_names()["DataCopyPad"] if found.scope == "AscendC"]
    assert (entry.kind, entry.family, entry.documented) == ("function", "basic", True)
    assert entry.architectures == {"dav-2201", "dav-3002", "dav-3510"}


def test_every_documented_name_is_declared():
    declared = _declared("kernel_operator.h", 220, 2201) | _declared("kernel_operator.h", 310, 3510)
    declared |= _declared("lib/conv_intf.h", 220, 2201) | _declared("kernelgen_host.h", 220, 2201)
    missing = [
        f"{found.scope}::{name}"
        for name, entries in public_names().items()
        for found in entries
        if found.documented and name not in declared | TENSOR_TRAITS and found.family not in NOT_DECLARED_YET
        if not any(found.scope == scope or found.scope.startswith(f"{scope}::") for scope in NOT_DECLARED_SCOPES)
    ]
    assert missing == []


_SCOPES = (
    cindex.CursorKind.NAMESPACE,
    cindex.CursorKind.LINKAGE_SPEC,
    cindex.CursorKind.CLASS_DECL,
    cindex.CursorKind.CLASS_TEMPLATE,
    cindex.CursorKind.STRUCT_DECL,
    cindex.CursorKind.ENUM_DECL,
    cindex.CursorKind.UNION_DECL,
)


def _declared(header: str, core: int, architecture: int) -> set[str]:
    """Every name that ``header`` declares for a chip, whatever its scope, constructors among them."""
    name = "/kernelgen/names.h"
    flags = ["-x", "c++-header", *COMMON_FLAGS[2:], f"-D__CCE_AICORE__={core}", f"-D__NPU_ARCH__={architecture}"]
    options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    unit = cindex.Index.create().parse(name, flags, [(name, f'#include "{header}"\n')], options)
    found: set[str] = set()
    waiting = [unit.cursor]
    while waiting:
        for cursor in waiting.pop().get_children():
            if cursor.location.file is not None and cursor.location.file.name.startswith(str(DECLARATIONS)):
                found.add(cursor.spelling.partition("<")[0])
                if cursor.kind in _SCOPES:
                    waiting.append(cursor)
    return found
