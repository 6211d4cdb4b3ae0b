"""``bench typing``: every keystroke of forty lines in a 200-line kernel, through the whole server over stdio.

For each keystroke the document is changed and ghost text asked for; the next key waits for the answer, so that no
request is spared by a pause. Counted are the prompt tokens that the model had to evaluate, the time to the answer, and
who answered: the model or a cache. At a jump the typist comes to rest at the new place, where an editor asks for code
actions, and reads for at most ``--pause`` seconds; what is evaluated ahead meanwhile is counted apart.

Beside it stands what the same keystrokes cost in two other orders of the prompt, with nothing but the longest common
prefix reused: ``llama.vim`` (lines above, lines below, the cursor's line last) and ``naive`` (everything above, then
everything below). Their tokens are counted for every keystroke and timed on a sample. With ``--scripted`` the model is
a script that is right so often; nothing else changes.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import click
from attrs import field, frozen

from kernelgen_ls.bench.drafting import DraftingReport, measure_drafting
from kernelgen_ls.bench.times import percentile
from kernelgen_ls.bench.typing_trace import Kind, Step, Trace, typing_trace
from kernelgen_ls.folders import write_json
from kernelgen_ls.testing.lsp_client import LspClient, running_server
from kernelgen_ls.workspace.discover import neighbours

KERNEL = Path(__file__).parent / "typing_kernel.cpp"
_PREFIX_LINES, _SUFFIX_LINES = 256, 64
_CAPABILITIES = {
    "textDocument": {"inlineCompletion": {"dynamicRegistration": False}},
    "general": {"positionEncodings": ["utf-8"]},
    "workspace": {"configuration": True},
}


@frozen
class Answer:
    """One keystroke: the request's time, prompt tokens evaluated for it, who answered."""

    kind: Kind
    ms: float
    prompt: int
    asked: bool
    cached: bool
    declined: bool
    shown: bool


@frozen
class Distribution:
    """Of one number over many keystrokes."""

    median: float
    p99: float
    total: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Distribution:
        """The distribution of ``values``; zeros for none."""
        if not values:
            return cls(0, 0, 0)
        ordered = sorted(values)
        p99 = percentile(ordered, 0.99)
        return cls(round(statistics.median(ordered), 2), round(p99, 2), round(sum(ordered), 2))


@frozen
class OtherOrder:
    """What the keystrokes cost in another order: tokens for each, ms on a sample of them."""

    tokens: Distribution
    sampled_ms: tuple[float, ...]
    times_ours: float
    """Its tokens over those that our requests had to evaluate."""
    times_ours_with_ahead: float
    """The same, with those that were evaluated ahead of requests on our side."""


@frozen
class TypingReport:
    """What is printed. Tokens are prompt tokens evaluated; shares are of the requests that the policy let through."""

    model: str
    keystrokes: int
    requests: int
    declined: int
    appended_tokens: Distribution
    all_tokens: Distribution
    ms: Distribution
    ms_of_model: Distribution
    share_without_model: float
    share_shown: float
    generated: int
    ahead: int
    """Prompt tokens that were evaluated ahead of requests, while the typist read."""
    others: Mapping[str, OtherOrder] = field(factory=dict)
    drafting: DraftingReport | None = None


@click.command()
@click.option("--model", type=click.Path(exists=True, path_type=Path), help="A GGUF file.")
@click.option("--shape", type=click.Choice(["tiny", "0.6b", "1.7b", "4b"]), default="0.6b", help="Without --model.")
@click.option("--scripted", type=click.FloatRange(0, 1), help="A script instead, right in this share of cases.")
@click.option("--kernel", type=click.Path(exists=True, path_type=Path), default=KERNEL, help="The kernel to type.")
@click.option("--lines", default=40, show_default=True, help="Lines to type.")
@click.option("--max-tokens", default=4, show_default=True, help="Longest proposal of a real model here.")
@click.option("--pause", default=30.0, show_default=True, help="Longest reading at a jump, s; 0: none.")
@click.option("--others/--no-others", default=True, help="Count the other orders too.")
@click.option("--sample", default=2, show_default=True, help="Keystrokes to time in each of the other orders.")
@click.option("--drafting/--no-drafting", default=True, help="Measure a real model with and without drafts too.")
@click.option(
    "--workspace",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of kernels to draft from.",
)
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
def typing(
    model: Path | None,
    shape: str,
    scripted: float | None,
    kernel: Path,
    lines: int,
    max_tokens: int,
    pause: float,
    others: bool,
    sample: int,
    drafting: bool,
    workspace: Path | None,
    output: Path | None,
) -> None:
    """Type a kernel key by key through the whole server."""
    text = kernel.read_text("utf-8")
    trace = typing_trace(text, lines=lines)
    if scripted is not None:
        report = asyncio.run(_scripted(text, trace, scripted, pause))
    else:
        from kernelgen_ls.bench.engine import random_model

        path = model or random_model(shape, "q4_k_m", lambda at: click.echo(f"writing {at}", err=True))
        report = asyncio.run(_with_model(path, trace, max_tokens, pause, others=others, sample=sample))
        if drafting:
            kernels = () if workspace is None else tuple(neighbours(workspace.resolve()).values())
            report = attrs.evolve(report, drafting=asyncio.run(_drafting(path, text, kernels)))
    _show(report)
    if output is not None:
        write_json(output, attrs.asdict(report))


async def _scripted(text: str, trace: Trace, right: float, pause: float) -> TypingReport:
    with tempfile.TemporaryDirectory(prefix="kernelgen-script-") as folder:
        script = Path(folder) / "script.json"
        script.write_text(json.dumps({"documents": [text], "right": right}), encoding="utf-8")
        worker = f"{sys.executable} -m kernelgen_ls.testing.scripted_worker {script}"
        options = {"model": {"path": str(script)}, "completion": {"minimumDelay": 0, "maximumDelay": 0}}
        answers, session = await _type(trace, options, ("--model-worker", worker), pause)
    return _report(f"scripted, right in {right:.0%}", answers, session, {})


async def _with_model(
    path: Path, trace: Trace, max_tokens: int, pause: float, *, others: bool, sample: int
) -> TypingReport:
    options = {
        "model": {"path": str(path)},
        "completion": {"minimumDelay": 0, "maximumDelay": 0, "budget": 60000, "maxTokens": max_tokens},
    }
    answers, session = await _type(trace, options, (), pause)
    ours = sum(answer.prompt for answer in answers)
    counted = await _others(path, trace, ours, int(session["warmed_tokens"]), sample) if others else {}
    return _report(path.name, answers, session, counted)


async def _drafting(path: Path, text: str, others: tuple[str, ...]) -> DraftingReport:
    from kernelgen_ls.model.store import is_starter

    profiles = Path(__file__).parents[1] / "model" / "prompts" / "profiles"
    example = (profiles / "example_kernel.cpp").read_text("utf-8")
    starter = is_starter(path)
    return await measure_drafting(path, text, (example, *others), starter=starter, dictated=not starter)


async def _type(
    trace: Trace, options: Mapping[str, Any], arguments: Sequence[str], pause: float
) -> tuple[list[Answer], Mapping[str, Any]]:
    quiet = {"check": {"enabled": False}}
    async with running_server(arguments) as (client, workspace):
        await client.initialize(workspace, {**options, **quiet}, _CAPABILITIES)
        uri = (workspace / "op_kernel" / "add_rms_norm.cpp").as_uri()
        document = {"uri": uri, "languageId": "cpp", "version": 1, "text": trace.start}
        client.notify("textDocument/didOpen", {"textDocument": document})
        await _until_ready(client)
        before = await _session(client)
        answers = []
        for version, step in enumerate(trace.steps, 2):
            if step.kind is Kind.FIRST and pause:
                await _rest(client, uri, step, pause)
            answer, before = await _key(client, uri, version, step, before)
            answers.append(answer)
        return answers, before


async def _until_ready(client: LspClient) -> None:
    for _ in range(1200):
        status = await client.request("workspace/executeCommand", {"command": "kernelgen.status", "arguments": []})
        state = status["model"]["state"]
        if state in ("ready", "slow"):
            return
        if state in ("failed", "off"):
            raise click.ClickException(f"the model is not there: {status['model']}")
        await asyncio.sleep(0.1)
    raise click.ClickException("the model was not loaded within two minutes")


async def _session(client: LspClient) -> Mapping[str, Any]:
    stats = await client.request("workspace/executeCommand", {"command": "kernelgen.stats", "arguments": []})
    session: Mapping[str, Any] = stats["session"]
    return session


async def _rest(client: LspClient, uri: str, step: Step, pause: float) -> None:
    """Come to rest where the next key will be written, until the model is ready for it or ``pause`` is over."""
    start, _, inserted = step.change
    place = _place(step.text[:start] + step.text[start + len(inserted) :], start)
    context: dict[str, Any] = {"diagnostics": []}
    params = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}
    await client.request("textDocument/codeAction", params)
    until = time.monotonic() + pause
    while time.monotonic() < until and (await _session(client))["warming"]:  # noqa: ASYNC110  # in another process
        await asyncio.sleep(0.1)


async def _key(
    client: LspClient, uri: str, version: int, step: Step, before: Mapping[str, Any]
) -> tuple[Answer, Mapping[str, Any]]:
    start, end, inserted = step.change
    previous = step.text[:start] + ("?" * (end - start)) + step.text[start + len(inserted) :]
    change = {"range": {"start": _place(previous, start), "end": _place(previous, end)}, "text": inserted}
    identifier = {"uri": uri, "version": version}
    client.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
    began = time.perf_counter()
    found = await client.request(
        "textDocument/inlineCompletion",
        {"textDocument": {"uri": uri}, "position": _place(step.text, step.offset), "context": {"triggerKind": 2}},
    )
    ms = (time.perf_counter() - began) * 1000
    after = await _session(client)
    answer = Answer(
        kind=step.kind,
        ms=ms,
        prompt=after["prompt"] - before["prompt"],
        asked=after["asked"] > before["asked"],
        cached=after["from_cache"] > before["from_cache"],
        declined=after["declined"] > before["declined"],
        shown=bool(found and found["items"]),
    )
    return answer, after


def _place(text: str, offset: int) -> dict[str, int]:
    line_start = text.rfind("\n", 0, offset) + 1
    return {"line": text.count("\n", 0, offset), "character": len(text[line_start:offset].encode())}


async def _others(path: Path, trace: Trace, ours: int, ahead: int, sample: int) -> dict[str, OtherOrder]:
    from kernelgen_ls.model.engine.choice import ModelChoice
    from kernelgen_ls.model.engine.local import LocalEngine
    from kernelgen_ls.model.messages import CompleteRequest, Segment, StopRules

    engine = LocalEngine()
    await engine.start(ModelChoice(path=path))
    found: dict[str, OtherOrder] = {}
    try:
        for name, order in (("llama.vim", _llama_vim), ("naive", _naive)):
            counts: list[float] = []
            known: tuple[int, ...] = ()
            for step in trace.steps:
                tokens = (await engine.tokenize((Segment(order(step)),))).tokens
                shorter = min(len(known), len(tokens) - 1)
                common = next((at for at in range(shorter) if known[at] != tokens[at]), shorter)
                counts.append(len(tokens) - common)
                known = tokens
            timed = []
            stride = max(len(trace.steps) // (sample + 1), 1)
            for number in range(1, sample + 1):
                at = min(number * stride, len(trace.steps) - 1)
                for step in trace.steps[at - 1 : at + 1]:
                    prompt = (Segment(order(step)),)
                    request = CompleteRequest(name, prompt, StopRules(), max_tokens=1, heal=False, draft=False)
                    result = await engine.complete(request)
                timed.append(round(result.timings.total_ms, 1))
            total = Distribution.of(counts)
            found[name] = OtherOrder(
                total,
                tuple(timed),
                round(total.total / max(ours, 1), 1),
                round(total.total / max(ours + ahead, 1), 1),
            )
    finally:
        await engine.close()
    return found


def _llama_vim(step: Step) -> str:
    """Lines above, then the rest of the line and the lines below, then the cursor's line."""
    before, after = step.text[: step.offset], step.text[step.offset :]
    above, _, line = before.rpartition("\n")
    prefix = "\n".join(above.split("\n")[-_PREFIX_LINES:])
    suffix = "\n".join(after.split("\n")[: _SUFFIX_LINES + 1])
    return f"<|fim_prefix|>{prefix}\n<|fim_suffix|>{suffix}<|fim_middle|>{line}"


def _naive(step: Step) -> str:
    """Everything before the cursor, then everything after it."""
    before, after = step.text[: step.offset], step.text[step.offset :]
    return f"<|fim_prefix|>{before}<|fim_suffix|>{after}<|fim_middle|>"


def _report(
    name: str, answers: Sequence[Answer], session: Mapping[str, Any], others: Mapping[str, OtherOrder]
) -> TypingReport:
    let_through = [answer for answer in answers if not answer.declined]
    without = sum(not answer.asked for answer in let_through)
    return TypingReport(
        model=name,
        keystrokes=len(answers),
        requests=len(let_through),
        declined=len(answers) - len(let_through),
        appended_tokens=Distribution.of([a.prompt for a in let_through if a.kind is Kind.APPENDED]),
        all_tokens=Distribution.of([a.prompt for a in answers]),
        ms=Distribution.of([a.ms for a in let_through]),
        ms_of_model=Distribution.of([a.ms for a in let_through if a.asked]),
        share_without_model=round(without / max(len(let_through), 1), 3),
        share_shown=round(sum(a.shown for a in let_through) / max(len(let_through), 1), 3),
        generated=int(session["generated"]),
        ahead=int(session["warmed_tokens"]),
        others=others,
    )


def _show(report: TypingReport) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table(title=f"typing: {report.model}, {report.keystrokes} keystrokes, {report.declined} not asked for")
    for column in ("", "median", "p99", "total"):
        table.add_column(column, justify="left" if not column else "right")
    rows = {
        "prompt tokens, appended keys": report.appended_tokens,
        "prompt tokens, all keys": report.all_tokens,
        "ms to the answer": report.ms,
        "ms to the answer, by the model": report.ms_of_model,
    }
    for name, other in report.others.items():
        rows[f"prompt tokens in the order of {name}"] = other.tokens
    for name, values in rows.items():
        table.add_row(name, f"{values.median:.1f}", f"{values.p99:.1f}", f"{values.total:.0f}")
    console.print(table)
    console.print(f"prompt tokens evaluated ahead, while the typist read: {report.ahead}")
    console.print(f"answered without the model: {report.share_without_model:.1%}; shown: {report.share_shown:.1%}")
    if report.drafting is not None:
        drafts = report.drafting
        console.print(
            f"drafting ({'dictated kernel' if drafts.dictated else 'own text'}, {drafts.others} other kernels): "
            f"{drafts.ms_without:.1f} ms a token without, {drafts.ms_with:.1f} with ({drafts.speedup:.2f} "
            f"times as fast; places: median {drafts.median:.2f}, slowest {drafts.slowest:.2f}); "
            f"{drafts.accepted:.0%} of the drafts kept; texts {'identical' if drafts.identical else 'DIFFER'}"
        )
    for name, other in report.others.items():
        console.print(
            f"{name}: {other.times_ours:.0f} times our requests' tokens ({other.times_ours_with_ahead:.1f} times with "
            f"those evaluated ahead); ms a keystroke, sampled: {', '.join(map(str, other.sampled_ms))}"
        )
