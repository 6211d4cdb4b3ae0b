"""The register-level interface of Ascend 950: right calls have nothing to say, wrong ones an error at their line."""

from __future__ import annotations

import re

import pytest

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

EXPECT = re.compile(r"//\s*expect:\s*(?P<text>.*)$")

FUNCTION = """#include "kernel_operator.h"
using namespace AscendC;

static constexpr MicroAPI::CastTrait widen = {
    MicroAPI::RegLayout::ZERO, MicroAPI::SatMode::UNKNOWN, MicroAPI::MaskMergeMode::ZEROING, RoundMode::UNKNOWN};
static constexpr Reg::DivSpecificMode precise = {Reg::MaskMergeMode::ZEROING, true};

template <typename T>
__simd_vf__ inline void Work(__ubuf__ T *y, __ubuf__ T *x, __ubuf__ half *narrow, __ubuf__ uint32_t *places, uint32_t n)
{
    Reg::RegTensor<T> a, b, c;
    Reg::RegTensor<half> h;
    Reg::RegTensor<uint32_t> index, bits;
    Reg::RegTensor<int64_t, Reg::RegTraitNumTwo> wide;
    Reg::MaskReg mask = Reg::CreateMask<T, Reg::MaskPattern::ALL>(), some, other;
    Reg::UnalignRegForLoad from;
    Reg::UnalignRegForStore to;
    const uint16_t loops = CeilDivision(n, GetVecLen() / sizeof(T));
    for (uint16_t i = 0; i < loops; i++) {
        Reg::MaskReg left = Reg::UpdateMask<T>(n);
        Reg::AddrReg step = Reg::CreateAddrReg<T>(i, 64);
        @
    }
}

__aicore__ inline void Call(LocalTensor<float> y, LocalTensor<float> x, LocalTensor<half> h, LocalTensor<uint32_t> p)
{
    __ubuf__ float *out = (__ubuf__ float *)y.GetPhyAddr();
    __ubuf__ float *in = (__ubuf__ float *)x.GetPhyAddr();
    asc_vf_call<Work<float>>(out, in, (__ubuf__ half *)h.GetPhyAddr(), (__ubuf__ uint32_t *)p.GetPhyAddr(), 128U);
    Copy(y, x, 64);
    __VEC_SCOPE__
    {
        Work<float>(out, in, (__ubuf__ half *)h.GetPhyAddr(), (__ubuf__ uint32_t *)p.GetPhyAddr(), 128U);
    }
}
"""

RIGHT = """
Reg::LoadAlign(a, x + i * 64); Reg::LoadAlign<T, Reg::PostLiteral::POST_MODE_UPDATE>(b, x, 64);
Reg::LoadAlign(c, x, step); Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(h, narrow);
Reg::LoadAlign<T, Reg::LoadDist::DIST_DINTLV_B32>(a, b, x); Reg::LoadAlign<uint32_t>(some, places);
Reg::LoadAlign<T, Reg::DataCopyMode::DATA_BLOCK_COPY>(a, x, 2, left);
Reg::LoadAlign<T, Reg::DataCopyMode::DATA_BLOCK_COPY, Reg::PostLiteral::POST_MODE_UPDATE>(a, x, 2, 8, left);
MicroAPI::DataCopy<T, MicroAPI::PostLiteral::POST_MODE_UPDATE, MicroAPI::LoadDist::DIST_BRC_B32>(a, x, 1);
Reg::LoadUnAlignPre(from, x); Reg::LoadUnAlign(a, from, x, 64); MicroAPI::DataCopyUnAlign(a, from, x, 64);
Reg::StoreUnAlign(y, a, to, 64); Reg::StoreUnAlignPost(y, to, 0); MicroAPI::DataCopyUnAlignPost(y, to, 0);
Reg::StoreAlign(y, a, left); Reg::StoreAlign<T, Reg::StoreDist::DIST_INTLV_B32>(y, a, b, left);
Reg::StoreAlign<T, Reg::PostLiteral::POST_MODE_UPDATE>(y, a, 64, left); Reg::StoreAlign(y, a, step, left);
MicroAPI::DataCopy<T, MicroAPI::StoreDist::DIST_FIRST_ELEMENT_B32>(y, a, left); Reg::StoreAlign(places, some);
Reg::Add(c, a, b, left); Reg::Add<T, Reg::MaskMergeMode::MERGING>(c, a, b, left); Reg::Adds(c, a, 1.0f, left);
Reg::Muls<T, T, Reg::MaskMergeMode::ZEROING>(c, a, 2.0f, left); Reg::Mula(c, a, b, left); Reg::Axpy(c, a, 2.0f, left);
Reg::Div<T, &precise>(c, a, b, left); Reg::Exp(c, a, left); Reg::ExpSub(c, a, b, left); Reg::Abs(c, a, left);
Reg::Add(some, index, bits, bits, left); Reg::AddC(some, index, bits, bits, other, left);
Reg::Mull(index, bits, index, bits, left); Reg::ShiftRights(bits, index, static_cast<int16_t>(3), left);
MicroAPI::Cast<float, half, widen>(a, h, left); Reg::Cast<half, float>(h, a, left);
Reg::Truncate<T, RoundMode::CAST_RINT>(c, a, left); Reg::Select(c, a, b, some); Reg::Select(some, mask, other, left);
Reg::Compare<T, CMPMODE::GT>(some, a, b, left); Reg::Compares<T, CMPMODE::GE>(some, a, 0.0f, left);
Reg::Reduce<Reg::ReduceType::MAX>(b, a, mask); Reg::ReduceSum(b, a, mask); Reg::PairReduceElem(b, a, mask);
Reg::Duplicate(a, 1.0f); Reg::Duplicate(a, 1.0f, left); Reg::Duplicate<T, Reg::HighLowPart::LOWEST>(a, b, left);
Reg::Arange((Reg::RegTensor<int32_t> &)index, 0); Reg::Arange(wide, static_cast<int64_t>(0));
Reg::Squeeze(c, a, some); Reg::Move(c, a, left);
Reg::Gather(c, x, index, left); Reg::Gather(c, a, index); Reg::Scatter(y, a, index, left); Reg::Not(some, mask, left);
MicroAPI::DataCopyGather(c, x, index, left); MicroAPI::DataCopyScatter(y, a, index, left);
Reg::And(index, bits, bits, left);
Reg::Interleave(a, b, a, b); Reg::DeInterleave<T>(some, other, mask, left);
MicroAPI::MaskInterleave<T>(some, other, mask, left);
Reg::Pack((Reg::RegTensor<uint16_t> &)h, bits); Reg::UnPack(some, mask);
Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
"""


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def errors(toolchain: EmbeddedToolchain, text: str, chip: str = "Ascend950") -> dict[int, str]:
    """The errors on ``text``, by zero-based line."""
    result = toolchain.check(CheckRequest("k.cpp", (SourceFile("k.cpp", text),), chip))
    return {
        finding.location.range.start.line: finding.message
        for finding in result.findings
        if finding.severity is Severity.ERROR
    }


def test_the_whole_interface_is_accepted(toolchain: EmbeddedToolchain):
    assert errors(toolchain, FUNCTION.replace("@", RIGHT)) == {}


@pytest.mark.parametrize(
    "statement",
    [
        "Reg::Add(c, a, h, left); // expect: no matching function for call to 'Add'",
        "Reg::Add(c, a, b); // expect: no matching function for call to 'Add'",
        "Reg::Adds(c, a, left); // expect: no matching function for call to 'Adds'",
        "Reg::LoadAlign(x, a); // expect: no matching function for call to 'LoadAlign'",
        "Reg::StoreAlign(y, a, 64, left); // expect: no matching function for call to 'StoreAlign'",
        "Reg::Compare<T, Reg::ReduceType::MAX>(some, a, b, left); // expect: no matching function",
        "Reg::Add(c, a, b, Reg::CreateMask<T>()); // expect: no matching function for call to 'Add'",
        "Reg::LoadUnAlign(a, left, x, 64); // expect: no matching function for call to 'LoadUnAlign'",
        "Reg::Cast<float, half, precise>(a, h, left); // expect: no matching function for call to 'Cast'",
        "Reg::LoadAlgn(a, x); // expect: did you mean",
        "Reg::Exp(index, bits, left); // expect: Exp takes elements of type half, float",
        "Reg::Add<half>(c, a, b, left); // expect: the element type of the call is not that of its registers",
        "Reg::LoadAlign<T, Reg::LoadDist::DIST_BRC>(a, x); // expect: no member named 'DIST_BRC'",
    ],
)
def test_a_wrong_call_is_an_error_at_its_line(toolchain: EmbeddedToolchain, statement: str):
    text = FUNCTION.replace("@", statement)
    wanted = {number: match for number, line in enumerate(text.split("\n")) if (match := EXPECT.search(line))}
    found = errors(toolchain, text)
    assert set(found) == set(wanted)
    assert all(match["text"] in found[line] for line, match in wanted.items()), found


def test_another_chip_has_no_registers(toolchain: EmbeddedToolchain):
    text = '#include "kernel_operator.h"\n__simd_vf__ inline void Work() { AscendC::Reg::RegTensor<float> a; }\n'
    assert errors(toolchain, text) == {}
    assert set(errors(toolchain, text, "Ascend910B1")) == {1}


def test_the_standard_library_has_its_second_name(toolchain: EmbeddedToolchain):
    text = """#include "kernel_operator.h"
using namespace AscendC;
using Sizes = Std::tuple<int32_t, Std::Int<16>>;
static_assert(Std::is_same_v<Std::tuple_element<0, Sizes>::type, int32_t> && Std::tuple_size<Sizes>::value == 2, "");
static_assert(Std::is_one_of_v<half, float, half> && Std::min(3, 4U) == 3 && Std::ceil_align(5, 4) == 8, "");
__aicore__ inline int32_t First(const Sizes &sizes) { return Std::get<0>(sizes) + Std::Int<16>::value; }
"""
    assert errors(toolchain, text, "Ascend910B1") == {}
