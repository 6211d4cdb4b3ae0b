/** Child processes: waiting for an end, and running one whose whole group ends with it. Knows no VS Code. */

import { type ChildProcess, execFile, spawn } from "node:child_process";

/** Waits until a process has ended; kills it once `seconds` have passed. */
export async function ended(child: ChildProcess, seconds: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    const kill = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    child.once("exit", () => {
      clearTimeout(kill);
      resolve();
    });
  });
}

/** A program that ended with an error; `said` are its last lines. */
export class ProgramError extends Error {
  readonly said: readonly string[];

  constructor(program: string, how: string, said: readonly string[]) {
    super(`${program} ended with ${how}`);
    this.said = said;
  }
}

export interface RunOptions {
  cwd: string;
  /** Aborted, the program and everything it started ends, and the run is over without an error. */
  signal: AbortSignal;
  /** Between asking it to end and killing it. */
  graceSeconds: number;
  /** Each piece of what it prints. */
  printed(text: string, stream: "out" | "error"): void;
}

/** Lines that are kept of what a program prints: enough for what a compiler complains about below pip. */
const keptLines = 400;

/**
 * Runs a program in a process group of its own, so that a compiler that it started ends with it. True when it ended well,
 * false when it was cancelled; rejects where it could not be started or ended with an error.
 */
export async function runGroup(
  program: string,
  args: readonly string[],
  { cwd, signal, graceSeconds, printed }: RunOptions,
): Promise<boolean> {
  if (signal.aborted) return false;
  const windows = process.platform === "win32";
  const child = spawn(program, args, { cwd, detached: !windows, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
  let said: string[] = [];
  const listen = (stream: "out" | "error") => (text: string) => {
    said = [...said, ...text.split(/\r?\n/).filter((line) => line.trim() !== "")].slice(-keptLines);
    printed(text.trimEnd(), stream);
  };
  child.stdout.setEncoding("utf8").on("data", listen("out"));
  child.stderr.setEncoding("utf8").on("data", listen("error"));
  const end = (how: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    if (windows) execFile("taskkill", ["/T", "/F", "/PID", String(child.pid)], () => undefined);
    else killGroup(child.pid, how);
  };
  let kill: NodeJS.Timeout | undefined;
  const cancel = () => {
    // As Ctrl+C does it, for pip takes its temporary folders away then.
    end("SIGINT");
    kill = setTimeout(() => end("SIGKILL"), graceSeconds * 1000);
  };
  signal.addEventListener("abort", cancel);
  try {
    const how = await new Promise<string | undefined>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, by) => resolve(code === 0 ? undefined : (by ?? String(code))));
    });
    if (signal.aborted) return false;
    if (how !== undefined) throw new ProgramError(program, how, said);
    return true;
  } finally {
    clearTimeout(kill);
    signal.removeEventListener("abort", cancel);
    if (signal.aborted) end("SIGKILL");
  }
}

function killGroup(leader: number, how: NodeJS.Signals): void {
  try {
    process.kill(-leader, how);
  } catch {
    // The group is gone already.
  }
}
