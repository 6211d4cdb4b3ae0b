/** A stand-in for VS Code's API: what the modules under test use of it, and what a test sees and steers of that. */

import type { Inspected } from "../../src/sent.ts";

type Listener = (value: unknown) => unknown;

export class EventEmitter {
  private readonly listeners: Listener[] = [];
  readonly event = (listener: Listener) => this.listeners.push(listener);
  fire(value: unknown): void {
    for (const listener of this.listeners) listener(value);
  }
}

export const ViewColumn = { Beside: -2 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };

const uri = (text: string) => ({
  toString: () => text,
  with: (change: { query: string }) => ({ toString: () => `proposal:${change.query}` }),
});
let finishReading!: () => void;
const read = new Promise<void>((resolve) => (finishReading = resolve));

export const host = {
  file: uri("file:///kernel.asc"),
  otherFile: uri("file:///other.asc"),
  /** Reading files ends when a test says so. */
  finishReading,
  asked: [] as string[],
  /** Those of them that were asked with a warning. */
  warned: [] as string[],
  context: new Map<string, unknown>(),
  /** Commands that were executed, with their arguments; setting a context is none of them. */
  executed: [] as unknown[][],
  /** What a notification is answered with. */
  answer: undefined as string | undefined,
  trusted: true,
  /** The one setting there is, as `inspect` tells of it. */
  inspected: {} as Inspected,
  written: [] as unknown[][],
};

const show = (message: string) => {
  host.asked.push(message);
  return host.answer === undefined ? new Promise(() => undefined) : Promise.resolve(host.answer);
};

export const window = {
  activeTextEditor: undefined as { document: { uri: unknown } } | undefined,
  tabGroups: { all: [], onDidChangeTabs: () => undefined, close: async () => true },
  showInformationMessage: show,
  showWarningMessage: (message: string) => {
    host.warned.push(message);
    return show(message);
  },
};

export const workspace = {
  get isTrusted() {
    return host.trusted;
  },
  openTextDocument: () => read.then(() => Promise.reject(new Error("no such file"))),
  asRelativePath: () => "kernel.asc",
  getConfiguration: () => ({
    get: () =>
      host.inspected.workspaceFolderValue ?? host.inspected.workspaceValue ?? host.inspected.globalValue ?? true,
    inspect: () => host.inspected,
    update: async (...change: unknown[]) => host.written.push(change),
  }),
};

export const commands = {
  executeCommand: async (command: string, ...args: unknown[]) => {
    if (command === "setContext") host.context.set(String(args[0]), args[1]);
    else host.executed.push([command, ...args]);
  },
};
