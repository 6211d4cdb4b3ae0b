/** Installing the server: the extension's own virtual environment. */

import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { minimumVersion } from "./locate.ts";
import { ProgramError, runGroup } from "./processes.ts";
import { ownProgram } from "./program.ts";
import {
  candidates,
  checkScript,
  choosePython,
  explainPip,
  explainVenv,
  type Interpreter,
  readCheck,
} from "./python.ts";

/** Between asking pip to end and killing what it started. */
const graceSeconds = 5;

/** An interpreter that can make the environment. Throws with what to do where there is none. */
export async function findPython(selected: string | undefined, log: vscode.LogOutputChannel): Promise<string> {
  const found: Interpreter[] = [];
  for (const program of candidates(selected, process.platform)) {
    try {
      const { stdout } = await promisify(execFile)(program, ["-I", "-c", checkScript], {
        timeout: 10_000,
        windowsHide: true,
      });
      const interpreter = readCheck(program, stdout);
      if (interpreter !== undefined) found.push(interpreter);
    } catch (error) {
      log.info(`${program}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const chosen = choosePython(found, process.platform);
  if ("remedy" in chosen) throw new Error(chosen.remedy);
  return chosen.program;
}

/**
 * Creates the environment with the server in it, visibly; every line pip says goes to the log. Cancelled, by the user or
 * through `signal`, it ends without an error and gives false. Throws with what to do where it fails.
 */
export async function install(
  python: string,
  storage: vscode.Uri,
  log: vscode.LogOutputChannel,
  signal: AbortSignal,
): Promise<boolean> {
  const folder = path.join(storage.fsPath, "server");
  await vscode.workspace.fs.createDirectory(storage);
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "Installing kernelgen-ls", cancellable: true },
    async (progress, token) => {
      const cancelled = new AbortController();
      token.onCancellationRequested(() => cancelled.abort());
      const step = async (
        message: string,
        program: string,
        args: string[],
        explain: (said: readonly string[]) => string,
      ): Promise<boolean> => {
        progress.report({ message });
        log.info([program, ...args].join(" "));
        try {
          return await runGroup(program, args, {
            // Python would find modules in the folder that it is started in.
            cwd: storage.fsPath,
            signal: AbortSignal.any([cancelled.signal, signal]),
            graceSeconds,
            printed: (text, stream) => (stream === "out" ? log.info(text) : log.warn(text)),
          });
        } catch (error) {
          throw error instanceof ProgramError ? new Error(explain(error.said)) : error;
        }
      };
      const inner = path.join(
        path.dirname(ownProgram(storage)),
        process.platform === "win32" ? "python.exe" : "python",
      );
      const pip = ["-I", "-m", "pip", "install", "--upgrade", `kernelgen-ls>=${minimumVersion}`];
      if (
        !(await step("creating an environment", python, ["-I", "-m", "venv", folder], (said) =>
          explainVenv(said, folder),
        ))
      )
        return false;
      return step("building the engine (several minutes, once)", inner, pip, (said) =>
        explainPip(said, process.platform),
      );
    },
  );
}
