# ruff: noqa: E501 - the lines of compilers are as long as they are
"""bisheng's messages, written in the documented format, and where the user sees them.

Each project file carries ``// expect: TEXT`` on the line where TEXT must be reported; nothing else may be.
"""

from __future__ import annotations

import re

import pytest

from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.runner.toolchains.cann.compile import entry_location
from kernelgen_ls.runner.toolchains.cann.diagnostics import DiagnosticsParser, Parsed, explain_fault

JOB = "/tmp/job/src/"


def parse(output: str, **files: str) -> Parsed:
    texts = {name.replace("__", "/") + ".cpp": text for name, text in files.items()}
    entry = next(iter(texts))

    def to_project(path: str) -> str | None:
        inside = path.removeprefix(JOB)
        return inside if inside in texts else None

    return DiagnosticsParser(texts, to_project, entry_location(entry, texts[entry])).parse(output)


def check(output: str, **files: str) -> list[Finding]:
    parsed = parse(output, **files)
    assert parsed.infrastructure == ""
    expected = {
        (name.replace("__", "/") + ".cpp", number, match.group(1))
        for name, text in files.items()
        for number, line in enumerate(text.split("\n"))
        if (match := re.search(r"// expect: (.*)$", line))
    }
    found = {(f.location.path, f.location.range.start.line, f.message) for f in parsed.findings}
    for path, line, text in expected:
        assert any((p, n) == (path, line) and text in m for p, n, m in found), (text, found)
    assert len(found) == len(expected), found
    return list(parsed.findings)


KERNEL = """\
#include "kernel_operator.h"
template <typename T> class KernelCast {
public:
    __aicore__ inline void Compute() {
        Cast(y, x, RoundMode::CAST_NONE, 8);{inner}
    }
};
extern "C" __global__ __aicore__ void cast_custom(GM_ADDR x, GM_ADDR y) {{entry}
    KernelCast<half> op;
    op.Compute();
}
"""


def kernel(*, inner: str = "", entry: str = "") -> str:
    marks = {"inner": inner, "entry": entry}
    return re.sub(r"\{(inner|entry)\}", lambda m: f"  // expect: {marks[m[1]]}" if marks[m[1]] else "", KERNEL)


def test_a_plain_error_with_colours_an_indent_and_a_wrapper() -> None:
    wrapper = "[2026-1-2 3:04:05] [ERROR] [ascend910b] cast_custom_0 "
    output = (
        f"{wrapper}  \x1b[1m{JOB}k.cpp:5:9: \x1b[0m\x1b[0;1;31merror: \x1b[0m\x1b[1muse of undeclared identifier 'Cast'"
        f"\x1b[0m\n{wrapper}        Cast(y, x, RoundMode::CAST_NONE, 8);\n{wrapper}\x1b[0;1;32m        ^\x1b[0m\n"
        "1 error generated.\nCommand execution failed, the returnCode is non-zero!\nOutput of ascendc_compiler:\n"
    )
    (finding,) = check(output, k=kernel(inner="use of undeclared identifier 'Cast'"))
    assert (finding.code, finding.severity) == ("bisheng/undeclared", Severity.ERROR)
    at = finding.location.range
    assert (at.start.column, at.end.column) == (8, 12)


def test_an_error_in_an_implementation_header_is_shown_at_the_deepest_user_line() -> None:
    output = f"""\
In file included from {JOB}k.cpp:1:
In file included from /usr/local/Ascend/tikcfw/kernel_operator.h:20:
/usr/local/Ascend/tikcfw/impl/dav_c220/kernel_operator_vec_vconv_impl.h:99:5: error: no matching function for call to 'CastIntrinsicsImpl'
    CastIntrinsicsImpl(dst, src, roundMode, 1);
    ^~~~~~~~~~~~~~~~~~
/usr/local/Ascend/tikcfw/interface/kernel_operator_vec_vconv_intf.cppm:30:5: note: in instantiation of function template specialization 'AscendC::CastImpl<int, half>' requested here
    CastImpl(dst, src);
{JOB}k.cpp:5:9: note: in instantiation of function template specialization 'AscendC::Cast<int, half>' requested here
        Cast(y, x, RoundMode::CAST_NONE, 8);
        ^
{JOB}k.cpp:10:8: note: in instantiation of member function 'KernelCast<half>::Compute' requested here
    op.Compute();
       ^
/usr/local/Ascend/tikcfw/impl/dav_c220/kernel_operator_vec_vconv_impl.h:12:17: note: candidate function not viable: no known conversion from 'int' to 'half'
1 error generated.
"""
    (finding,) = check(output, k=kernel(inner="no conversion between these element types"))
    assert finding.code == "bisheng/unsupported-dtype"
    assert "kernel_operator_vec_vconv_impl.h:99" in finding.message
    assert [(r.location.range.start.line, "KernelCast<half>::Compute" in r.message) for r in finding.related] == [
        (9, True)
    ]


def test_the_reason_a_candidate_was_ignored_is_told() -> None:
    output = f"""\
{JOB}k.cpp:5:9: error: no matching function for call to 'Add'
/x/kernel_operator_intf.h:5:6: note: candidate template ignored: could not match 'LocalTensor' against 'TBuf'
"""
    (finding,) = check(output, k=kernel(inner="take the tensor with its Get<T>()"))
    assert finding.code == "bisheng/wrong-argument"


def test_an_error_in_a_header_without_instantiation_is_shown_at_its_include() -> None:
    text = '#include "kernel_operator.h"\n#include "lib/matmul_intf.h"  // expect: another version\nint x;\n'
    output = f"In file included from {JOB}k.cpp:2:\n/x/lib/matmul_intf.h:3:10: fatal error: 'impl/matmul_v9_intf.h' file not found\n"
    (finding,) = check(output, k=text)
    assert finding.code == "bisheng/missing-header"


@pytest.mark.parametrize(
    ("output", "code", "said"),
    [
        ("ld.lld: error: undefined symbol: Helper(int)\n>>> referenced by k.o\ncceld: ccec ReturnCode: 1\n", "undefined-symbol", "Helper(int)"),
        ("clang: error: linker command failed with exit code 1 (use -v to see invocation)\n", "link", "linker command failed"),
        ("fatal error: error in backend: out of jump/jumpc imm range\n", "too-large", "-cce-aicore-jump-expand=true"),
        ("fatal error: error in backend: Cannot select: t42\n", "backend", "Cannot select"),
        ("clang frontend command failed with exit code 70 (use -v)\n", "compiler-crash", "crashed"),
        ("clang: error: unable to execute command: ccec failed due to signal (use -v)\n", "compiler-crash", "crashed"),
        ("bisheng: error: kernel type of __global__ func 'cast_custom' is not marked\n", "kernel-type", "__vector__"),
    ],
)  # fmt: skip
def test_errors_without_a_line_are_put_on_the_entry_function(output: str, code: str, said: str) -> None:
    (finding,) = check(f"[2026-1-2 3:4:5] [ERROR] [ascend910b] {output}", k=kernel(entry=said))
    assert finding.code == f"bisheng/{code}"
    assert finding.location.range.start.column == KERNEL.split("\n")[7].index("cast_custom")


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("bisheng: error: unsupported option '--npu-arch=dav-2201'\n", "too old for the flag --npu-arch=dav-2201"),
        ("clang: error: Unsupported CCE architecture 'dav-x'\n", "does not know the chip"),
        ("error: unable to open output file: 'No space left on device'\n", "disk is full"),
    ],
)
def test_a_failure_of_the_tools_is_not_a_finding(output: str, said: str) -> None:
    parsed = parse(output, k=kernel())
    assert parsed.findings == () and said in parsed.infrastructure


def test_warnings_keep_their_flag_as_code_and_promoted_ones_are_errors() -> None:
    output = f"""\
{JOB}k.cpp:5:9: warning: 'Cast' is deprecated [-Wdeprecated-declarations]
{JOB}k.cpp:9:5: warning: unused variable 'op' [-Wunused-variable]
{JOB}k.cpp:10:5: error: argument unused during compilation: '-x' [-Werror,-Woption-ignored]
"""
    findings = parse(output, k=kernel()).findings
    assert [(f.severity.value, f.code, f.message) for f in findings] == [
        ("warning", "bisheng/deprecated", "'Cast' is deprecated"),
        ("warning", "bisheng/unused-variable", "unused variable 'op'"),
        ("error", "bisheng/option-ignored", "argument unused during compilation: '-x'"),
    ]


def test_columns_are_code_points_and_fix_its_are_kept() -> None:
    text = "/* 中文注释 😀 */ int ad = ;\n"
    byte = len("/* 中文注释 😀 */ int ".encode()) + 1
    output = f'{JOB}k.cpp:1:{byte}: error: expected expression\nfix-it:"{JOB}k.cpp":{{1:{byte}-1:{byte + 2}}}:"add"\n'
    (finding,) = parse(output, k=text).findings
    assert finding.location.range.start.column == text.index("ad")
    ((edit,),) = [fix.edits for fix in finding.fixes]
    assert (edit.range.start.column, edit.range.end.column, edit.new_text) == (
        text.index("ad"),
        text.index("ad") + 2,
        "add",
    )


def test_equal_errors_are_told_once_and_a_flood_is_cut() -> None:
    output = f"{JOB}k.cpp:5:9: error: same\n" * 50 + "".join(f"{JOB}k.cpp:5:{n}: error: e{n}\n" for n in range(1, 1000))
    findings = parse(output, k=kernel()).findings
    assert len(findings) == 200 and sum(f.message == "same" for f in findings) == 1


def test_a_megabyte_without_a_lines_end_is_read_at_once() -> None:
    assert parse("x" * 1_000_000, k=kernel()) == Parsed(())


def test_lines_beyond_the_file_do_not_break_the_parser() -> None:
    (finding,) = parse(f"{JOB}k.cpp:999999:77: error: at the end\n", k="int x;\n").findings
    assert finding.location.range.start.line <= 1


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("rtStreamSynchronize execution failed, result = 507035", "faulted on a vector core"),
        ("[ERROR] aivec error exception, unaligned UUB addresses", "not aligned to 32 bytes"),
        ("illegal write of size 32 at 0x12", "an access of 32 bytes"),
        ("runtime result = 507015", "507015"),
        ("507046", "did not end"),
        ("everything is well", ""),
    ],
)
def test_faults_of_the_device_are_explained(output: str, said: str) -> None:
    assert said in explain_fault(output)
    assert bool(explain_fault(output)) == bool(said)
