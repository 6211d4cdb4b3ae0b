"""What a kernel's check finds in its headers, through the real server: shown there, and withdrawn with the kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.e2e.lsp.lsp_client import NAMES, Editor, editor

QUIET = {"completion.enabled": False, "generation.enabled": False, "check.onIdle": False}
HEADER = """#pragma once
#include "kernel_operator.h"
template <typename T> __aicore__ inline void Twice(const AscendC::LocalTensor<T> &x) { AscendC::Add(x, x); }
"""
GOOD = HEADER.replace("Add(x, x)", "Adds(x, x, T(1), 8)")
KERNEL = """#include "kernel_operator.h"
#include "twice.h"
extern "C" __global__ __aicore__ void NAME(GM_ADDR x) { AscendC::LocalTensor<half> t; Twice(t); }
"""


def write(one: Editor, name: str, text: str) -> str:
    path = one.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


def shown(one: Editor, uri: str) -> list[types.Diagnostic] | None:
    """What the client shows of a URI: what was published last; None where nothing ever was."""
    published = [list(each.diagnostics) for each in one.published if each.uri == uri]
    return published[-1] if published else None


def related(one: Editor, uri: str) -> list[str]:
    """The messages of what belongs to the findings that the client shows of a URI."""
    return [each.message for found in shown(one, uri) or () for each in found.related_information or ()]


async def show(one: Editor, uri: str, messages: list[str]) -> list[types.Diagnostic]:
    """Wait until the client shows diagnostics with these parts of messages, in order, and nothing else."""

    def found() -> bool:
        now = shown(one, uri)
        return (
            now is not None
            and len(now) == len(messages)
            and all(part in each.message for part, each in zip(messages, now, strict=True))
        )

    await one.until(found)
    return shown(one, uri) or []


async def test_a_finding_in_a_header_is_shown_there_with_the_kernel_that_led_to_it(tmp_path: Path) -> None:
    async with editor(NAMES[0], tmp_path, options=QUIET) as one:
        header = write(one, "op_kernel/twice.h", HEADER)
        kernel = one.open("op_kernel/k.cpp", KERNEL.replace("NAME", "k"))
        (found,) = await show(one, header, ["no matching function for call to 'Add'"])
        assert found.range.start.line == 2
        first = (found.related_information or [])[0]
        assert (first.location.uri, first.location.range.start.line) == (kernel, 1)
        assert "k.cpp" in first.message
        assert shown(one, kernel) == []


@pytest.mark.parametrize("how", ["mended", "no longer included", "closed"])
async def test_it_goes_with_the_kernel(how: str, tmp_path: Path) -> None:
    async with editor(NAMES[1], tmp_path, options=QUIET) as one:
        header = write(one, "op_kernel/twice.h", HEADER)
        text = KERNEL.replace("NAME", "k")
        kernel = one.open("op_kernel/k.cpp", text)
        await show(one, header, ["no matching function"])
        if how == "closed":
            one.close(kernel)
        elif how == "mended":
            write(one, "op_kernel/twice.h", GOOD)
            one.save(kernel)
        else:
            one.change(kernel, 2, text.replace('#include "twice.h"\n', "").replace("Twice(t);", ""))
            one.save(kernel)
        await show(one, header, [])


async def test_a_header_that_is_open_too_has_it_once(tmp_path: Path) -> None:
    async with editor(NAMES[2], tmp_path, options=QUIET) as one:
        write(one, "op_kernel/twice.h", HEADER)
        kernel = one.open("op_kernel/k.cpp", KERNEL.replace("NAME", "k"))
        other = one.open("op_kernel/other.cpp", KERNEL.replace("NAME", "other"))
        header = one.open("op_kernel/twice.h", HEADER)
        await one.diagnostics(header, 1)
        await show(one, header, ["no matching function"])
        one.close(header)
        one.save(kernel)
        await show(one, header, ["no matching function"])
        one.close(kernel)
        await show(one, header, ["no matching function"])
        one.close(other)
        await show(one, header, [])


@pytest.mark.parametrize("edited", [False, True])
async def test_a_header_that_was_only_looked_at_has_it_still(edited: bool, tmp_path: Path) -> None:
    async with editor(NAMES[0], tmp_path, options=QUIET) as one:
        header = write(one, "op_kernel/twice.h", HEADER)
        one.open("op_kernel/k.cpp", KERNEL.replace("NAME", "k"))
        await show(one, header, ["no matching function"])
        one.open("op_kernel/twice.h", HEADER)
        await one.until(lambda: not any("k.cpp" in each for each in related(one, header)))  # its own check's
        if edited:
            one.change(header, 2, GOOD)
        before = len(one.published)
        one.close(header)
        await one.until(lambda: any(each.uri == header for each in one.published[before:]))
        await show(one, header, [] if edited else ["no matching function"])


async def test_an_edit_of_the_header_withdraws_what_it_touches_and_moves_the_rest(tmp_path: Path) -> None:
    async with editor(NAMES[0], tmp_path, options=QUIET | {"check.onSave": False}) as one:
        header = one.open("op_kernel/twice.h", GOOD)
        await show(one, header, [])
        one.change(header, 2, HEADER)
        one.open("op_kernel/k.cpp", KERNEL.replace("NAME", "k"))
        await show(one, header, ["no matching function"])
        one.change(header, 3, "// above\n" + HEADER)
        assert await one.until(lambda: [each.range.start.line for each in shown(one, header) or []] == [3])
        one.change(header, 4, "// above\n" + GOOD)
        await show(one, header, [])
