/** The `kernelgen-ls` program outside the language server: where it may lie, its version, one-off commands. */

import { execFile } from "node:child_process";
import { constants, realpathSync } from "node:fs";
import { access } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { Probe, SelectedPython } from "./locate.ts";
import { Permissions } from "./permission.ts";
import { within } from "./within.ts";

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

/** How long the Python extension may take to say which interpreter is selected. */
const selectionSeconds = 10;

/**
 * The interpreter selected in the Python extension; undefined, with a line in the log, where that fails or hangs. A
 * workspace that is not trusted could name its own: not asked then.
 */
export async function selectedPython(log: vscode.LogOutputChannel): Promise<SelectedPython | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (extension === undefined) return undefined;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  try {
    const api = await within(selectionSeconds, "no answer", extension.activate());
    const selected = api.environments?.getActiveEnvironmentPath(folder).path;
    // Where none is selected it says `python`, which may be anything.
    if (selected === undefined || !path.isAbsolute(selected)) return undefined;
    const named = vscode.workspace.getConfiguration("python", folder).inspect("defaultInterpreterPath");
    return {
      path: selected,
      byWorkspace: named?.workspaceValue !== undefined || named?.workspaceFolderValue !== undefined,
    };
  } catch (error) {
    log.warn(
      `The Python extension does not say which interpreter is selected: ${error instanceof Error ? error.message : String(error)}`,
    );
    return undefined;
  }
}

function real(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}

/** What may be run of the opened folders; `allowed` is called when the user allows something. */
export function createPermissions(memory: vscode.Memento, allowed: () => void): Permissions {
  return new Permissions({
    memory,
    folders: () =>
      (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath),
    trusted: () => vscode.workspace.isTrusted,
    ask: async (program, folder) => {
      const question = `The folder ${path.basename(folder)} chooses the KernelGen server itself: run ${program}?`;
      const choice = await vscode.window.showWarningMessage(question, "Run It", "Never for This Folder");
      return choice === undefined ? undefined : choice === "Run It";
    },
    allowed,
    real,
  });
}

export function createProbe(permissions: Permissions, log: vscode.LogOutputChannel): Probe {
  return {
    exists: (program) =>
      access(program, constants.X_OK).then(
        () => true,
        () => false,
      ),
    version,
    permission: (program, byWorkspace) => permissions.of(program, byWorkspace),
    selectedPython: () => selectedPython(log),
    // A relative folder on PATH would let the opened folder choose the program.
    path: () => (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
    platform: process.platform,
  };
}

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
  const task = new vscode.Task(
    { type: "kernelgen", command: name },
    vscode.TaskScope.Workspace,
    name,
    "kernelgen",
    new vscode.ProcessExecution(program, args),
  );
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    clear: true,
    panel: vscode.TaskPanelKind.Dedicated,
  };
  await vscode.tasks.executeTask(task);
}
