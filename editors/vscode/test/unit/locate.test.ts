import assert from "node:assert/strict";
import { test } from "node:test";
import { besidePython, compareVersions, locate, type Probe } from "../../src/locate.ts";
import type { Permission } from "../../src/permission.ts";

interface World {
  python?: string | undefined;
  byWorkspace?: boolean;
  permissions?: Record<string, Permission>;
  /** Programs whose version was asked for: these ran. */
  ran?: string[];
}

function probe(
  versions: Record<string, string>,
  { python, byWorkspace = false, permissions = {}, ran = [] }: World = {},
): Probe {
  return {
    exists: async (program) => program in versions,
    version: async (program) => {
      ran.push(program);
      return versions[program];
    },
    permission: (program, chosen) => permissions[program] ?? (chosen ? "unanswered" : "granted"),
    selectedPython: async () => (python === undefined ? undefined : { path: python, byWorkspace }),
    path: () => ["/usr/bin", "/opt/bin"],
    platform: "linux",
  };
}

test("the setting alone counts where it is set", async () => {
  const found = await locate(
    "/mine/kernelgen-ls",
    "/own",
    probe({ "/mine/kernelgen-ls": "0.3.0", "/usr/bin/kernelgen-ls": "0.2.0" }),
  );
  assert.deepEqual(found, { program: "/mine/kernelgen-ls", version: "0.3.0", origin: "setting" });
});

test("a setting that names something broken is said, never silently replaced", async () => {
  const found = await locate("/mine/kernelgen-ls", "/own", probe({ "/usr/bin/kernelgen-ls": "0.2.0" }));
  assert.deepEqual(found, { broken: "/mine/kernelgen-ls", tried: ["/mine/kernelgen-ls: does not run"] });
});

test("the selected Python comes before PATH, PATH before our own installation", async () => {
  const all = { "/venv/bin/kernelgen-ls": "0.1.0", "/opt/bin/kernelgen-ls": "0.1.0", "/own": "0.1.0" };
  const origin = async (versions: Record<string, string>, python?: string) => {
    const found = await locate("", "/own", probe(versions, { python }));
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

test("a program that the opened folder chose does not run before that is allowed, not even for its version", async () => {
  const program = "/ws/.venv/bin/kernelgen-ls";
  for (const permission of ["unanswered", "refused"] as const) {
    const ran: string[] = [];
    const world = { python: "/ws/.venv/bin/python", permissions: { [program]: permission }, ran };
    const found = await locate("", "/own", probe({ [program]: "0.1.0", "/usr/bin/kernelgen-ls": "0.1.0" }, world));
    assert.ok("origin" in found && found.origin === "path", "another one is taken");
    const none = await locate("", "/own", probe({ [program]: "0.1.0" }, world));
    assert.ok("tried" in none && none.tried[0]?.startsWith(`${program}: not run`));
    assert.equal(none.asked, permission === "unanswered" ? program : undefined);
    assert.ok(!ran.includes(program));
  }
});

test("a program of the opened folder on PATH does not run either", async () => {
  const ran: string[] = [];
  const found = await locate(
    "",
    "/own",
    probe({ "/opt/bin/kernelgen-ls": "0.1.0" }, { permissions: { "/opt/bin/kernelgen-ls": "refused" }, ran }),
  );
  assert.ok("tried" in found);
  assert.deepEqual(ran, ["/own"]);
});

test("an interpreter that the workspace's settings name is told to the question", async () => {
  const found = await locate(
    "",
    "/own",
    probe({ "/elsewhere/bin/kernelgen-ls": "0.1.0" }, { python: "/elsewhere/bin/python", byWorkspace: true }),
  );
  assert.ok("asked" in found && found.asked === "/elsewhere/bin/kernelgen-ls");
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
