"""What a person would notice of the shipped starter: names are the file's own, types match, queues are paired.

The kernels beside this file have names that no training text has; ``⟦...⟧`` marks where the cursor stands and what
belongs there to the end of the line.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from attrs import frozen

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.model.completion.document import DocumentSnapshot
from kernelgen_ls.model.completion.inline_completer import InlineCompleter
from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.store import STARTER
from kernelgen_ls.settings import CompletionSettings

KERNELS = sorted((Path(__file__).parent / "kernels").iterdir())
EXAMPLES = Path(__file__).parents[3] / "examples"
_CURSOR = re.compile(r"⟦(?P<wanted>[^⟧]*)⟧")
_TYPE = re.compile(r"<(half|float|bfloat16_t|int\d+_t)>|sizeof\((\w+)\)|__gm__ (\w+)")


@frozen
class Line:
    """What the editor would show at one cursor, and what belongs there."""

    shown: str
    wanted: str


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine() -> AsyncIterator[LocalEngine]:
    engine = LocalEngine()
    await engine.start(ModelChoice(STARTER, starter=True))
    yield engine
    await engine.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def lines(engine: LocalEngine) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for path in KERNELS:
        marked = path.read_text(encoding="utf-8")
        found[path.name] = []
        for mark in _CURSOR.finditer(marked):
            before = _CURSOR.sub(r"\g<wanted>", marked[: mark.start()])
            after = _CURSOR.sub(r"\g<wanted>", marked[mark.end() :])
            found[path.name].append(Line(await ghost_line(engine, before, after), mark["wanted"]))
    return found


async def ghost_line(engine: LocalEngine, before: str, after: str) -> str:
    completer = InlineCompleter(engine, CompletionSettings(budget=60_000))
    place = Position(before.count("\n"), len(before) - (before.rfind("\n") + 1))
    found = await completer.complete(DocumentSnapshot("op_kernel/k.cpp", 1, before + after), place, manual=True)
    await completer.close()
    return found.text.split("\n")[0] if found else ""


@pytest.mark.asyncio(loop_scope="module")
async def test_lines_follow_the_names_of_the_file(lines: dict[str, list[Line]]) -> None:
    every = [line for found in lines.values() for line in found]
    wrong = [line for line in every if line.shown.strip() != line.wanted.strip()]
    assert len(every) == 36
    assert len(wrong) <= 16, "\n".join(f"{line.shown!r} instead of {line.wanted!r}" for line in wrong)


@pytest.mark.asyncio(loop_scope="module")
async def test_types_are_those_of_the_file(lines: dict[str, list[Line]]) -> None:
    for name, dtype in (("queues.cpp", "half"), ("skeins.cpp", "float")):
        types = ["".join(found) for line in lines[name] for found in _TYPE.findall(line.shown)]
        assert len(types) >= 7 and set(types) == {dtype}


@pytest.mark.parametrize("example", ["gelu_quick", "rms_norm", "softmax", "silu_mul"])
def test_a_generated_kernel_pairs_its_queues(example: str) -> None:
    command = [sys.executable, "-m", "kernelgen_ls", "generate", str(EXAMPLES / example / "api_desc.md")]
    command += ["--model", str(STARTER), "--mode", "static", "--by", "model"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout, done.stderr
    for queue, allocations in _calls(done.stdout, "AllocTensor").items():
        assert _calls(done.stdout, "FreeTensor").get(queue) == allocations, queue


def _calls(kernel: str, method: str) -> dict[str, int]:
    """How often each queue calls a method."""
    found: dict[str, int] = {}
    for queue in re.findall(rf"(\w+)\.{method}\b", kernel):
        found[queue] = found.get(queue, 0) + 1
    return found
