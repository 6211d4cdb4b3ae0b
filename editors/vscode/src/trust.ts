/** What a workspace that is not trusted does not get, said to who asks for it. */

import * as vscode from "vscode";

/** Does the action in a trusted workspace; in another says why not and how to trust it, and gives undefined. */
export async function ifTrusted<T>(action: () => T | PromiseLike<T>): Promise<T | undefined> {
  if (vscode.workspace.isTrusted) return action();
  const reason =
    "This workspace is not trusted: KernelGen only completes and explains here. It checks, runs, measures and generates once you trust it.";
  void vscode.window.showWarningMessage(reason, "Manage Workspace Trust").then((choice) => {
    if (choice !== undefined) void vscode.commands.executeCommand("workbench.trust.manage");
  });
  return undefined;
}
