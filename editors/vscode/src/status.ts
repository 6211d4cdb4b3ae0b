/** The status-bar item and its menu. */

import * as vscode from "vscode";
import { type GenerationStatus, present, type ServerStatus } from "./protocol.ts";

export class StatusItem {
  private readonly item: vscode.StatusBarItem;
  private readonly generationChanged = new vscode.EventEmitter<GenerationStatus>();
  readonly onGeneration = this.generationChanged.event;
  private current: ServerStatus | undefined;

  constructor() {
    this.item = vscode.window.createStatusBarItem("kernelgen.status", vscode.StatusBarAlignment.Right, 90);
    this.item.name = "KernelGen";
    this.item.command = "kernelgen.menu";
    this.show(undefined);
    this.item.show();
  }

  get status(): ServerStatus | undefined {
    return this.current;
  }

  show(status: ServerStatus | undefined): void {
    this.current = status;
    const { text, tooltip, severity } = present(status);
    this.item.text = text;
    this.item.tooltip = new vscode.MarkdownString(tooltip, true);
    this.item.backgroundColor =
      severity === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
    this.item.accessibilityInformation = { label: `KernelGen: ${status?.message ?? "starting"}` };
    if (status?.generation) this.generationChanged.fire(status.generation);
  }

  /** No server runs: why, in one line. */
  showStopped(reason: string): void {
    this.current = undefined;
    this.item.text = "$(error) KernelGen";
    this.item.tooltip = reason;
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
  }

  dispose(): void {
    this.item.dispose();
    this.generationChanged.dispose();
  }
}

interface MenuEntry extends vscode.QuickPickItem {
  command?: string;
}

/** The menu behind the status-bar item. */
export async function showMenu(status: ServerStatus | undefined): Promise<void> {
  const paused = status !== undefined && !status.completion.enabled;
  const entries: MenuEntry[] = [
    { label: "Model", kind: vscode.QuickPickItemKind.Separator },
    { label: "$(chip) Choose model…", description: status?.model?.name ?? "", command: "kernelgen.chooseModel" },
    {
      label: paused ? "$(debug-start) Resume completions" : "$(debug-pause) Pause completions",
      command: "kernelgen.pause",
    },
    { label: "$(comment-discussion) Show reasoning", command: "kernelgen.reasoning" },
    { label: "$(diff) Show last proposal", command: "kernelgen.showProposal" },
    { label: "Checks", kind: vscode.QuickPickItemKind.Separator },
    { label: "$(check) Check this file now", command: "kernelgen.check" },
    { label: "$(server) Choose runner…", command: "kernelgen.chooseRunner" },
    { label: "$(settings-gear) Configure clangd for this workspace…", command: "kernelgen.configureClangd" },
    { label: "Server", kind: vscode.QuickPickItemKind.Separator },
    { label: "$(output) Open log", command: "kernelgen.showLog" },
    { label: "$(pulse) Doctor", command: "kernelgen.doctor" },
    { label: "$(debug-restart) Restart server", command: "kernelgen.restart" },
    { label: "$(book) Getting started", command: "kernelgen.gettingStarted" },
  ];
  const choice = await vscode.window.showQuickPick(entries, {
    title: `KernelGen: ${status?.message ?? "not running"}`,
    placeHolder: status?.detail || "What do you want to do?",
  });
  if (choice?.command !== undefined) await vscode.commands.executeCommand(choice.command);
}
