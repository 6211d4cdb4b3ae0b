import "./withoutHost.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerStatus } from "../../src/protocol.ts";
import type { Inspected } from "../../src/sent.ts";

/** What is written when the pause is clicked while the server completes or not. */
async function written(inspected: Inspected, enabled: boolean | undefined): Promise<unknown> {
  const { host } = await import("./hostless.ts");
  const { togglePause } = await import("../../src/choose.ts");
  host.inspected = inspected;
  host.written.length = 0;
  await togglePause(
    enabled === undefined ? undefined : ({ completion: { enabled, trigger: "automatic" } } as ServerStatus),
  );
  return host.written[0];
}

test("pause and resume do what they say, whoever decided what holds", async () => {
  const { ConfigurationTarget } = await import("./hostless.ts");
  const name = "completion.enabled";
  // A project's file turned it off, VS Code knows nothing of that.
  assert.deepEqual(await written({}, false), [name, true, ConfigurationTarget.Global]);
  assert.deepEqual(await written({ globalValue: true }, true), [name, false, ConfigurationTarget.Global]);
  // A value of the workspace's would win over the user's.
  assert.deepEqual(await written({ globalValue: true, workspaceValue: false }, false), [
    name,
    true,
    ConfigurationTarget.Workspace,
  ]);
  assert.deepEqual(await written({ workspaceValue: false, workspaceFolderValue: true }, true), [
    name,
    false,
    ConfigurationTarget.WorkspaceFolder,
  ]);
  // No server has said anything yet.
  assert.deepEqual(await written({ globalValue: false }, undefined), [name, true, ConfigurationTarget.Global]);
});
