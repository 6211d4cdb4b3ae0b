import assert from "node:assert/strict";
import { test } from "node:test";
import { besidePython, compareVersions, locate, type Probe } from "../../src/locate.ts";

function probe(versions: Record<string, string>, python?: string, path: string[] = ["/usr/bin", "/opt/bin"]): Probe {
  return { version: async (program) => versions[program], selectedPython: async () => python, path: () => path, platform: "linux" };
}

test("the setting alone counts where it is set", async () => {
  const found = await locate("/mine/kernelgen-ls", "/own", probe({ "/mine/kernelgen-ls": "0.3.0", "/usr/bin/kernelgen-ls": "0.2.0" }));
  assert.deepEqual(found, { program: "/mine/kernelgen-ls", version: "0.3.0", origin: "setting" });
});

test("a setting that names something broken is said, never silently replaced", async () => {
  const found = await locate("/mine/kernelgen-ls", "/own", probe({ "/usr/bin/kernelgen-ls": "0.2.0" }));
  assert.deepEqual(found, { broken: "/mine/kernelgen-ls", tried: ["/mine/kernelgen-ls: does not run"] });
});

test("the selected Python comes before PATH, PATH before our own installation", async () => {
  const all = { "/venv/bin/kernelgen-ls": "0.1.0", "/opt/bin/kernelgen-ls": "0.1.0", "/own": "0.1.0" };
  const origin = async (versions: Record<string, string>, python?: string) => {
    const found = await locate("", "/own", probe(versions, python));
    return "origin" in found ? found.origin : "none";
  };
  assert.equal(await origin(all, "/venv/bin/python"), "python");
  assert.equal(await origin(all), "path");
  assert.equal(await origin({ "/own": "0.1.0" }, "/venv/bin/python"), "own");
});

test("a server that is too old is passed over and named", async () => {
  const found = await locate("", "/own", probe({ "/usr/bin/kernelgen-ls": "0.0.9" }));
  assert.ok("tried" in found);
  assert.ok(found.tried.some((line) => line.includes("0.0.9") && line.includes("/usr/bin/kernelgen-ls")));
});

test("versions compare by number", () => {
  assert.ok(compareVersions("0.10.0", "0.9.9") > 0);
  assert.ok(compareVersions("1.0", "1.0.0") === 0);
  assert.ok(compareVersions("0.1.0rc1", "0.1.1") < 0);
});

test("the program lies beside its interpreter", () => {
  assert.equal(besidePython("/venv/bin/python", "linux"), "/venv/bin/kernelgen-ls");
  assert.equal(besidePython("C:\\venv\\Scripts\\python.exe", "win32"), "C:\\venv\\Scripts\\kernelgen-ls.exe");
  assert.equal(besidePython("C:\\Python311\\python.exe", "win32"), "C:\\Python311\\Scripts\\kernelgen-ls.exe");
});
