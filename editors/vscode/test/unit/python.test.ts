import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  candidates,
  checkScript,
  choosePython,
  explainPip,
  explainVenv,
  minimumPython,
  readCheck,
} from "../../src/python.ts";

const good = { program: "python3", version: "3.11.2", lacks: [] };

test("the oldest Python is the project's own", () => {
  const project = readFileSync("../../pyproject.toml", "utf8");
  assert.equal(/^requires-python = ">=([\d.]+)"$/m.exec(project)?.[1], minimumPython);
});

test("an interpreter tells its version and what it lacks", () => {
  assert.deepEqual(readCheck("python3", "3.11.2\n\n"), good);
  assert.deepEqual(readCheck("python3", "3.11.2\r\nvenv ensurepip\r\n"), { ...good, lacks: ["venv", "ensurepip"] });
  assert.equal(readCheck("python", "Python was not found; run without arguments to install"), undefined);
});

test("this machine's Python answers the question", { skip: process.platform === "win32" }, (t) => {
  let printed: string;
  try {
    printed = execFileSync("python3", ["-c", checkScript], { encoding: "utf8" });
  } catch {
    t.skip("no python3 here");
    return;
  }
  assert.ok(readCheck("python3", printed));
});

test("the selected interpreter comes first", () => {
  assert.deepEqual(candidates("/venv/bin/python", "linux"), ["/venv/bin/python", "python3", "python"]);
  assert.deepEqual(candidates(undefined, "win32"), ["python", "py"]);
});

test("the first interpreter that can make an environment is taken", () => {
  const old = { program: "/old/python", version: "3.8.10", lacks: [] };
  const bare = { program: "python3", version: "3.12.1", lacks: ["ensurepip"] };
  assert.deepEqual(choosePython([old, bare, { ...good, program: "python" }], "linux"), { program: "python" });
  assert.deepEqual(choosePython([{ ...good, version: "4.0.0" }], "linux"), { program: "python3" });
});

/** The remedy for these interpreters. */
function remedy(found: Parameters<typeof choosePython>[0], platform: NodeJS.Platform = "linux"): string {
  const chosen = choosePython(found, platform);
  assert.ok("remedy" in chosen);
  return chosen.remedy;
}

test("where none can, what is wrong is said and what to do", () => {
  assert.match(remedy([]), /No Python was found.*3\.10.*apt install python3 python3-venv.*Install Server again/);
  assert.match(remedy([], "win32"), /winget/);
  assert.match(remedy([{ ...good, version: "3.8.10" }]), /python3 is Python 3\.8\.10.*3\.10 or newer/);
  assert.match(
    remedy([
      { ...good, version: "3.9.99" },
      { ...good, lacks: ["ensurepip"] },
    ]),
    /python3 \(Python 3\.11\.2\) lacks ensurepip.*apt install python3-venv/,
  );
});

test("what pip says is explained with the next step", () => {
  const explained = (...said: string[]) => explainPip(said, "linux");
  assert.match(
    explained("CMake Error: CMAKE_CXX_COMPILER not set, after EnableLanguage", "error: subprocess-exited-with-error"),
    /no C\+\+ compiler.*build-essential/,
  );
  assert.match(
    explained(
      "WARNING: Retrying after connection broken by 'NewConnectionError(...)'",
      "ERROR: No matching distribution found for kernelgen-ls>=0.1.0",
    ),
    /network.*PIP_INDEX_URL/,
  );
  assert.match(explained("ERROR: No matching distribution found for kernelgen-ls>=0.1.0"), /kernelgen\.server\.path/);
  assert.match(
    explained("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"),
    /disk is full/,
  );
  assert.match(explained("ERROR: hash mismatch", "a hint"), /hash mismatch.*log/);
  assert.match(explained(), /nothing was said/);
  assert.match(
    explainVenv(["Error: [Errno 13] Permission denied: '/data/server'"], "/data/server"),
    /Permission denied.*Delete \/data\/server.*Install Server again/,
  );
});
