import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";
import type * as vscode from "vscode";

// There is no host here: the module gets a stand-in for it, in which reading files ends when a test says so.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" ? { url: new URL("../test/unit/hostless.ts", context.parentURL).href, format: "module-typescript", shortCircuit: true } : next(specifier, context),
});

test("of two edits that come while files are read, one is left to answer and nothing of the other stays", { timeout: 10_000 }, async () => {
  const { host } = await import("./hostless.ts");
  const { Proposals } = await import("../../src/proposal.ts");
  const edit = { entries: () => [[host.file, [{ newText: "new" }]]] } as unknown as vscode.WorkspaceEdit;
  const proposals = new Proposals();
  let shown = 0;
  proposals.onDidShow(() => (shown += 1));
  const answers = [proposals.propose("first", edit), proposals.propose("second", edit)];
  host.finishReading();
  assert.deepEqual(await answers[0], { applied: false, failureReason: "discarded" });
  assert.equal(shown, 1);
  assert.deepEqual(host.asked, ["second: apply this change?"]);
  proposals.settle("discard");
  assert.deepEqual(await answers[1], { applied: false, failureReason: "discarded" });
  assert.equal(host.context.get("kernelgen.proposalPending"), false);
});
