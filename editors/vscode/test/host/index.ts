/**
 * Runs inside the real extension host. Results go to the file named by KERNELGEN_TEST_RESULTS, one JSON object a case:
 * the host's own output does not reach the caller.
 */

import { appendFileSync } from "node:fs";
import { cases } from "./cases.ts";

export async function run(): Promise<void> {
  const results = process.env["KERNELGEN_TEST_RESULTS"];
  if (results === undefined) throw new Error("KERNELGEN_TEST_RESULTS is not set");
  const wanted = process.env["KERNELGEN_TEST_ONLY"]?.split("|");
  for (const { name, body } of cases) {
    if (wanted && !wanted.some((part) => name.includes(part))) continue;
    const started = performance.now();
    let error: string | null = null;
    try {
      await body();
    } catch (caught) {
      error = caught instanceof Error ? (caught.stack ?? caught.message) : String(caught);
    }
    appendFileSync(results, `${JSON.stringify({ name, error, ms: Math.round(performance.now() - started) })}\n`);
  }
  appendFileSync(results, `${JSON.stringify({ done: true })}\n`);
}
