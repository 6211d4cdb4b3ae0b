/** What the model thinks while generating, as a read-only document that grows. */

import * as vscode from "vscode";
import type { ReasoningPiece } from "./protocol.ts";

export const reasoningScheme = "kernelgen-reasoning";

/** Keeps the reasoning of the latest generations; older ones than `kept` are dropped. */
export class ReasoningDocuments implements vscode.TextDocumentContentProvider {
  private static readonly kept = 8;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly texts = new Map<string, string>();
  private latest: vscode.Uri | undefined;

  append(piece: ReasoningPiece): void {
    const uri = vscode.Uri.from({
      scheme: reasoningScheme,
      path: `/${piece.title.replaceAll("/", " ")}.md`,
      query: piece.generation,
    });
    const key = uri.toString();
    this.texts.set(key, (this.texts.get(key) ?? "") + piece.text);
    this.latest = uri;
    for (const old of [...this.texts.keys()].slice(0, -ReasoningDocuments.kept)) {
      this.texts.delete(old);
    }
    this.changed.fire(uri);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "This reasoning is no longer kept.";
  }

  async show(): Promise<void> {
    if (this.latest === undefined) {
      void vscode.window.showInformationMessage("Nothing has been generated yet.");
      return;
    }
    const document = await vscode.workspace.openTextDocument(this.latest);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preview: true,
      preserveFocus: true,
    });
  }

  dispose(): void {
    this.changed.dispose();
  }
}
