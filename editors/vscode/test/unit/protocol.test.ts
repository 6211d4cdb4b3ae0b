import assert from "node:assert/strict";
import { test } from "node:test";
import { isKernelText, isOperatorPath } from "../../src/kernelText.ts";
import { describeGeneration, describeMeasurement, present, type ServerStatus } from "../../src/protocol.ts";

const ready: ServerStatus = {
  state: "ready",
  message: "KernelGen starter",
  detail: "This is the starter model.",
  model: {
    state: "ready",
    name: "kernelgen-starter",
    starter: true,
    progress: 1,
    detail: "",
    prefill: 812,
    decode: 61,
  },
  generationModel: null,
  checker: { state: "ready", detail: "" },
  runners: [{ name: "board", state: "unreachable", detail: "host key changed" }],
  generation: null,
  completion: { enabled: true, trigger: "automatic" },
};

test("the status bar says that the starter is the starter, and that speeds are measured here", () => {
  const shown = present(ready);
  assert.equal(shown.text, "$(sparkle) KernelGen starter");
  assert.match(shown.tooltip, /starter model/);
  assert.match(shown.tooltip, /measured here: 812 tokens\/s read, 61 tokens\/s written/);
  assert.match(shown.tooltip, /Runner board: unreachable. host key changed/);
});

test("a paused, a broken and a starting server look different", () => {
  assert.match(present({ ...ready, completion: { enabled: false, trigger: "automatic" } }).text, /debug-pause/);
  assert.equal(present({ ...ready, state: "error" }).severity, "error");
  assert.match(present(undefined).text, /loading/);
});

test("a generation says candidate, stage, round and tokens", () => {
  assert.equal(
    describeGeneration({
      title: "Generate kernel",
      stage: "repairing",
      candidate: 2,
      candidates: 3,
      round: 1,
      tokens: 812,
    }),
    "candidate 2 of 3, repairing (round 1), 812 tokens",
  );
});

test("a kernel that is written by rule has no candidates to count", () => {
  const generation = { title: "Generate kernel", candidate: 0, candidates: 0, round: 0, tokens: 0 };
  assert.equal(describeGeneration({ ...generation, stage: "by rule" }), "writing by rule");
});

test("kernels and operator hosts are ours, plain C++ is not", () => {
  assert.ok(isKernelText('extern "C" __global__ __aicore__ void add(GM_ADDR x) {}'));
  assert.ok(isKernelText('#include "register/op_def_registry.h"'));
  assert.ok(isKernelText("BEGIN_TILING_DATA_DEF(AddTilingData)"));
  assert.ok(!isKernelText("#include <vector>\nint main() { return 0; }"));
  assert.ok(isOperatorPath("/home/me/add/op_kernel/add.cpp"));
  assert.ok(isOperatorPath("/home/me/add/op_kernel/arch35/add.h"));
  assert.ok(isOperatorPath("C:\\add\\op_host\\add.cpp"));
  assert.ok(!isOperatorPath("/home/me/op_host"));
  assert.ok(!isOperatorPath("/home/me/src/main.cpp"));
});

test("a figure says what it is", () => {
  assert.equal(
    describeMeasurement({ entry: "add", kind: "replayed", medianUs: 12.5, chip: "Ascend910B1" }),
    "add: 12.50 us, replayed on Ascend910B1 (median)",
  );
  assert.equal(
    describeMeasurement({ entry: "add", kind: "measured", medianUs: 1, chip: "", warnings: [] }),
    "add: 1.00 us, measured (median)",
  );
});

test("a figure comes with the notes on it", () => {
  const warnings = ["the device ran at 800 of 1800 MHz", "only 3 of 10 launches were recorded"];
  assert.equal(
    describeMeasurement({ entry: "add", kind: "measured", medianUs: 12.5, chip: "Ascend910B1", warnings }),
    "add: 12.50 us, measured on Ascend910B1 (median); note: the device ran at 800 of 1800 MHz; note: only 3 of 10 launches were recorded",
  );
});
