import assert from "node:assert/strict";
import { test } from "node:test";
import { sentSettings } from "../../src/sent.ts";

const section = {
  server: { path: "/opt/kernelgen-ls" },
  completion: { enabled: true, maxLines: 4 },
  check: { enabled: true, chip: "Ascend310P3" },
  runners: { pool: [{ name: "board" }], check: "board", measure: "board", measureOnSave: true },
};

test("a trusted workspace gets every setting but the extension's own", () => {
  const { server: _, ...rest } = section;
  assert.deepEqual(sentSettings(section, true), rest);
});

test("a workspace that is not trusted gets completions: no check, no generation, no runner", () => {
  const sent = sentSettings(section, false);
  assert.deepEqual(sent["completion"], section.completion);
  assert.deepEqual(sent["check"], { enabled: false, chip: "Ascend310P3" });
  assert.deepEqual(sent["generation"], { enabled: false });
  assert.deepEqual(sent["runners"], { pool: [{ name: "board" }], check: "", measure: "", measureOnSave: false });
  assert.equal(section.check.enabled, true, "the user's own settings are left alone");
});
