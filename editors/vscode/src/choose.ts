/** Choosing a model and a runner: both are the user's settings, never the workspace's. */

import * as vscode from "vscode";
import { output } from "./program.ts";

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
  const choice = await vscode.window.showQuickPick([...items, browse], { title: "Choose the language model", placeHolder: "It runs on this machine" });
  if (choice === undefined) return;
  let path: string | undefined = "model" in choice ? (choice.model as ListedModel).file : undefined;
  if (choice === browse) {
    path = (await vscode.window.showOpenDialog({ canSelectMany: false, filters: { "Language models": ["gguf"] }, openLabel: "Use this model" }))?.[0]?.fsPath;
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
  const none: vscode.QuickPickItem = { label: "$(device-desktop) This machine only", description: "embedded checker, latency estimates" };
  const add: vscode.QuickPickItem = { label: "$(add) Add a runner…", description: "opens the settings" };
  const items: vscode.QuickPickItem[] = pool.map((runner) => ({ label: runner.name, description: [runner.transport, runner.host].filter(Boolean).join(" ") }));
  const choice = await vscode.window.showQuickPick([none, ...items, add], { title: "Choose where kernels are compiled and measured" });
  if (choice === undefined) return;
  if (choice === add) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "kernelgen.runners.pool");
    return;
  }
  const name = choice === none ? "" : choice.label;
  await configuration().update("runners.check", name, vscode.ConfigurationTarget.Global);
  await configuration().update("runners.measure", name, vscode.ConfigurationTarget.Global);
}

/** Pauses or resumes ghost text for this user. */
export async function togglePause(): Promise<void> {
  const enabled = configuration().get<boolean>("completion.enabled") ?? true;
  await configuration().update("completion.enabled", !enabled, vscode.ConfigurationTarget.Global);
}
