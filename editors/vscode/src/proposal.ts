/**
 * Edits that the server wants confirmed are shown as a diff first. Nothing is applied unless the user says so, and never
 * to a document that changed meanwhile; applied, they are one undo step. The last one is kept: it may have taken minutes to
 * make, and a tab is closed in a moment.
 */

import * as vscode from "vscode";
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult } from "vscode-languageclient/node";

export const proposalScheme = "kernelgen-proposal";
const pendingContext = "kernelgen.proposalPending";
const keptContext = "kernelgen.proposalKept";

interface Changed {
  uri: vscode.Uri;
  /** The text that the diff was made from; undefined for a file that does not exist yet. */
  before: string | undefined;
  proposed: string;
}

interface Proposal {
  /** What was asked for, and what is known of the result. */
  label: string;
  /** What is known is that it is wrong. */
  wrong: boolean;
  edit: vscode.WorkspaceEdit;
  changed: readonly Changed[];
}

/** The id of the annotation that the server gives to what is known to be wrong (docs/protocol.md). */
const wrongAnnotation = "kernelgen.wrong";

type Answer = "apply" | "discard";

/** A file's diff. */
interface Sides {
  name: string;
  left: vscode.Uri;
  right: vscode.Uri;
}

/** A proposal on screen. It waits as long as the user can still answer it: by its notification or by one of its diffs. */
class Pending {
  readonly answered: Promise<Answer>;
  settle!: (answer: Answer) => void;
  readonly label: string;
  readonly sides: readonly Sides[];
  /** The right sides of its diffs. */
  readonly shown: ReadonlySet<string>;
  notified = true;

  constructor(label: string, sides: readonly Sides[]) {
    this.answered = new Promise((resolve) => (this.settle = resolve));
    this.label = label;
    this.sides = sides;
    this.shown = new Set(sides.map(({ right }) => right.toString()));
  }

  tabs(): vscode.Tab[] {
    const all = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    return all.filter(
      (tab) => tab.input instanceof vscode.TabInputTextDiff && this.shown.has(tab.input.modified.toString()),
    );
  }

  discardIfUnanswerable(): void {
    if (!this.notified && this.tabs().length === 0) this.settle("discard");
  }
}

/** The text that edits make of a document. Offsets are resolved against the text as it is now. */
export function textAfter(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): string {
  const text = document.getText();
  const sorted = [...edits].sort((a, b) => document.offsetAt(b.range.start) - document.offsetAt(a.range.start));
  return sorted.reduce(
    (result, edit) =>
      result.slice(0, document.offsetAt(edit.range.start)) +
      edit.newText +
      result.slice(document.offsetAt(edit.range.end)),
    text,
  );
}

export class Proposals implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly shownEmitter = new vscode.EventEmitter<void>();
  private readonly tabsChanged = vscode.window.tabGroups.onDidChangeTabs(() => this.pending?.discardIfUnanswerable());
  private pending: Pending | undefined;
  private last: Proposal | undefined;
  private serial = 0;
  /** A proposal is on screen, waiting for its answer. */
  readonly onDidShow = this.shownEmitter.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Whether any part of an edit waits for the user's word. */
  static needsConfirmation(params: ApplyWorkspaceEditParams): boolean {
    return Object.values(params.edit.changeAnnotations ?? {}).some(
      (annotation) => annotation.needsConfirmation === true,
    );
  }

  /** Whether an edit brings what is known to be wrong. */
  static isWrong(params: ApplyWorkspaceEditParams): boolean {
    return wrongAnnotation in (params.edit.changeAnnotations ?? {});
  }

  /** The user's answer to the diff on screen, from a command. */
  settle(answer: Answer): void {
    this.pending?.settle(answer);
  }

  /**
   * Shows the diff of every file, asks, applies. An older proposal that still waits is discarded. One that comes `unasked`
   * does not take the focus from a user who is in another file than those it changes; one that is `wrong` is asked about with a
   * warning.
   */
  async propose(
    label: string,
    edit: vscode.WorkspaceEdit,
    { unasked = false, wrong = false } = {},
  ): Promise<ApplyWorkspaceEditResult> {
    this.settle("discard");
    const changed = await collect(edit);
    if (changed.length === 0) {
      return { applied: false, failureReason: "the edit changes nothing" };
    }
    // Another may have come while the files were read. It is replaced only here: an answer meant for it must not reach this one unseen.
    this.settle("discard");
    return this.present({ label, wrong, edit, changed }, unasked);
  }

  /** Shows the last proposal again, whatever became of it. Where its files changed since, it can be looked at and not applied. */
  async showLast(): Promise<void> {
    if (this.pending !== undefined) {
      await showDiffs(this.pending, { preview: false });
    } else if (this.last !== undefined) {
      await this.present(this.last, false);
    } else {
      void vscode.window.showInformationMessage("Nothing has been proposed yet.");
    }
  }

  private async present(proposal: Proposal, unasked: boolean): Promise<ApplyWorkspaceEditResult> {
    const { label, wrong, edit, changed } = proposal;
    // It can be answered from the moment its diff is on screen.
    const pending = this.prepare(label, changed);
    this.pending = pending;
    this.last = proposal;
    try {
      await vscode.commands.executeCommand("setContext", keptContext, true);
      await showDiffs(
        pending,
        unasked && isElsewhere(changed)
          ? { preview: false, viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }
          : { preview: false },
      );
      if (this.pending === pending) await vscode.commands.executeCommand("setContext", pendingContext, true);
      if (this.pending === pending) {
        this.ask(label, wrong, pending);
        this.shownEmitter.fire();
      }
      if ((await pending.answered) === "discard") {
        return { applied: false, failureReason: "discarded" };
      }
      const result = await apply(edit, changed);
      if (result.failureReason !== undefined) void vscode.window.showWarningMessage(result.failureReason);
      return result;
    } finally {
      await this.close(pending);
    }
  }

  private prepare(label: string, changed: readonly Changed[]): Pending {
    this.serial += 1;
    const sides = changed.map(({ uri, before, proposed }) => {
      const side = (name: string) => uri.with({ scheme: proposalScheme, query: `${this.serial}-${name}` });
      const right = side("proposed");
      this.texts.set(right.toString(), proposed);
      return { name: vscode.workspace.asRelativePath(uri), left: before === undefined ? side("empty") : uri, right };
    });
    return new Pending(label, sides);
  }

  private ask(label: string, wrong: boolean, pending: Pending): void {
    const asked = wrong
      ? vscode.window.showWarningMessage(`${label}. Apply it all the same?`, "Apply", "Discard")
      : vscode.window.showInformationMessage(`${label}. Apply this change?`, "Apply", "Discard");
    // The buttons in the diff's title bar answer too, so that a notification that went away loses nothing.
    void asked.then((choice) => {
      pending.notified = false;
      if (choice === undefined) pending.discardIfUnanswerable();
      else pending.settle(choice === "Apply" ? "apply" : "discard");
    });
  }

  private async close(pending: Pending): Promise<void> {
    if (this.pending === pending) {
      this.pending = undefined;
      await vscode.commands.executeCommand("setContext", pendingContext, false);
    }
    await vscode.window.tabGroups.close(pending.tabs());
    for (const key of pending.shown) this.texts.delete(key);
  }

  dispose(): void {
    this.settle("discard");
    this.tabsChanged.dispose();
    this.shownEmitter.dispose();
  }
}

async function showDiffs(pending: Pending, options: vscode.TextDocumentShowOptions): Promise<void> {
  for (const { name, left, right } of pending.sides) {
    // Not as a preview: looking at another file must not close it.
    await vscode.commands.executeCommand("vscode.diff", left, right, `${pending.label} (${name})`, options);
  }
}

/** Whether the user is in an editor of another file than those that are changed. */
function isElsewhere(changed: readonly Changed[]): boolean {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  return active !== undefined && !changed.some(({ uri }) => uri.toString() === active);
}

/** The document at `uri`, read from disk where no editor has it; undefined where there is no such file. */
async function documentAt(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

async function collect(edit: vscode.WorkspaceEdit): Promise<Changed[]> {
  const changed: Changed[] = [];
  for (const [uri, edits] of edit.entries()) {
    const existing = await documentAt(uri);
    const proposed = existing === undefined ? edits.map((one) => one.newText).join("") : textAfter(existing, edits);
    if (proposed !== existing?.getText()) changed.push({ uri, before: existing?.getText(), proposed });
  }
  return changed;
}

/** Applies what was shown, if every file still is what the diff was made from, and shows the first. */
async function apply(edit: vscode.WorkspaceEdit, changed: readonly Changed[]): Promise<ApplyWorkspaceEditResult> {
  for (const { uri, before } of changed) {
    // By text and not by version: a document that only the diff held is closed with it and opened again here.
    if ((await documentAt(uri))?.getText() !== before) {
      const name = vscode.workspace.asRelativePath(uri);
      return {
        applied: false,
        failureReason: `${name} changed since the proposal was made. Nothing was applied: ask again.`,
      };
    }
  }
  if (!(await vscode.workspace.applyEdit(withoutConfirmation(edit, changed)))) {
    return { applied: false, failureReason: "VS Code refused the change: is a file read-only?" };
  }
  const first = changed[0];
  if (first !== undefined) await vscode.window.showTextDocument(first.uri, { preview: false });
  return { applied: true };
}

/** The same change without the request to confirm: the user has confirmed. */
function withoutConfirmation(edit: vscode.WorkspaceEdit, changed: readonly Changed[]): vscode.WorkspaceEdit {
  const plain = new vscode.WorkspaceEdit();
  for (const [uri, edits] of edit.entries()) {
    if (changed.some((one) => one.uri.toString() === uri.toString() && one.before === undefined)) {
      plain.createFile(uri, { ignoreIfExists: false, overwrite: false });
    }
    plain.set(uri, edits);
  }
  return plain;
}
