import "./withoutHost.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type * as vscode from "vscode";

/** The host, proposals in it, an edit to propose, and what is seen of both. */
async function begin() {
  const { host, window } = await import("./hostless.ts");
  const { Proposals } = await import("../../src/proposal.ts");
  host.asked.length = 0;
  host.warned.length = 0;
  host.executed.length = 0;
  window.activeTextEditor = undefined;
  return {
    host,
    window,
    proposals: new Proposals(),
    edit: { entries: () => [[host.file, [{ newText: "new" }]]] } as unknown as vscode.WorkspaceEdit,
    /** The options of each diff that was opened. */
    diffs: () => host.executed.filter(([command]) => command === "vscode.diff").map((call) => call[4]),
    /** Waits until as many questions were asked. */
    asked: async (count: number) => {
      while (host.asked.length < count) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

// The first: reading files ends in it.
test("of two edits that come while files are read, one is left to answer and nothing of the other stays", {
  timeout: 10_000,
}, async () => {
  const { host, proposals, edit } = await begin();
  let shown = 0;
  proposals.onDidShow(() => (shown += 1));
  const answers = [proposals.propose("first", edit), proposals.propose("second", edit)];
  host.finishReading();
  assert.deepEqual(await answers[0], { applied: false, failureReason: "discarded" });
  assert.equal(shown, 1);
  assert.deepEqual(host.asked, ["second. Apply this change?"]);
  proposals.settle("discard");
  assert.deepEqual(await answers[1], { applied: false, failureReason: "discarded" });
  assert.equal(host.context.get("kernelgen.proposalPending"), false);
});

test("a proposal that was discarded can be shown again, with its text", { timeout: 10_000 }, async () => {
  const { host, proposals, edit, asked } = await begin();
  const proposed = proposals.propose("Generate kernel", edit);
  await asked(1);
  proposals.settle("discard");
  await proposed;
  assert.equal(host.context.get("kernelgen.proposalKept"), true);
  const again = proposals.showLast();
  await asked(2);
  assert.deepEqual(host.asked, ["Generate kernel. Apply this change?", "Generate kernel. Apply this change?"]);
  const right = host.executed.at(-1)?.[2];
  assert.equal(proposals.provideTextDocumentContent(right as vscode.Uri), "new");
  proposals.settle("discard");
  await again;
});

test("a proposal that still waits is brought to the front, not asked about twice", { timeout: 10_000 }, async () => {
  const { host, proposals, edit, diffs, asked } = await begin();
  const proposed = proposals.propose("Generate kernel", edit);
  await asked(1);
  await proposals.showLast();
  assert.equal(diffs().length, 2);
  assert.equal(host.asked.length, 1);
  assert.equal(host.context.get("kernelgen.proposalPending"), true);
  proposals.settle("discard");
  await proposed;
});

test("what is known of a kernel stands in the question and in its diff's title, and what is wrong is a warning", {
  timeout: 10_000,
}, async () => {
  const { host, proposals, edit, asked } = await begin();
  const label = "Generate kernel Add: wrong on the twin: case odd tail, y[3, 17] is 0.5 where 0.25 is right";
  const proposed = proposals.propose(label, edit, { wrong: true });
  await asked(1);
  assert.deepEqual(host.asked, [`${label}. Apply it all the same?`]);
  assert.deepEqual(host.warned, host.asked);
  assert.equal(host.executed.find(([command]) => command === "vscode.diff")?.[3], `${label} (kernel.asc)`);
  proposals.settle("discard");
  await proposed;
});

test("where nothing was proposed, that is said", async () => {
  const { host, proposals } = await begin();
  await proposals.showLast();
  assert.deepEqual(host.asked, ["Nothing has been proposed yet."]);
});

for (const [what, file, unasked, takes] of [
  ["nobody asked for leaves the focus in another file", "otherFile", true, false],
  ["nobody asked for takes the focus from the file that it changes", "file", true, true],
  ["nobody asked for takes the focus where there is no editor", undefined, true, true],
  ["was asked for takes the focus", "otherFile", false, true],
] as const) {
  test(`a diff that ${what}`, { timeout: 10_000 }, async () => {
    const { host, window, proposals, edit, diffs, asked } = await begin();
    window.activeTextEditor = file && { document: { uri: host[file] } };
    const proposed = proposals.propose("Generate kernel", edit, { unasked });
    await asked(1);
    assert.deepEqual(diffs(), [takes ? { preview: false } : { preview: false, viewColumn: -2, preserveFocus: true }]);
    proposals.settle("discard");
    await proposed;
  });
}
