import assert from "node:assert/strict";
import { test } from "node:test";
import { isInside, Permissions } from "../../src/permission.ts";

interface Setup {
  trusted?: boolean;
  links?: Record<string, string>;
  memory?: Map<string, unknown>;
}

/** Permissions for the open folder `/ws`, with the questions they asked and a way to answer the last. */
function permissions({ trusted = true, links = {}, memory = new Map() }: Setup = {}) {
  const questions: string[] = [];
  const allowed: string[] = [];
  let answer!: (allowed: boolean | undefined) => void;
  const made = new Permissions({
    memory: {
      get: <T>(key: string) => memory.get(key) as T | undefined,
      update: async (key, value) => void memory.set(key, value),
    },
    folders: () => ["/ws"],
    trusted: () => trusted,
    ask: (program, folder) => {
      questions.push(`${program} in ${folder}`);
      return new Promise((resolve) => (answer = resolve));
    },
    allowed: (program) => allowed.push(program),
    real: (path) => links[path] ?? path,
  });
  const answered = async (value: boolean | undefined) => {
    answer(value);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    of: (program: string, byWorkspace = false) => made.of(program, byWorkspace),
    questions,
    allowed,
    answered,
    memory,
  };
}

const program = "/ws/.venv/bin/kernelgen-ls";

test("a program outside the opened folders needs no permission", () => {
  const { of, questions } = permissions();
  assert.equal(of("/usr/bin/kernelgen-ls"), "granted");
  assert.equal(of("/ws2/bin/kernelgen-ls"), "granted");
  assert.deepEqual(questions, []);
});

test("a program of the opened folder is asked about once, by its name, and runs once that is allowed", async () => {
  const { of, questions, allowed, answered, memory } = permissions();
  assert.equal(of(program), "unanswered");
  assert.equal(of(program), "unanswered");
  assert.deepEqual(questions, [`${program} in /ws`]);
  await answered(true);
  assert.deepEqual(allowed, [program]);
  assert.equal(of(program), "granted");
  assert.equal(permissions({ memory }).of(program), "granted", "the next window remembers it");
  assert.equal(
    permissions({ memory, trusted: false }).of(program),
    "refused",
    "a folder that is trusted no longer runs nothing",
  );
});

test("a refusal is remembered, a question that is put aside is asked again at the next search", async () => {
  const refused = permissions();
  refused.of(program);
  await refused.answered(false);
  assert.deepEqual(refused.allowed, []);
  assert.equal(permissions({ memory: refused.memory }).of(program), "refused");
  const aside = permissions();
  aside.of(program);
  await aside.answered(undefined);
  assert.equal(aside.of(program), "unanswered");
  assert.equal(aside.questions.length, 2);
});

test("an answer holds for the file it named", async () => {
  const { of, questions, answered } = permissions();
  of(program);
  await answered(true);
  assert.equal(of("/ws/other/bin/kernelgen-ls"), "unanswered");
  assert.equal(questions.length, 2);
});

test("a program that the workspace's settings chose is asked about wherever it lies", () => {
  const { of, questions } = permissions();
  assert.equal(of("/elsewhere/bin/kernelgen-ls", true), "unanswered");
  assert.deepEqual(questions, ["/elsewhere/bin/kernelgen-ls in /ws"]);
});

test("links hide nothing", () => {
  assert.equal(
    permissions({ links: { "/home/me/bin/kernelgen-ls": program } }).of("/home/me/bin/kernelgen-ls"),
    "unanswered",
  );
  assert.equal(permissions({ links: { "/ws": "/data/ws" } }).of("/data/ws/.venv/bin/kernelgen-ls"), "unanswered");
});

test("what is not trusted is neither asked about nor run", () => {
  const { of, questions } = permissions({ trusted: false });
  assert.equal(of(program), "refused");
  assert.deepEqual(questions, []);
});

test("inside is below, by whole names", () => {
  assert.ok(isInside("/ws/a", "/ws"));
  assert.ok(isInside("/ws/..a", "/ws"));
  assert.ok(!isInside("/ws", "/ws"));
  assert.ok(!isInside("/ws2/a", "/ws"));
  assert.ok(!isInside("/a", "/ws"));
});
