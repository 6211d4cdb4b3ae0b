/**
 * Runs inside the real extension host. Results go to the file named by KERNELGEN_TEST_RESULTS, one JSON object a case:
 * the host's own output does not reach the caller.
 */

import { appendFileSync } from "node:fs";
import * as vscode from "vscode";
import { cases } from "./cases.ts";
import { untrustedCases } from "./untrusted.ts";

/** A case that hangs fails alone: what it waited for would otherwise take the others with it. */
const caseSeconds = 240;

async function within(seconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new Error(`not done after ${seconds} s`)), seconds * 1000)),
  );
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Nothing of one case may wait for an answer in the next.
    await vscode.commands.executeCommand("kernelgen.discardProposal");
  }
}

export async function run(): Promise<void> {
  const results = process.env["KERNELGEN_TEST_RESULTS"];
  if (results === undefined) throw new Error("KERNELGEN_TEST_RESULTS is not set");
  const wanted = process.env["KERNELGEN_TEST_ONLY"]?.split("|");
  const all = process.env["KERNELGEN_TEST_CASES"] === "untrusted" ? untrustedCases : cases;
  for (const { name, body } of all) {
    if (wanted && !wanted.some((part) => name.includes(part))) continue;
    const started = performance.now();
    let error: string | null = null;
    try {
      await within(caseSeconds, body());
    } catch (caught) {
      error = caught instanceof Error ? (caught.stack ?? caught.message) : String(caught);
    }
    appendFileSync(results, `${JSON.stringify({ name, error, ms: Math.round(performance.now() - started) })}\n`);
  }
  appendFileSync(results, `${JSON.stringify({ done: true })}\n`);
}
