/** What the proposals use of VS Code, without a host. */

type Listener = (value: unknown) => unknown;

export class EventEmitter {
  private readonly listeners: Listener[] = [];
  readonly event = (listener: Listener) => this.listeners.push(listener);
  fire(value: unknown): void {
    for (const listener of this.listeners) listener(value);
  }
}

const file = { toString: () => "file:///kernel.asc", with: (change: { query: string }) => ({ toString: () => `proposal:${change.query}` }) };
let finishReading!: () => void;
const read = new Promise<void>((resolve) => (finishReading = resolve));

/** What a test sees and steers. */
export const host = { file, finishReading, asked: [] as string[], context: new Map<string, unknown>() };

export const window = {
  tabGroups: { all: [], onDidChangeTabs: () => undefined, close: async () => true },
  showInformationMessage: (message: string) => {
    host.asked.push(message);
    return new Promise(() => undefined);
  },
};

export const workspace = {
  openTextDocument: () => read.then(() => Promise.reject(new Error("no such file"))),
  asRelativePath: () => "kernel.asc",
};

export const commands = {
  executeCommand: async (command: string, key: string, value: unknown) => {
    if (command === "setContext") host.context.set(key, value);
  },
};
