"""The host's half of a kernel's files: lines marked ``// host`` are in it, and no others."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.host_half import host_half

ENTRY = 'extern "C" __global__ __aicore__ void k(GM_ADDR x) { Scale(x); }\n'


def check(text: str, **headers: str) -> None:
    """Exactly the lines of ``text`` and ``headers`` that are marked ``// host`` begin something of the host's half."""
    texts = {"k.asc": text, **{f"{name}.h": header for name, header in headers.items()}}
    found = host_half(texts)
    for path, source in texts.items():
        starts = {source.count("\n", 0, span.start) for span in found.get(path, ())}
        marked = {number for number, line in enumerate(source.split("\n")) if line.endswith("// host")}
        assert starts == marked, path


@pytest.mark.parametrize(
    "text",
    [
        "void Scale(GM_ADDR x) {}\nint main() { k<<<1, nullptr, nullptr>>>(nullptr); } // host\n",
        "int Twice(int n) { return n; }\nint Scale(GM_ADDR x) { return Twice(1); }\nint Load() { return 1; } // host\n",
        "struct Options { int n; }; // host\nconstexpr int SIZE = 3; // host\nint main() { Options{SIZE}; } // host\n",
        "constexpr int UNUSED = 3;\nint main() {} // host\n",
        "#define CALL Helper()\nvoid Helper() {}\n__aicore__ void Run() { CALL; }\nint main() {} // host\n",
        "#define CHECK Helper()\nvoid Helper() {} // host\nint main() { CHECK; } // host\n",
        "__aicore__ void Run() { Start(); }\nvoid Start() { k<<<1, nullptr, nullptr>>>(nullptr); } // host\n",
        "#define DEVICE __aicore__ inline\nDEVICE void Other() {}\nint main() {} // host\n",
        "class Op {\npublic:\n  __aicore__ void Run() { Step(); }\n  void Step() {}\n  void Print() {} // host\n};\n",
        'namespace app {\nstatic void Show(const char *text) {} // host\n}\nint main() { app::Show(""); } // host\n',
        "[aicore] void Run() {}\n__simt_vf__ void Fill() {}\nint main() {} // host\n",
        "template <typename T> T Half(T x) { return x; } // host\nint main() { return Half(2); } // host\n",
        "struct Point {\n    Point operator+(Point o) { return o; }\n    __aicore__ Point() {}\n    ~Point() {}\n};\n",
        "struct Tensor { int Size() { return 1; } }; // host\nint main() { return Tensor{}.Size(); } // host\n",
    ],
)
def test_what_no_device_code_reaches_is_the_hosts(text: str):
    check(ENTRY + text)


def test_a_member_of_the_same_name_does_not_make_a_function_the_devices():
    check(
        ENTRY + "__aicore__ void Run(Op &op) { op.Init(); }\nvoid Init() {} // host\nint main() { Init(); } // host\n"
    )


def test_a_header_is_the_devices_by_the_kernel_that_includes_it():
    check(
        '#include "tool.h"\n' + ENTRY,
        tool="inline void Scale(GM_ADDR x) {}\nbool ReadFile() { return true; } // host\n",
    )


def test_where_no_function_has_a_qualifier_nothing_is_the_hosts():
    assert host_half({"k.h": "class Op { void Process() {} };\nint main() {}\n"}) == {}


def test_a_function_that_a_broken_text_runs_into_device_code_is_not_the_hosts():
    assert host_half({"k.asc": "int main() { if (1) {\n" + ENTRY}) == {}
