/** Choosing a model and a runner: both are the user's settings, never the workspace's. */

import * as vscode from "vscode";
import { output } from "./program.ts";
import type { ServerStatus } from "./protocol.ts";
import { holds, isSet } from "./sent.ts";

/** One of what `kernelgen-ls model list --json` prints. */
interface ListedModel {
  name: string;
  file: string;
  architecture?: string;
  type?: string;
  bytes?: number;
}

const starter = "kernelgen-starter";

const configuration = () => vscode.workspace.getConfiguration("kernelgen");

function gigabytes(bytes: number | undefined): string {
  return bytes === undefined ? "" : bytes < 1e8 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Lists the GGUF files the program knows, lets the user browse for another, and stores the choice for this user. */
export async function chooseModel(program: string): Promise<void> {
  const listed = JSON.parse(await output(program, ["model", "list", "--json"])) as ListedModel[];
  const browse: vscode.QuickPickItem = { label: "$(folder-opened) Another GGUF file…" };
  const items = listed.map((model) => ({
    label: model.name,
    description: [model.architecture, model.type, gigabytes(model.bytes)].filter(Boolean).join(", "),
    detail: model.name === starter ? "Ships with kernelgen-ls; small, for a first look" : model.file,
    model,
  }));
  const choice = await vscode.window.showQuickPick([...items, browse], {
    title: "Choose the language model",
    placeHolder: "It runs on this machine",
  });
  if (choice === undefined) return;
  let path: string | undefined = "model" in choice ? (choice.model as ListedModel).file : undefined;
  if (choice === browse) {
    path = (
      await vscode.window.showOpenDialog({
        canSelectMany: false,
        filters: { "Language models": ["gguf"] },
        openLabel: "Use this model",
      })
    )?.[0]?.fsPath;
  }
  if (path === undefined) return;
  await configuration().update("model.path", path, vscode.ConfigurationTarget.Global);
}

interface Runner {
  name: string;
  transport?: string;
  host?: string;
}

/** Chooses which configured runner compiles and measures; explains how to add one where there is none. */
export async function chooseRunner(): Promise<void> {
  const pool = configuration().get<Runner[]>("runners.pool") ?? [];
  const none: vscode.QuickPickItem = {
    label: "$(device-desktop) This machine only",
    description: "embedded checker, latency estimates",
  };
  const add: vscode.QuickPickItem = { label: "$(add) Add a runner…", description: "opens the settings" };
  const unset: vscode.QuickPickItem = {
    label: "$(discard) No choice here",
    description: "what the settings file of kernelgen-ls names",
  };
  const chosen = ["runners.check", "runners.measure"].some((name) => isSet(configuration().inspect(name)));
  const items: vscode.QuickPickItem[] = pool.map((runner) => ({
    label: runner.name,
    description: [runner.transport, runner.host].filter(Boolean).join(" "),
  }));
  const choice = await vscode.window.showQuickPick([none, ...items, ...(chosen ? [unset] : []), add], {
    title: "Choose where kernels are compiled and measured",
  });
  if (choice === undefined) return;
  if (choice === add) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "kernelgen.runners.pool");
    return;
  }
  // An empty name is a choice too: it holds against a runner that the user's file names.
  const name = choice === unset ? undefined : choice === none ? "" : choice.label;
  await configuration().update("runners.check", name, vscode.ConfigurationTarget.Global);
  await configuration().update("runners.measure", name, vscode.ConfigurationTarget.Global);
}

const targets = {
  folder: vscode.ConfigurationTarget.WorkspaceFolder,
  workspace: vscode.ConfigurationTarget.Workspace,
  user: vscode.ConfigurationTarget.Global,
};

/**
 * Pauses or resumes ghost text. What the server does counts, for a file of the user's or of the project's may have decided;
 * it is written where the value that holds stands, or what was clicked would not come about.
 */
export async function togglePause(status: ServerStatus | undefined): Promise<void> {
  const name = "completion.enabled";
  const enabled = status?.completion.enabled ?? configuration().get<boolean>(name) ?? true;
  await configuration().update(name, !enabled, targets[holds(configuration().inspect(name))]);
}
