/**
 * Edits that the server wants confirmed are shown as a diff first. Nothing is applied unless the user says so, and never
 * to a document that changed meanwhile; applied, they are one undo step.
 */

import * as vscode from "vscode";
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult } from "vscode-languageclient/node";

export const proposalScheme = "kernelgen-proposal";
const pendingContext = "kernelgen.proposalPending";

interface Changed {
  uri: vscode.Uri;
  /** The document's version when the diff was shown; undefined for a file that does not exist yet. */
  version: number | undefined;
  proposed: string;
}

type Answer = "apply" | "discard";

/** The text that edits make of a document. Offsets are resolved against the text as it is now. */
export function textAfter(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): string {
  const text = document.getText();
  const sorted = [...edits].sort((a, b) => document.offsetAt(b.range.start) - document.offsetAt(a.range.start));
  return sorted.reduce((result, edit) => result.slice(0, document.offsetAt(edit.range.start)) + edit.newText + result.slice(document.offsetAt(edit.range.end)), text);
}

export class Proposals implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private answer: ((answer: Answer) => void) | undefined;
  private serial = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Whether any part of an edit waits for the user's word. */
  static needsConfirmation(params: ApplyWorkspaceEditParams): boolean {
    return Object.values(params.edit.changeAnnotations ?? {}).some((annotation) => annotation.needsConfirmation === true);
  }

  /** The user's answer to the diff on screen, from a command. */
  settle(answer: Answer): void {
    this.answer?.(answer);
  }

  /** Shows the diff of every file, asks, applies. */
  async propose(label: string, edit: vscode.WorkspaceEdit): Promise<ApplyWorkspaceEditResult> {
    this.settle("discard");
    const changed = await this.collect(edit);
    if (changed.length === 0) {
      return { applied: false, failureReason: "the edit changes nothing" };
    }
    const shown = await this.showDiffs(label, changed);
    try {
      if ((await this.ask(label)) === "discard") {
        return { applied: false, failureReason: "discarded" };
      }
      const stale = changed.find(({ uri, version }) => openDocument(uri)?.version !== version);
      if (stale !== undefined) {
        const reason = `${vscode.workspace.asRelativePath(stale.uri)} changed since the proposal was made. Nothing was applied: ask again.`;
        void vscode.window.showWarningMessage(reason);
        return { applied: false, failureReason: reason };
      }
      return { applied: await vscode.workspace.applyEdit(withoutConfirmation(edit, changed)) };
    } finally {
      await this.close(shown);
    }
  }

  private async collect(edit: vscode.WorkspaceEdit): Promise<Changed[]> {
    const changed: Changed[] = [];
    for (const [uri, edits] of edit.entries()) {
      const existing = await vscode.workspace.openTextDocument(uri).then((document) => document, () => undefined);
      const proposed = existing === undefined ? edits.map((one) => one.newText).join("") : textAfter(existing, edits);
      if (existing === undefined || proposed !== existing.getText()) {
        changed.push({ uri, version: existing?.version, proposed });
      }
    }
    return changed;
  }

  private async showDiffs(label: string, changed: readonly Changed[]): Promise<vscode.Uri[]> {
    this.serial += 1;
    const shown: vscode.Uri[] = [];
    for (const { uri, version, proposed } of changed) {
      const side = (name: string) => uri.with({ scheme: proposalScheme, query: `${this.serial}-${name}` });
      const right = side("proposed");
      this.texts.set(right.toString(), proposed);
      let left = uri;
      if (version === undefined) {
        left = side("empty");
        this.texts.set(left.toString(), "");
      }
      shown.push(right);
      const name = vscode.workspace.asRelativePath(uri);
      await vscode.commands.executeCommand("vscode.diff", left, right, `${label}: ${name}`, { preview: changed.length === 1 });
    }
    await vscode.commands.executeCommand("setContext", pendingContext, true);
    return shown;
  }

  private async ask(label: string): Promise<Answer> {
    return new Promise<Answer>((resolve) => {
      this.answer = resolve;
      // The buttons in the diff's title bar answer too, so that a notification that went away loses nothing.
      void vscode.window.showInformationMessage(`${label}: apply this change?`, "Apply", "Discard").then((choice) => {
        if (choice !== undefined) resolve(choice === "Apply" ? "apply" : "discard");
      });
    });
  }

  private async close(shown: readonly vscode.Uri[]): Promise<void> {
    this.answer = undefined;
    await vscode.commands.executeCommand("setContext", pendingContext, false);
    const keys = new Set(shown.map((uri) => uri.toString()));
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter((tab) => tab.input instanceof vscode.TabInputTextDiff && keys.has(tab.input.modified.toString())));
    for (const key of keys) this.texts.delete(key);
  }
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** The same change without the request to confirm: the user has confirmed. */
function withoutConfirmation(edit: vscode.WorkspaceEdit, changed: readonly Changed[]): vscode.WorkspaceEdit {
  const plain = new vscode.WorkspaceEdit();
  for (const [uri, edits] of edit.entries()) {
    if (changed.some((one) => one.uri.toString() === uri.toString() && one.version === undefined)) {
      plain.createFile(uri, { ignoreIfExists: false, overwrite: false });
    }
    plain.set(uri, edits);
  }
  return plain;
}
