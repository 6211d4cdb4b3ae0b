"""Records of generations, on this machine and only where the user asked for them: what training data is made of.

One JSON object a line. A generation is written when it ends; what the user kept of it is a later line that names it.
A prompt is kept as turns (who says what), so that any model can be trained on it, whatever its template.
``export`` turns them into the two layouts that TRL's trainers read: prompt and completion (SFT), and prompt, chosen
and rejected (DPO).
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from kernelgen_ls.folders import data_folder
from kernelgen_ls.model.generation.candidate import Attempt, Candidate, Generation
from kernelgen_ls.model.prompts import chatml, frame
from kernelgen_ls.model.prompts.task import GeneratedFile
from kernelgen_ls.rpc.wire import to_wire


class ExportFormat(str, Enum):
    """What is exported."""

    SFT = "sft"
    """Prompt and completion: answers that compile and were not found wrong, and errors with what mended them."""
    DPO = "dpo"
    """Prompt, chosen and rejected: for one prompt, an answer as for SFT and one that is none."""


def records_file() -> Path:
    """Where records are kept."""
    return data_folder() / "generations.jsonl"


class Records:
    """Appends to one file. Raises ``OSError`` when it cannot be written: the user asked for records."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, generation: Generation, model: str) -> str:
        """Write a generation; returns its identifier."""
        identifier = uuid.uuid4().hex
        self._append(
            {
                "id": identifier,
                "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "title": generation.title,
                "model": model,
                "profile": generation.profile,
                "seconds": round(generation.seconds, 3),
                "candidates": [_recorded(candidate) for candidate in generation.candidates],
            }
        )
        return identifier

    def kept(self, identifier: str, files: Sequence[GeneratedFile]) -> None:
        """Write what the user kept of a generation: the texts after their own edits; none when it was thrown away."""
        self._append({"kept": identifier, "files": {file.path: file.text for file in files}})

    def _append(self, entry: Mapping[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def candidate_object(candidate: Candidate) -> dict[str, Any]:
    """A candidate as JSON shows it, its attempts in order."""
    return {
        "number": candidate.number,
        "seed": candidate.seed,
        "end": candidate.end.value,
        "written_by": candidate.author.value,
        "problem": candidate.problem,
        "attempts": [attempt_object(attempt) for attempt in candidate.attempts],
    }


def _recorded(candidate: Candidate) -> dict[str, Any]:
    """A candidate as a record keeps it: the prompts as turns."""
    entry = candidate_object(candidate)
    for attempt, kept in zip(candidate.attempts, entry["attempts"], strict=True):
        del kept["prompt"]
        kept["turns"] = [{"role": turn.role.value, "text": turn.text} for turn in attempt.turns]
    return entry


def attempt_object(attempt: Attempt) -> dict[str, Any]:
    """An attempt as JSON shows it; lines and columns of findings count from 1."""
    return {
        "round": attempt.round,
        "prompt": attempt.prompt,
        "answer": attempt.answer,
        "files": {file.path: file.text for file in attempt.files},
        "cut": attempt.cut.value,
        "by_rule": attempt.by_rule,
        "clean": attempt.clean,
        "checked": attempt.checked,
        "check_failed": attempt.outcome.failed,
        "verified": attempt.outcome.verified,
        "verdict": to_wire(attempt.outcome.verdict) if attempt.outcome.verdict is not None else None,
        "latency_us": attempt.outcome.latency_us,
        "findings": [
            {
                "path": finding.location.path,
                "line": finding.location.range.start.line + 1,
                "column": finding.location.range.start.column + 1,
                "severity": finding.severity.value,
                "source": finding.source.value,
                "code": finding.code,
                "message": finding.message,
            }
            for finding in attempt.outcome.findings
        ],
        "tokens": attempt.tokens,
        "prompt_tokens": attempt.prompt_tokens,
        "seconds": round(attempt.seconds, 3),
    }


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """The generations of a file, what was kept of each under ``kept``; a line cut by a crash is skipped."""
    entries: dict[str, dict[str, Any]] = {}
    for line in path.read_text("utf-8").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if "kept" in entry:
            entries.get(entry["kept"], {})["kept"] = entry["files"]
        elif "id" in entry:
            entries[entry["id"]] = entry
    yield from entries.values()


def export(records: Iterable[Mapping[str, Any]], layout: ExportFormat) -> Iterator[dict[str, Any]]:
    """Training examples in TRL's conversational layout, each once."""
    seen: set[str] = set()
    for record in records:
        for example in _examples(record, layout):
            key = json.dumps(example, sort_keys=True)
            if key not in seen:
                seen.add(key)
                yield example


def _examples(record: Mapping[str, Any], layout: ExportFormat) -> Iterator[dict[str, Any]]:
    # What no model was asked for is no example for one.
    attempts = [one for candidate in record["candidates"] for one in candidate["attempts"] if one.get("answer")]
    if layout is ExportFormat.SFT:
        for attempt in attempts:
            if _good(attempt):
                yield {"prompt": _asked(attempt), "completion": _assistant(_answer(attempt))}
        return
    first = [attempt for attempt in attempts if attempt["round"] == 0 and attempt["files"]]
    good = [attempt for attempt in first if _good(attempt)]
    bad = [attempt for attempt in first if attempt["checked"] and not _good(attempt)]
    for rejected in bad:
        chosen = _answer(good[0]) if good else _mended(record, rejected)
        if chosen:
            yield {
                "prompt": _asked(rejected),
                "chosen": _assistant(chosen),
                "rejected": _assistant(rejected["answer"]),
            }


def _good(attempt: Mapping[str, Any]) -> bool:
    """Whether it compiles and nobody has found that it computes something else."""
    return bool(attempt["clean"]) and attempt.get("verified") is not False


def _mended(record: Mapping[str, Any], first: Mapping[str, Any]) -> str:
    """The first answer with its code in the state that its repairs reached, as one answer; empty if none is clean."""
    for candidate in record["candidates"]:
        attempts = candidate["attempts"]
        if not attempts or attempts[0] != first:
            continue
        clean = next((attempt for attempt in attempts if _good(attempt)), None)
        if clean is None:
            return ""
        return _rewritten(first["answer"], clean["files"])
    return ""


def _answer(attempt: Mapping[str, Any]) -> str:
    """The answer that compiles: the model's own, or with the code that a rule made of it."""
    if not attempt.get("by_rule"):
        return str(attempt["answer"])
    return _rewritten(attempt["answer"], attempt["files"])


def _rewritten(answer: str, files: Mapping[str, str]) -> str:
    reasoning, closed, _ = answer.rpartition(frame.THINK_END)
    return f"{reasoning}{closed}\n\n{_framed(files)}" if closed else _framed(files)


def _framed(files: Mapping[str, str]) -> str:
    if len(files) == 1:
        (text,) = files.values()
        return frame.tagged(text)
    return "\n".join(frame.headed(path, text) for path, text in files.items())


def _asked(attempt: Mapping[str, Any]) -> list[dict[str, str]]:
    """The turns of a prompt as TRL has them. Older records hold it as the ChatML that the model read."""
    if "turns" in attempt:
        return [{"role": turn["role"], "content": turn["text"]} for turn in attempt["turns"]]
    turn = chatml.user_turn(attempt["prompt"])
    return [{"role": turn.role.value, "content": turn.text}]


def _assistant(answer: str) -> list[dict[str, str]]:
    content = answer if answer.startswith(frame.THINK) or frame.THINK_END not in answer else frame.THINK + answer
    return [{"role": "assistant", "content": content}]
