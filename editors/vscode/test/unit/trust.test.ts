import "./withoutHost.ts";
import assert from "node:assert/strict";
import { test } from "node:test";

const load = async () => ({ ...(await import("./hostless.ts")), ...(await import("../../src/trust.ts")) });

test("a trusted workspace gets what it asks for", async () => {
  const { host, ifTrusted } = await load();
  host.trusted = true;
  assert.equal(await ifTrusted(() => "done"), "done");
  assert.deepEqual(host.asked, []);
});

test("a workspace that is not trusted gets the reason, and the way to trust it", async () => {
  const { host, ifTrusted } = await load();
  host.trusted = false;
  host.answer = "Manage Workspace Trust";
  let done = false;
  assert.equal(await ifTrusted(() => (done = true)), undefined);
  assert.ok(!done);
  assert.match(host.asked.join(), /not trusted.*checks, runs, measures and generates once you trust it/);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(host.executed, [["workbench.trust.manage"]]);
});
