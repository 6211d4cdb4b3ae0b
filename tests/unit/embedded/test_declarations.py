"""Our declarations themselves: every header stands alone, chips differ where they should, an implementation fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.folders import DECLARATIONS
from kernelgen_ls.runner.toolchains.embedded.parser import Parser

# What stands below twin/ is for executing, and read through these headers alone.
PUBLIC = sorted(
    path.relative_to(DECLARATIONS).as_posix()
    for path in [*DECLARATIONS.rglob("*.h"), *(DECLARATIONS / "std").iterdir()]
    if path.is_file() and path.relative_to(DECLARATIONS).parts[0] != "twin"
)


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser()


def parse(parser: Parser, text: str, *flags: str) -> list[str]:
    entry = f"{parser.root}/probe.cpp"
    return [diagnostic.message for diagnostic in parser.parse(entry, {entry: text}, flags)]


@pytest.mark.parametrize("header", PUBLIC)
def test_every_header_stands_alone(parser: Parser, header: str):
    name = header.removeprefix("std/")
    assert parse(parser, f"#include <{name}>\n#include <{name}>\n") == []


DEVICE = [header for header in PUBLIC if header.startswith(("ascendc/", "c_api/", "simt_api/", "utils/", "lib/"))]


@pytest.mark.parametrize("header", DEVICE)
def test_headers_of_the_device_can_be_read_beside_the_interface(parser: Parser, header: str):
    entry = f"{parser.root}/probe.cpp"
    texts = {entry: f"#include <{header}>\n"}
    flags = ("-D__CCE_AICORE__=310", "-D__NPU_ARCH__=3510")
    found = parser.parse(entry, texts, flags, "kernel_operator.h", header, device=True)
    assert [diagnostic.message for diagnostic in found] == []


@pytest.mark.parametrize(
    ("core", "arch"), [(100, 1001), (200, 2002), (220, 2201), (300, 3002), (310, 3510)], ids=lambda value: str(value)
)
def test_the_declarations_hold_for_every_chip(parser: Parser, core: int, arch: int):
    flags = (f"-D__CCE_AICORE__={core}", f"-D__NPU_ARCH__={arch}")
    assert parse(parser, '#include "kernel_operator.h"\nusing namespace AscendC;\n', *flags) == []


def test_host_and_kernel_declarations_do_not_collide_with_users_names(parser: Parser):
    text = '#include "register/op_def_registry.h"\n#include "tiling/tiling_api.h"\nstruct Shape {};\nShape shape;\n'
    assert parse(parser, text) == []


def test_an_implementation_can_stand_behind_a_constrained_declaration(parser: Parser):
    text = """#include "kernel_operator.h"
namespace AscendC {
template <typename T>
void RunAdd(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, int32_t) {}
}
void use(AscendC::LocalTensor<float> x) { AscendC::Add(x, x, x, 8); }
"""
    implemented = parse(parser, text, "-DKERNELGEN_EXECUTE(name, arguments)=Run##name arguments;")
    assert implemented == []
    missing = parse(
        parser, text.replace("RunAdd", "RunSub"), "-DKERNELGEN_EXECUTE(name, arguments)=Run##name arguments;"
    )
    assert any("RunAdd" in message for message in missing)


def test_nothing_but_our_own_headers_is_needed(parser: Parser):
    own = {path.name for path in DECLARATIONS.rglob("*") if path.is_file()}
    for path in DECLARATIONS.rglob("*"):
        if path.is_file() and path.relative_to(DECLARATIONS).parts[0] != "twin":
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.startswith("#include"):
                    assert Path(line.split(maxsplit=1)[1].strip('"<>')).name in own, (path, line)
