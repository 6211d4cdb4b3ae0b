import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { answeredSettings, holds, isSet, sentSettings, settingNames } from "../../src/sent.ts";

const set = {
  "completion.maxLines": 4,
  "check.enabled": true,
  "check.chip": "Ascend310P3",
  "runners.check": "board",
  "runners.pool": [{ name: "board" }],
};

test("a setting is set where somebody gave it a value, an empty or a default one too", () => {
  assert.ok(isSet({ globalValue: "" }));
  assert.ok(isSet({ workspaceValue: false }));
  assert.ok(isSet({ workspaceFolderValue: 0 }));
  assert.ok(!isSet({ globalValue: undefined }));
  assert.ok(!isSet(undefined));
});

test("a change is written where the value that holds stands", () => {
  assert.equal(holds({ globalValue: true, workspaceValue: false, workspaceFolderValue: true }), "folder");
  assert.equal(holds({ globalValue: true, workspaceValue: false }), "workspace");
  assert.equal(holds({ globalValue: true }), "user");
  assert.equal(holds(undefined), "user");
});

test("a trusted workspace's server gets what is set and nothing else", () => {
  assert.deepEqual(sentSettings(set, true), set);
  assert.deepEqual(sentSettings({}, true), {});
});

test("a workspace that is not trusted gets completions: no check, no generation, no runner, whoever set them", () => {
  const off = {
    "check.enabled": false,
    "generation.enabled": false,
    "runners.check": "",
    "runners.measure": "",
    "runners.measureOnSave": false,
    "twin.lens": false,
    "twin.onSave": "off",
  };
  assert.deepEqual(sentSettings({}, false), off);
  assert.deepEqual(sentSettings(set, false), { ...set, ...off });
  assert.equal(set["check.enabled"], true, "the user's own settings are left alone");
});

test("an answer takes back what was sent at the start and is set no longer", () => {
  const atStart = { "completion.maxLines": 4, "check.chip": "Ascend310P3" };
  assert.deepEqual(answeredSettings(atStart, { "check.chip": "Ascend910B1", "log.level": "info" }, true), {
    "completion.maxLines": null,
    "check.chip": "Ascend910B1",
    "log.level": "info",
  });
  assert.deepEqual(answeredSettings({}, {}, true), {});
  assert.equal(answeredSettings({ "check.enabled": true }, {}, false)["check.enabled"], false);
});

test("the server's settings are those of the manifest but for where the server lies", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const names = settingNames(manifest.contributes.configuration.properties);
  assert.ok(names.includes("completion.enabled") && names.includes("runners.measureOnSave"));
  assert.deepEqual(
    names.filter((name) => name.startsWith("server.") || name.startsWith("kernelgen.")),
    [],
  );
});
