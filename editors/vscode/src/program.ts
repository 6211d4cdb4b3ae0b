/** Running the `kernelgen-ls` program outside the language server: its version, one-off commands, its installation. */

import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { minimumVersion, type Probe } from "./locate.ts";

const run = promisify(execFile);

/** `program --version` answers with `kernelgen-ls, version X.Y.Z` within ten seconds, or it does not count. */
async function version(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(program, ["--version"], { timeout: 10_000, windowsHide: true });
    return /(\d+(?:\.\d+)+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

interface PythonExtension {
  environments?: { getActiveEnvironmentPath(resource?: vscode.Uri): { path: string } };
}

/** The interpreter selected in the Python extension. A workspace that is not trusted could name its own: not asked then. */
async function selectedPython(): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (extension === undefined) return undefined;
  const api = await extension.activate();
  return api.environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri).path;
}

export const probe: Probe = {
  version,
  selectedPython,
  // A relative folder on PATH would let the opened folder choose the program.
  path: () => (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
  platform: process.platform,
};

/** Where the extension's own installation lies. */
export function ownProgram(storage: vscode.Uri): string {
  return process.platform === "win32"
    ? path.join(storage.fsPath, "server", "Scripts", "kernelgen-ls.exe")
    : path.join(storage.fsPath, "server", "bin", "kernelgen-ls");
}

/** What a command of the program prints. Throws with the last line of its complaint. */
export async function output(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(program, [...args], { timeout: 60_000, maxBuffer: 16 * 1024 * 1024, windowsHide: true })).stdout;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split("\n").at(-1);
    throw new Error(said || String(error));
  }
}

/** Shows a command of the program in a terminal that stays. */
export async function inTerminal(name: string, program: string, args: string[]): Promise<void> {
  const task = new vscode.Task({ type: "kernelgen", command: name }, vscode.TaskScope.Workspace, name, "kernelgen", new vscode.ProcessExecution(program, args));
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true, panel: vscode.TaskPanelKind.Dedicated };
  await vscode.tasks.executeTask(task);
}

/** Creates the extension's own virtual environment with the server in it. Every line pip says goes to the log. */
export async function install(storage: vscode.Uri, log: vscode.LogOutputChannel): Promise<void> {
  const folder = path.join(storage.fsPath, "server");
  const python = process.platform === "win32" ? "python" : "python3";
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: "Installing kernelgen-ls", cancellable: true }, async (progress, token) => {
    const step = async (message: string, program: string, args: string[]) => {
      progress.report({ message });
      log.info([program, ...args].join(" "));
      const child = execFile(program, args, { maxBuffer: 64 * 1024 * 1024, windowsHide: true });
      const cancel = token.onCancellationRequested(() => child.kill());
      child.stdout?.on("data", (text: string) => log.info(text.trimEnd()));
      child.stderr?.on("data", (text: string) => log.warn(text.trimEnd()));
      try {
        await new Promise<void>((resolve, reject) => {
          child.on("error", reject);
          child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(token.isCancellationRequested ? "cancelled" : `${program} ended with ${code}`))));
        });
      } finally {
        cancel.dispose();
      }
    };
    await vscode.workspace.fs.createDirectory(storage);
    await step("creating an environment", python, ["-m", "venv", folder]);
    const inner = path.join(path.dirname(ownProgram(storage)), process.platform === "win32" ? "python.exe" : "python");
    await step("building the engine (several minutes, once)", inner, ["-m", "pip", "install", "--upgrade", `kernelgen-ls>=${minimumVersion}`]);
  });
}
