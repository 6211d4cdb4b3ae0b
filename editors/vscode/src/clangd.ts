/** Makes clangd understand kernels: shows the `.clangd` fragment of `doctor --clangd`, and writes it when told to. */

import * as vscode from "vscode";
import { output } from "./program.ts";
import type { Proposals } from "./proposal.ts";

/** Begins every fragment, so that one that is there already is recognised. */
const marker = "kernelgen-ls";

export async function configureClangd(program: string, proposals: Proposals): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    void vscode.window.showWarningMessage("Open the folder of the operator first: the file .clangd belongs into it.");
    return;
  }
  const fragment = await output(program, ["doctor", "--clangd"]);
  const uri = vscode.Uri.joinPath(folder.uri, ".clangd");
  const existing = await vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
  if (existing?.getText().includes(marker)) {
    void vscode.window.showInformationMessage(".clangd has the part for AscendC already.");
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  if (existing === undefined) {
    edit.insert(uri, new vscode.Position(0, 0), fragment);
  } else {
    // clangd reads several YAML documents from one file; a new one leaves the user's own untouched.
    edit.insert(uri, existing.lineAt(existing.lineCount - 1).range.end, `\n---\n${fragment}`);
  }
  const { applied } = await proposals.propose("Configure clangd", edit);
  if (applied) {
    await vscode.workspace.openTextDocument(uri).then((document) => document.save());
    void vscode.window.showInformationMessage("clangd understands kernels now; restart it if it runs.");
  }
}
