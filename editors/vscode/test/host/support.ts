/** What the cases share: waiting for a condition instead of for time, documents of the workspace, the extension itself. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as vscode from "vscode";
import type { ExtensionApi } from "../../src/extension.ts";

export interface Case {
  name: string;
  body: () => Promise<void>;
}

/** Polls until `probe` gives something; fails with `what` when it never does. */
export async function eventually<T>(
  what: string,
  probe: () => T | undefined | Promise<T | undefined>,
  seconds = 90,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== (false as T)) return value;
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const extensionId = "kernelgen.kernelgen-ls";

export async function api(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>(extensionId);
  assert.ok(extension, "the extension is installed");
  return extension.activate();
}

let neverReady = false;

/** Waits until the server runs and its model answers; once that failed, later cases fail at once. */
export async function serverReady(): Promise<ExtensionApi> {
  const extension = await api();
  assert.ok(!neverReady, "the server was never ready");
  neverReady = true;
  if (extension.client() === undefined) await open("add.asc");
  await eventually("the server is ready", () => {
    const status = extension.status();
    return status !== undefined && ["ready", "busy", "slow"].includes(status.model?.state ?? "") ? status : undefined;
  });
  neverReady = false;
  return extension;
}

export function workspaceFile(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, "a folder is open");
  return vscode.Uri.joinPath(folder.uri, ...name.split("/"));
}

export async function open(name: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(workspaceFile(name));
  return vscode.window.showTextDocument(document);
}

export async function replaceAll(editor: vscode.TextEditor, text: string): Promise<void> {
  const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(editor.document.uri, whole, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** The end of the first line that contains `text`. */
export function endOfLine(document: vscode.TextDocument, text: string): vscode.Position {
  for (let line = 0; line < document.lineCount; line++) {
    if (document.lineAt(line).text.includes(text)) return document.lineAt(line).range.end;
  }
  throw new Error(`no line contains ${text}`);
}

export function diagnostics(
  editor: vscode.TextEditor,
  severity = vscode.DiagnosticSeverity.Error,
): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(editor.document.uri).filter((one) => one.severity === severity);
}

export async function setting(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration("kernelgen").update(name, value, vscode.ConfigurationTarget.Global);
}

/** The processes of language servers that this host started and that have not ended. */
export function serverProcesses(): number[] {
  const read = (pid: number, name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "utf8");
    } catch {
      return "";
    }
  };
  const children = readdirSync("/proc")
    .map(Number)
    .filter((pid) => new RegExp(`^PPid:\\s*${process.pid}$`, "m").test(read(pid, "status")));
  return children.filter((pid) => read(pid, "cmdline").includes("serve\0--stdio"));
}

export function placeCursor(editor: vscode.TextEditor, text: string): void {
  const at = endOfLine(editor.document, text);
  editor.selection = new vscode.Selection(at, at);
}

/** The diff that a proposal shows, once it does. */
export function diffTab(): Promise<vscode.TabInputTextDiff> {
  return eventually(
    "a diff is shown",
    () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .map((tab) => tab.input)
        .find((input) => input instanceof vscode.TabInputTextDiff),
    150,
  );
}

export function lenses(editor: vscode.TextEditor): Thenable<vscode.CodeLens[]> {
  return vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", editor.document.uri, 10);
}
