"""Host and device, and where a pointer points: what the qualifiers of a kernel forbid, as text."""

from __future__ import annotations

import re

import pytest

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

EXPECT = re.compile(r"//\s*expect:\s*(?P<code>[\w/-]+)\s*(?P<text>.*)$")

HEAD = """#include "kernel_operator.h"
using namespace AscendC;
"""

KERNEL = (
    HEAD
    + """
class Kernel {
public:
    __aicore__ inline void Process(GM_ADDR x, uint32_t n)
    {
        @
    }
    GlobalTensor<float> gm;
};
extern "C" __global__ __aicore__ void scale(GM_ADDR x, uint32_t n)
{
    Kernel op;
    op.Process(x, n);
}
"""
)


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def check(toolchain: EmbeddedToolchain, text: str, path: str = "op_kernel/scale.cpp", chip: str = "Ascend910B1"):
    """Exactly the lines with ``// expect: CODE TEXT`` have an error, of that code, that says TEXT."""
    wanted = {}
    for number, line in enumerate(text.split("\n")):
        match = EXPECT.search(line)
        if match:
            wanted[number] = match
    result = toolchain.check(CheckRequest(path, (SourceFile(path, text),), chip))
    errors = [finding for finding in result.findings if finding.severity is Severity.ERROR]
    found = [finding for finding in errors if finding.code.startswith("embedded/")]
    assert {finding.location.range.start.line for finding in found} == set(wanted), result.findings
    for finding in found:
        match = wanted[finding.location.range.start.line]
        assert finding.code == match["code"]
        assert match["text"] in finding.message


def kernel(statement: str, before: str = "") -> str:
    return KERNEL.replace("@", statement).replace(HEAD, HEAD + before)


@pytest.mark.parametrize(
    "statement",
    [
        "uint32_t *p = new uint32_t[4];  // expect: embedded/host-call the device has no heap",
        "auto *p = (uint32_t *)x; delete p;  // expect: embedded/host-call the device has no heap",
        "std::vector<int> v;  // expect: embedded/host-call 'std::vector<int>' is host code",
        "static std::vector<int> v(n);  // expect: embedded/host-call 'std::vector<int>' is host code",
        "std::string s = \"x\";  // expect: embedded/host-call 'std::string' is host code",
        "std::cout << n;  // expect: embedded/host-call 'ostream' is host code",
        "gm.SetValue(0, std::pow(2.0f, 3.0f));  // expect: embedded/host-call 'pow' is host code",
        "void *p = malloc(n);  // expect: embedded/host-call 'malloc' is host code",
        "throw n;  // expect: embedded/host-call the device has no exceptions",
        "try { n++; } catch (...) {}  // expect: embedded/host-call the device has no exceptions",
    ],
)
def test_host_cpp_in_a_kernel_is_an_error(toolchain: EmbeddedToolchain, statement: str):
    includes = "".join(f"#include <{name}>\n" for name in ("vector", "string", "iostream", "cmath", "cstdlib"))
    check(toolchain, kernel(statement, includes))


@pytest.mark.parametrize(
    "statement",
    [
        "uint32_t m = std::min(n, 4u) + std::max<uint32_t>(n, 8); gm.SetValue(0, m);",
        "float f = std::abs(-1.0f) + sqrt(2.0f) + fabsf(1.0f); gm.SetValue(0, f);",
        "alignas(8) char place[4]; auto *q = new (place) uint32_t(n); *q = 1;",
        "constexpr auto pair = std::make_pair(1, 2); gm.SetValue(pair.first, pair.second);",
        "auto twice = [&](uint32_t k) { return k * n; }; gm.SetValue(0, twice(2));",
        'memset(this, 0, sizeof(Kernel)); assert(n > 0); printf("%u\\n", n); AscendC::printf("%u", n);',
    ],
)
def test_what_the_device_has_of_the_library_is_no_error(toolchain: EmbeddedToolchain, statement: str):
    includes = "".join(
        f"#include <{name}>\n" for name in ("algorithm", "cmath", "new", "utility", "cstring", "cassert")
    )
    check(toolchain, kernel(statement, includes))


def test_threads_of_a_later_chip_compute_what_scalar_units_do_not(toolchain: EmbeddedToolchain):
    text = kernel("gm.SetValue(0, std::pow(2.0f, 3.0f));", "#include <cmath>\n")
    check(toolchain, text, chip="Ascend950")


def test_a_function_without_aicore_is_an_error_where_the_device_calls_it(toolchain: EmbeddedToolchain):
    helpers = """
uint32_t Half(uint32_t n) { return n / 2; }
constexpr uint32_t Third(uint32_t n) { return n / 3; }
template <typename T> T Same(T value) { return value; }
struct Tail {
    void Set(uint32_t n) { n_ = n; }
    uint32_t n_;
};
struct Made {
    Made() { n_ = 1; }
    uint32_t n_;
};
void OnlyTheHost() { Half(2); }
"""
    statement = """Tail tail; uint32_t three = Third(9);
        tail.Set(7);  // expect: embedded/host-call 'Set' is host code: a function that runs
        tail.n_ = Half(n);  // expect: embedded/host-call 'Half' is host code
        tail.n_ = Same(n);  // expect: embedded/host-call 'Same' is host code
        Made made;  // expect: embedded/host-call 'Made' is host code
        gm.SetValue(three, made.n_ + tail.n_);"""
    check(toolchain, kernel(statement, helpers))


def test_a_template_is_followed_to_what_it_calls(toolchain: EmbeddedToolchain):
    helpers = """
template <typename T> struct Stage {
    __aicore__ inline void Run() { Step(); }  // expect: embedded/host-call 'Step' is host code
    void Step() {}
};
template <typename T> struct Unused {
    __aicore__ inline void Run() { Step(); }
    void Step() {}
};
"""
    check(toolchain, kernel("Stage<float> stage; stage.Run();", helpers))


def test_qualifiers_of_a_compiler_are_read_like_the_macros(toolchain: EmbeddedToolchain):
    helpers = """
[host, aicore] inline uint32_t Both(uint32_t n) { return n; }
[aicore] inline uint32_t Device(uint32_t n) { return Both(n); }
#define INLINE __forceinline__ [host, aicore]
struct Coordinate {
    INLINE Coordinate(uint32_t n) : n(n) {}
    uint32_t n;
};
inline uint32_t Host() { return Both(1) + Coordinate(2).n; }
"""
    check(toolchain, kernel("gm.SetValue(Both(n), Device(Coordinate(n).n));", helpers))


@pytest.mark.parametrize(
    "statement",
    [
        "gm.SetGlobalBuffer((float *)x, n);  // expect: embedded/address-space __gm__ is missing",
        "gm.SetGlobalBuffer(reinterpret_cast<float *>(n), n);  // expect: embedded/address-space __gm__ is missing",
        "float *p = (__gm__ float *)x; gm.SetValue(0, *p);  // expect: embedded/address-space",
        "__gm__ float *p = (float *)x; gm.SetValue(0, *p);  // expect: embedded/address-space __gm__ is missing",
    ],
)
def test_a_forgotten_gm_is_an_error(toolchain: EmbeddedToolchain, statement: str):
    check(toolchain, kernel(statement))


def test_pointers_to_global_memory_are_used_as_kernels_use_them(toolchain: EmbeddedToolchain):
    helpers = """
struct Shape { uint32_t rows; uint32_t columns[2]; };
template <typename T> __aicore__ inline __gm__ T *At(GM_ADDR base, uint64_t offset)
{
    return reinterpret_cast<__gm__ T *>(base) + offset;
}
template <typename T> __aicore__ inline T Load(const __gm__ T *at) { return *at; }
"""
    statement = """__gm__ Shape *shape = (__gm__ Shape *)x;
        uint32_t rows = shape->rows + shape->columns[1];
        auto first = At<float>(x, n);
        float value = Load(first) + Load<float>((__gm__ float *)gm.GetPhyAddr());
        Shape copy = *shape;
        uint64_t address = reinterpret_cast<uint64_t>(first);
        __gm__ bfloat16_t *b = (__gm__ bfloat16_t *)address;
        bfloat16_t one = *b;
        gm.SetGlobalBuffer((__gm__ float *)x + rows, copy.rows);
        gm.SetValue(0, value + float(one));"""
    check(toolchain, kernel(statement, helpers))


def test_the_host_half_passes_addresses_as_it_has_them(toolchain: EmbeddedToolchain):
    text = (
        "#include <vector>\n#include <iostream>\n"
        + kernel("gm.SetGlobalBuffer((__gm__ float *)x, n);")
        + """
void Launch(uint8_t *x, void *stream, std::vector<float> &values)
{
    scale<<<8, nullptr, stream>>>(x, values.size());
}
void Wrapped(uint32_t blocks, void *stream, __gm__ uint8_t *x) { scale<<<blocks, nullptr, stream>>>(x, 8); }
template <int key> __global__ __aicore__ void keyed(GM_ADDR x) {}
int main()
{
    uint8_t *x = new uint8_t[64];
    std::vector<float> values(8);
    Launch(x, nullptr, values);
    Wrapped(8, nullptr, x);
    try {
        std::cout << values.size() << std::endl;
    } catch (...) {
    }
    auto run = [](GM_ADDR at) { ::keyed<1>(at); };
    run(x);
    delete[] x;
    return 0;
}
"""
    )
    check(toolchain, text, "scale.asc")


def test_a_function_whose_declaration_is_not_understood_is_not_called_host_code(toolchain: EmbeddedToolchain):
    text = kernel("Step();", '#include "catlass/macros.h"\nCATLASS_DEVICE void Step() {}\n')
    path = "op_kernel/scale.cpp"
    result = toolchain.check(CheckRequest(path, (SourceFile(path, text),), "Ascend910B1"))
    assert not [finding for finding in result.findings if finding.code == "embedded/host-call"]


def test_a_project_that_defines_the_qualifiers_away_is_believed(toolchain: EmbeddedToolchain):
    away = "#undef __aicore__\n#define __aicore__\n#undef __gm__\n#define __gm__  // on the host\n"
    helpers = "inline __aicore__ uint32_t Half(uint32_t n) { return n / 2; }\n"
    check(toolchain, kernel("gm.SetGlobalBuffer((__gm__ float *)x, Half(n));", away + helpers))
