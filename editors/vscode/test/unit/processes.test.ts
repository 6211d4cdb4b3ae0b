import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { ended, type ProgramError, runGroup } from "../../src/processes.ts";

const unix = { skip: process.platform === "win32" ? "sh and signals" : false, timeout: 20_000 };

function run(
  script: string,
  signal: AbortSignal = new AbortController().signal,
  printed: (text: string) => void = () => undefined,
) {
  return runGroup("sh", ["-c", script], { cwd: tmpdir(), signal, graceSeconds: 0.1, printed });
}

test("what a program prints is given, and its good end is true", unix, async () => {
  const printed: string[] = [];
  assert.equal(await run("echo one; echo two >&2", undefined, (text) => printed.push(text)), true);
  assert.deepEqual(printed.sort(), ["one", "two"]);
});

test("a program that fails gives its last lines", unix, async () => {
  await assert.rejects(run("echo before; echo 'ERROR: no compiler' >&2; exit 3"), (error: ProgramError) => {
    assert.equal(error.message, "sh ended with 3");
    assert.ok(error.said.includes("ERROR: no compiler"));
    return true;
  });
});

test("cancelling is no error and ends what the program started too", unix, async () => {
  const cancelling = new AbortController();
  // The inner process holds the output open: only its own end lets the run be over.
  assert.equal(await run("sleep 1000 & echo ready; wait", cancelling.signal, () => cancelling.abort()), false);
});

test("a program that does not let itself be interrupted is killed", unix, async () => {
  const cancelling = new AbortController();
  const running = run("trap '' INT; echo ready; while :; do sleep 1; done", cancelling.signal, () =>
    cancelling.abort(),
  );
  assert.equal(await running, false);
});

test("what was cancelled before it began does not begin", unix, async () => {
  assert.equal(await run("exit 1", AbortSignal.abort()), false);
});

test("a program that is not there is an error", unix, async () => {
  await assert.rejects(
    runGroup("/nowhere/python3", [], {
      cwd: tmpdir(),
      signal: new AbortController().signal,
      graceSeconds: 0.1,
      printed: () => undefined,
    }),
    { code: "ENOENT" },
  );
});

test("a process that does not end by itself is killed, one that has ended is not waited for", unix, async () => {
  const child = spawn("sleep", ["1000"]);
  await ended(child, 0.05);
  assert.equal(child.signalCode, "SIGKILL");
  await ended(child, 1000);
});
