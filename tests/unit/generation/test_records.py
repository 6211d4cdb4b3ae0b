"""Records in, training examples out."""

import json
from pathlib import Path

from attrs import evolve
from click.testing import CliRunner

from kernelgen_ls.cli.records import records as command
from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.model.generation.candidate import Attempt, Candidate, CheckOutcome, End, Generation
from kernelgen_ls.model.generation.records import ExportFormat, Records, export, read_records
from kernelgen_ls.model.messages import Role, Turn
from kernelgen_ls.model.prompts.task import GeneratedFile

ERROR = Finding(
    Location("op_kernel/k.cpp", Range(Position(2, 4), Position(2, 8))), Severity.ERROR, "no such name", FoundBy.EMBEDDED
)


def attempt(number: int, code: str, *findings: Finding, prompt: str = "write it") -> Attempt:
    return Attempt(
        round=number,
        prompt=f"[INST] {prompt} [/INST]",
        turns=(Turn(Role.USER, (prompt[:2], prompt[2:])),),
        answer=f"hm\n</think>\n\n<kernel_impl>\n```cpp\n{code}\n```\n</kernel_impl>",
        reasoning="hm",
        files=(GeneratedFile("op_kernel/k.cpp", code + "\n"),),
        outcome=CheckOutcome(findings),
    )


REPAIRED = Candidate(1, 1, (attempt(0, "bad", ERROR), attempt(1, "good", prompt="mend it")), End.CLEAN)
GENERATION = Generation("Generate kernel K", "zh", (REPAIRED,), 1.5)


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def assistant(code: str) -> list[dict[str, str]]:
    text = f"<think>hm\n</think>\n\n<kernel_impl>\n```cpp\n{code}\n```\n</kernel_impl>"
    return [{"role": "assistant", "content": text}]


def test_error_to_fix_pairs_and_preferences(tmp_path: Path) -> None:
    file = tmp_path / "data" / "generations.jsonl"
    store = Records(file)
    identifier = store.add(GENERATION, "tiny")
    store.add(GENERATION, "tiny")
    store.kept(identifier, (GeneratedFile("op_kernel/k.cpp", "mine"),))
    with file.open("a") as lines:
        lines.write('{"id": "cut by a cra')
    first = next(read_records(file))
    assert first["kept"] == {"op_kernel/k.cpp": "mine"}
    assert first["candidates"][0]["attempts"][0]["findings"][0]["line"] == 3
    assert list(export(read_records(file), ExportFormat.SFT)) == [
        {"prompt": user("mend it"), "completion": assistant("good")}
    ]
    assert list(export(read_records(file), ExportFormat.DPO)) == [
        {"prompt": user("write it"), "chosen": assistant("good"), "rejected": assistant("bad")}
    ]


def test_a_prompt_is_kept_as_turns_whatever_the_model_read(tmp_path: Path) -> None:
    file = tmp_path / "generations.jsonl"
    system = evolve(attempt(0, "good"), turns=(Turn(Role.SYSTEM, ("be brief",)), Turn(Role.USER, ("write it",))))
    Records(file).add(Generation("t", "zh", (Candidate(1, 1, (system,), End.CLEAN),), 1.0), "tiny")
    kept = json.loads(file.read_text("utf-8"))["candidates"][0]["attempts"][0]
    assert kept["turns"] == [{"role": "system", "text": "be brief"}, {"role": "user", "text": "write it"}]
    assert "prompt" not in kept
    (example,) = export(read_records(file), ExportFormat.SFT)
    assert example["prompt"] == [{"role": "system", "content": "be brief"}, *user("write it")]


OLD_PROMPT = "<|im_start|>user\nwrite <|im_end|> as text<|im_end|>\n<|im_start|>assistant\n<think>"


def test_records_of_written_prompts_still_export(tmp_path: Path) -> None:
    file = tmp_path / "generations.jsonl"
    clean = Candidate(1, 1, (attempt(0, "good"),), End.CLEAN)
    Records(file).add(Generation("t", "zh", (clean,), 1.0), "tiny")
    entry = json.loads(file.read_text("utf-8"))
    (old,) = entry["candidates"][0]["attempts"]
    del old["turns"]
    old["prompt"] = OLD_PROMPT
    file.write_text(json.dumps(entry) + "\n", "utf-8")
    (example,) = export(read_records(file), ExportFormat.SFT)
    assert example == {"prompt": user("write <|im_end|> as text"), "completion": assistant("good")}


def test_a_clean_sibling_is_the_chosen_one(tmp_path: Path) -> None:
    file = tmp_path / "generations.jsonl"
    clean = Candidate(2, 2, (attempt(0, "better"),), End.CLEAN)
    Records(file).add(Generation("t", "zh", (clean, REPAIRED), 1.0), "tiny")
    (example,) = export(read_records(file), ExportFormat.DPO)
    assert (example["chosen"], example["rejected"]) == (assistant("better"), assistant("bad"))


def test_what_a_rule_mended_is_the_completion(tmp_path: Path) -> None:
    file = tmp_path / "generations.jsonl"
    ruled = evolve(attempt(0, "written"), files=(GeneratedFile("op_kernel/k.cpp", "mended\n"),), by_rule=True)
    Records(file).add(Generation("t", "zh", (Candidate(1, 1, (ruled,), End.CLEAN),), 1.0), "tiny")
    (example,) = export(read_records(file), ExportFormat.SFT)
    assert example["completion"] == assistant("mended")


def test_the_command(tmp_path: Path) -> None:
    file, out = tmp_path / "generations.jsonl", tmp_path / "sft.jsonl"
    missing = CliRunner().invoke(command, ["export", "--format", "sft", "--records", str(file)])
    assert missing.exit_code == 2
    assert "generation.records" in missing.output
    Records(file).add(GENERATION, "tiny")
    done = CliRunner().invoke(command, ["export", "--format", "sft", "--records", str(file), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert json.loads(out.read_text("utf-8"))["prompt"] == user("mend it")
