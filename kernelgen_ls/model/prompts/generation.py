"""Prompts for whole kernels: the profile that a model wants.

A profile of words is a folder of text files under ``profiles`` (``zh`` is the language KernelGen-LM was trained in,
with the headings it knows; ``en`` says the same in English). What many prompts have in common comes first, as
segments of its own, so that its evaluated state can be kept. The starter's prompts are code (``starter``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, ClassVar, Protocol

from attrs import frozen

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.model.messages import Conversation, ModelInfo, Role, Segment, Turn
from kernelgen_ls.model.prompts import chatml, frame, starter
from kernelgen_ls.model.prompts.chat import CHATML, ChatFormat
from kernelgen_ls.model.prompts.task import (
    GeneratedFile,
    GenerationTask,
    RepairTask,
    hardware_ini,
)
from kernelgen_ls.settings import GenerationMode, PromptProfile

WINDOW_LINES = 4
MOST_ERRORS = 6


@frozen
class GenerationPrompt:
    """A prompt ready to send. ``shared`` counts its leading segments that other prompts begin with too.

    ``turns`` are what records keep; ``conversation`` is the prompt for an engine that writes turns itself, None where
    no other writing will do. ``thinking`` says that the prompt left the reasoning open. ``whole_files`` says that the
    answer has the frame of whole files; otherwise ``apply`` makes the new text of ``path`` from an answer.
    """

    segments: tuple[Segment, ...]
    turns: tuple[Turn, ...]
    conversation: Conversation | None = None
    shared: int = 0
    thinking: bool = True
    whole_files: bool = True
    path: str = ""
    apply: Callable[[str], str] | None = None
    restore: Callable[[str], str] | None = None
    """What makes the user's own text of an answer, where the prompt speaks in other names."""
    max_tokens: int = 0
    """A tighter limit than the user's, where the answer is known to be short; 0: none."""


class Profile(Protocol):
    """How one kind of model is asked."""

    @property
    def name(self) -> str:
        """What records and the JSON output call it."""

    @property
    def repairs_a_round(self) -> int:
        """How many of its repairs stand for one round of rewriting whole files."""

    @property
    def surest_first(self) -> bool:
        """Whether its first answer is to be its likeliest one, and not drawn."""

    def generation(self, task: GenerationTask) -> GenerationPrompt:
        """Write an operator."""

    @property
    def candidates(self) -> int:
        """How many kernels are tried where the user names no number: more of a model that writes one in seconds."""

    def repair(self, task: RepairTask) -> GenerationPrompt | None:
        """Mend files that do not compile, or whose run was wrong; None where such a model cannot be asked for it."""


@frozen
class TextProfile:
    """A profile of text files. ``wrapped`` puts the prompt between a literal ``\\(`` and ``)``.

    KernelGen-LM's published benchmark client does that by a slip of escaping; it is off unless its figures are to be
    reproduced to the letter.
    """

    name: str
    wrapped: bool = False
    chat: ChatFormat = CHATML
    """How the model wants turns written."""
    repairs_a_round: ClassVar[int] = 1
    surest_first: ClassVar[bool] = False
    candidates: ClassVar[int] = 4

    def generation(self, task: GenerationTask) -> GenerationPrompt:
        """The benchmark's prompt: kernel alone (one case or a table of them), or host, tiling and kernel."""
        full = task.mode is GenerationMode.FULL
        kind = "full" if full else "kernel"
        shared = self._text(f"{kind}_shared") + ("" if full else self._example())
        words = Template(self._text(f"{kind}_task")).substitute(
            api_desc=task.api_desc.strip(),
            cases=task.cases.strip(),
            hardware=hardware_ini(task.chip),
            kernel=task.kernel,
            templates=_headed_templates(task) if full else frame.tagged(_shown_entry(task.kernel_template).strip()),
        )
        return self._chat(shared, words)

    def repair(self, task: RepairTask) -> GenerationPrompt:
        """The compile log, or the report of a wrong run, the lines around its errors, the declarations, the sources."""
        kind = "correct" if task.mismatches else "repair"
        words = Template(self._text(f"{kind}_task")).substitute(
            log="\n".join((*task.mismatches, *_logged(task))),
            windows="\n".join(_windows(task)) or "-",
            signatures="\n".join(task.signatures) or "-",
            sources=_framed(task.files, task.kernel_path),
            formula=task.formula or "-",
        )
        return self._chat(self._text(f"{kind}_shared"), words)

    def _chat(self, shared: str, words: str) -> GenerationPrompt:
        opened, closed = ("\\(", ")") if self.wrapped else ("", "")
        asked = Turn(Role.USER, (opened + shared, words.strip() + closed))
        conversation = Conversation((asked,), thinking=True, shared=1)
        written = self.chat.written(conversation)
        return GenerationPrompt(
            written.segments, conversation.turns, conversation, shared=written.shared, thinking=written.thinking
        )

    def _example(self) -> str:
        return Template(self._text("kernel_example")).substitute(
            api_desc=_file("example_api_desc.md").strip(),
            case=_file("example_case.txt").strip(),
            answer=frame.tagged(_file("example_kernel.cpp").strip()),
        )

    def _text(self, name: str) -> str:
        return _file(f"{self.name}/{name}.txt")


@frozen
class StarterProfile:
    """The small model that ships: compact prompts of its own, repairs line by line."""

    name: ClassVar[str] = "starter"
    repairs_a_round: ClassVar[int] = 3
    surest_first: ClassVar[bool] = True
    candidates: ClassVar[int] = 8

    def generation(self, task: GenerationTask) -> GenerationPrompt:
        """A kernel from the specification's few facts."""
        shapes = (t.shape for t in task.inputs if t.shape and not t.vector)
        spec = starter.StarterSpec(
            name=task.kernel,
            formula=task.formula,
            inputs=tuple(starter.StarterParameter(t.name, kernel_type(t.dtype), t.vector) for t in task.inputs),
            outputs=tuple(starter.StarterParameter(t.name, kernel_type(t.dtype)) for t in task.outputs),
            attributes=task.attributes,
            shape=next(shapes, ()),
        )
        return _starter_prompt(
            starter.generation_prompt(spec),
            restore=lambda answer: starter.restored(answer, spec),
            max_tokens=_STARTER_TOKENS,
        )

    def repair(self, task: RepairTask) -> GenerationPrompt | None:
        """The first error's lines, rewritten."""
        if not task.findings:
            return None
        finding = task.findings[0]
        path, line = finding.location.path, finding.location.range.start.line
        source = next((file.text for file in task.files if file.path == path), task.files[0].text)
        return _starter_prompt(
            starter.repair_prompt(source, line, finding.message),
            thinking=False,
            whole_files=False,
            path=path,
            apply=lambda answer: starter.apply_repair(source, line, answer),
            max_tokens=_STARTER_REPAIR_TOKENS,
        )


_STARTER_TOKENS = 2048
_STARTER_REPAIR_TOKENS = 160


def _starter_prompt(segments: tuple[Segment, ...], **more: Any) -> GenerationPrompt:
    """A prompt that is written in one way only: its turns are read back from it."""
    turn = chatml.user_turn("".join(segment.text for segment in segments))
    return GenerationPrompt(segments, (turn,), **more)


def kernel_type(dtype: str) -> str:
    """The C++ type of a dtype as PyTorch, ONNX or CANN spell it; an unknown one is returned as it is."""
    known = find_dtype(dtype)
    return (known.kernel if known is not None else "") or dtype


def profile_for(model: ModelInfo, wanted: PromptProfile = PromptProfile.AUTO, *, wrapped: bool = False) -> Profile:
    """The profile for ``model``; ``wanted`` wins unless it is ``auto``."""
    if wanted is PromptProfile.AUTO:
        wanted = PromptProfile.STARTER if model.starter else PromptProfile.CHINESE
    if wanted is PromptProfile.STARTER:
        return StarterProfile()
    return TextProfile(wanted.value, wrapped, ChatFormat.of(model))


@cache
def _file(name: str) -> str:
    return files("kernelgen_ls.model.prompts").joinpath("profiles", name).read_text("utf-8")


def _headed_templates(task: GenerationTask) -> str:
    """The three files to start from, in the order of the answer."""
    texts = (task.tiling_template, task.host_template, task.kernel_template)
    paths = (*task.host_paths, task.usual_kernel_path)
    return "\n".join(frame.headed(path, text.strip()) for path, text in zip(paths, texts, strict=True))


def _shown_entry(template: str) -> str:
    return re.sub(r",?\s*\bGM_ADDR\s+tiling\b", "", template)


def _logged(task: RepairTask) -> list[str]:
    return [
        f"{finding.location.path}:{finding.location.range.start.line + 1}:"
        f"{finding.location.range.start.column + 1}: error: {finding.message}"
        for finding in task.findings[:MOST_ERRORS]
    ]


def _windows(task: RepairTask) -> list[str]:
    """Each error's lines with their numbers, the erroneous one marked; overlapping windows are shown once."""
    texts = {file.path: file.text.split("\n") for file in task.files}
    shown: list[str] = []
    covered: set[tuple[str, int]] = set()
    for finding in task.findings[:MOST_ERRORS]:
        path, line = finding.location.path, finding.location.range.start.line
        lines = texts.get(path)
        if lines is None or (path, line) in covered:
            continue
        shown.append(f"{path}:")
        for number in range(max(line - WINDOW_LINES, 0), min(line + WINDOW_LINES + 1, len(lines))):
            covered.add((path, number))
            shown.append(f"{'>' if number == line else ' '}{number + 1:5d} | {lines[number]}")
    return shown


def _framed(sources: tuple[GeneratedFile, ...], kernel_path: str) -> str:
    if len(sources) == 1 and sources[0].path == kernel_path:
        return frame.tagged(sources[0].text)
    return "\n".join(frame.headed(file.path, file.text) for file in sources)
