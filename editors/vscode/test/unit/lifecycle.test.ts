import assert from "node:assert/strict";
import { test } from "node:test";
import { Lifecycle, type Server } from "../../src/lifecycle.ts";

/** A server whose start takes a while, and which cannot be stopped while it starts: as the language client's. */
class FakeServer implements Server {
  state: "new" | "starting" | "running" | "stopped" = "new";
  private readonly behaviour: Behaviour;
  private readonly said: string[];

  constructor(behaviour: Behaviour, said: string[]) {
    this.behaviour = behaviour;
    this.said = said;
  }

  async start(): Promise<void> {
    this.said.push("start");
    this.state = "starting";
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (this.behaviour.start === "fails") throw new Error("no answer");
    this.state = "running";
  }

  async stop(): Promise<void> {
    this.said.push("stop");
    if (this.behaviour.start !== "fails") assert.equal(this.state, "running");
    await new Promise((resolve) => setTimeout(resolve, 5));
    this.state = "stopped";
    if (this.behaviour.stop === "fails") throw new Error("timed out");
  }
}

interface Behaviour {
  start?: "fails";
  stop?: "fails";
  open?: "nothing" | "fails";
}

function lifecycle(behaviour: Behaviour = {}) {
  const servers: FakeServer[] = [];
  const said: string[] = [];
  const life = new Lifecycle<FakeServer>({
    open: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      said.push("open");
      if (behaviour.open === "fails") throw new Error("the search failed");
      if (behaviour.open === "nothing") return undefined;
      const server = new FakeServer(behaviour, said);
      servers.push(server);
      return server;
    },
    failed: (error) => said.push(`failed: ${(error as Error).message}`),
    troubled: (error) => said.push(`troubled: ${(error as Error).message}`),
  });
  const states = () => servers.map((server) => server.state);
  return { life, said, states, servers };
}

test("whoever asks for a start waits for the same one", async () => {
  const { life, said } = lifecycle();
  await Promise.all([life.start(), life.start()]);
  await life.start();
  assert.deepEqual(said, ["open", "start"]);
});

test("a restart during the start waits for it and leaves one server", async () => {
  const { life, states, servers } = lifecycle();
  const starting = life.start();
  await new Promise((resolve) => setTimeout(resolve, 7));
  await Promise.all([starting, life.restart()]);
  assert.deepEqual(states(), ["stopped", "running"]);
  assert.equal(life.current, servers[1]);
});

test("restarts in quick succession leave one server, and start no more than they must", async () => {
  const { life, states } = lifecycle();
  await life.start();
  await Promise.all([life.restart(), life.restart(), life.restart()]);
  assert.deepEqual(states(), ["stopped", "running"]);
});

test("a stop during the start ends what starts, and the next start waits for the end", async () => {
  const { life, states } = lifecycle();
  void life.start();
  await new Promise((resolve) => setTimeout(resolve, 7));
  await life.stop();
  assert.deepEqual(states(), ["stopped"]);
  assert.equal(life.current, undefined);
  await life.start();
  assert.deepEqual(states(), ["stopped", "running"]);
});

test("a server that does not stop as it should is told, and the next starts all the same", async () => {
  const { life, said, states } = lifecycle({ stop: "fails" });
  await life.start();
  await life.restart();
  assert.deepEqual(said, ["open", "start", "stop", "troubled: timed out", "open", "start"]);
  assert.deepEqual(states(), ["stopped", "running"]);
});

test("a server that does not start is told once and ended, and is tried again only after a restart", async () => {
  const { life, said, servers } = lifecycle({ start: "fails" });
  await life.start();
  await life.start();
  assert.deepEqual(said, ["open", "start", "stop", "failed: no answer"]);
  assert.equal(life.current, undefined);
  await life.restart();
  assert.equal(servers.length, 2);
});

for (const open of ["nothing", "fails"] as const) {
  test(`a search that finds ${open === "nothing" ? "no server" : "an error"} is not repeated at every opened file`, async () => {
    const { life, said } = lifecycle({ open });
    await life.start();
    await life.start();
    assert.deepEqual(said, open === "nothing" ? ["open"] : ["open", "failed: the search failed"]);
  });
}

test("work between two servers runs while there is none, starts asked for meanwhile wait, and its error is given", async () => {
  const { life, states } = lifecycle();
  await life.start();
  const seen: string[][] = [];
  const restarting = life.restart(async () => {
    void life.start();
    await new Promise((resolve) => setTimeout(resolve, 7));
    seen.push(states());
    throw new Error("pip failed");
  });
  await assert.rejects(restarting, /pip failed/);
  assert.deepEqual(seen, [["stopped"]]);
  assert.deepEqual(states(), ["stopped", "running"]);
});
