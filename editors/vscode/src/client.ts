/** The language client: what is sent at the start, and what is done to requests on their way. */

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  State,
  TextDocumentEdit,
  WorkDoneProgress,
  type ErrorHandler,
  type LanguageClientOptions,
  type Middleware,
  type ServerOptions,
  type WorkspaceEdit,
} from "vscode-languageclient/node";
import { languages } from "./kernelText.ts";
import { describeGeneration, describeMeasurement, generating, measuring, methods, type GenerationOutcome, type Measurement, type ReasoningPiece, type ServerStatus } from "./protocol.ts";
import { Proposals } from "./proposal.ts";
import type { ReasoningDocuments } from "./reasoning.ts";
import { sentSettings } from "./sent.ts";
import type { StatusItem } from "./status.ts";

const documentSelector = languages.map((language) => ({ scheme: "file", language })).concat([{ scheme: "untitled", language: "ascendc" }]);

/** The settings as the server takes them; reading through JSON turns VS Code's proxies into plain values. */
export function currentSettings(): Record<string, unknown> {
  return sentSettings(JSON.parse(JSON.stringify(vscode.workspace.getConfiguration("kernelgen"))) as Record<string, unknown>, vscode.workspace.isTrusted);
}

export interface ClientParts {
  status: StatusItem;
  reasoning: ReasoningDocuments;
  proposals: Proposals;
  log: vscode.LogOutputChannel;
}

/** A server that dies is restarted three times within three minutes, then left alone with the log at hand. */
class RestartPolicy implements ErrorHandler {
  private static readonly window = 3 * 60 * 1000;
  private deaths: number[] = [];
  private readonly gaveUp: () => void;

  constructor(gaveUp: () => void) {
    this.gaveUp = gaveUp;
  }

  error(): { action: ErrorAction } {
    return { action: ErrorAction.Continue };
  }

  closed(): { action: CloseAction; handled: boolean } {
    const now = Date.now();
    this.deaths = [...this.deaths.filter((at) => now - at < RestartPolicy.window), now];
    if (this.deaths.length <= 3) return { action: CloseAction.Restart, handled: true };
    this.gaveUp();
    return { action: CloseAction.DoNotRestart, handled: true };
  }
}

export function createClient(program: string, parts: ClientParts): LanguageClient {
  const { status, reasoning, proposals, log } = parts;
  const serverOptions: ServerOptions = { command: program, args: ["serve", "--stdio"] };
  const middleware: Middleware = {
    executeCommand: async (command, args, next) => {
      if (generating.has(command)) return runGeneration(client, command, args, parts);
      return command === measuring ? runMeasurement(client, args) : next(command, args);
    },
    workspace: {
      configuration: async (params, token, next) => {
        const values = await next(params, token);
        return Array.isArray(values) ? values.map((value, i) => (params.items[i]?.section === "kernelgen" ? sentSettings((value ?? {}) as Record<string, unknown>, vscode.workspace.isTrusted) : value)) : values;
      },
      handleApplyEdit: async (params, next) => {
        if (!Proposals.needsConfirmation(params)) return next(params, new vscode.CancellationTokenSource().token);
        const stale = changedSince(client, params.edit);
        if (stale !== undefined) return { applied: false, failureReason: `${stale} changed while the model worked. Nothing was applied: ask again.` };
        return proposals.propose(params.label ?? "KernelGen", await client.protocol2CodeConverter.asWorkspaceEdit(params.edit));
      },
    },
  };
  const options: LanguageClientOptions = {
    documentSelector,
    outputChannel: log,
    initializationOptions: currentSettings,
    middleware,
    markdown: { isTrusted: false, supportHtml: false },
    errorHandler: new RestartPolicy(() => {
      const reason = "kernelgen-ls stopped again and again; it was not restarted.";
      status.showStopped(reason);
      void vscode.window.showErrorMessage(reason, "Open log", "Restart").then((choice) => {
        if (choice === "Open log") log.show();
        if (choice === "Restart") void vscode.commands.executeCommand("kernelgen.restart");
      });
    }),
  };
  const client = new LanguageClient("kernelgen", "KernelGen", serverOptions, options);
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      const declared = { kernelgenStatus: true, kernelgenReasoning: true };
      capabilities.experimental = { ...(capabilities.experimental as object | undefined), ...declared };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  client.onNotification(methods.status, (message: ServerStatus) => status.show(message));
  client.onNotification(methods.reasoning, (piece: ReasoningPiece) => reasoning.append(piece));
  return client;
}

export async function stopClient(client: LanguageClient): Promise<void> {
  if (client.state === State.Running || client.state === State.Starting) await client.stop();
  await client.dispose();
}

/** The name of a document that is no longer at the version an edit was made for. */
function changedSince(client: LanguageClient, edit: WorkspaceEdit): string | undefined {
  for (const change of edit.documentChanges ?? []) {
    if (!TextDocumentEdit.is(change) || change.textDocument.version === null) continue;
    const uri = client.protocol2CodeConverter.asUri(change.textDocument.uri);
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (document !== undefined && document.version !== change.textDocument.version) return vscode.workspace.asRelativePath(uri);
  }
  return undefined;
}

let serial = 0;

/** What a long command's progress follows beside the server's own progress reports. */
interface Followed {
  stage: StatusItem["onGeneration"];
  /** The notification goes when this fires: by then nothing is left to cancel. */
  proposed: Proposals["onDidShow"];
}

/**
 * Runs a long command with a progress notification whose Cancel cancels the request; undefined where it was cancelled.
 * The token is ours, because a progress that the server creates has no Cancel button here.
 */
function runLong<T>(client: LanguageClient, title: string, command: string, args: unknown[], followed?: Followed): Promise<T | undefined> {
  return new Promise((resolve) => {
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (progress, token) => {
      const workDoneToken = `kernelgen-${(serial += 1)}`;
      const subscriptions = [
        client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
          if (value.kind !== "end" && value.message !== undefined) progress.report({ message: value.message });
        }),
      ];
      const proposed = new Promise<void>((shown) => {
        if (followed === undefined) return;
        subscriptions.push(followed.stage((generation) => progress.report({ message: describeGeneration(generation) })));
        subscriptions.push(followed.proposed(shown));
      });
      const answered = client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args, workDoneToken }, token).then(
        (answer) => (answer as T | null) ?? undefined,
        (error: unknown) => {
          if (!token.isCancellationRequested) throw error;
          return undefined;
        },
      );
      resolve(answered);
      await Promise.race([proposed, answered.catch(() => undefined)]);
      for (const subscription of subscriptions) subscription.dispose();
    });
  });
}

/** Generates or mends; what came of it, where it did not simply succeed, is told. */
export async function runGeneration(client: LanguageClient, command: string, args: unknown[], parts: ClientParts): Promise<GenerationOutcome | undefined> {
  const title = command === "kernelgen.generateKernel" ? "Generate kernel" : "Fix with KernelGen";
  const outcome = await runLong<GenerationOutcome>(client, title, command, args, { stage: parts.status.onGeneration, proposed: parts.proposals.onDidShow });
  if (outcome?.applied === false && outcome.reason && outcome.reason !== "discarded") {
    void vscode.window.showWarningMessage(outcome.reason, "Open log").then((choice) => {
      if (choice !== undefined) client.outputChannel.show();
    });
  }
  return outcome;
}

/** Measures the entry function at a position; the figure is told with what it is, or why there is none. */
export async function runMeasurement(client: LanguageClient, args: unknown[]): Promise<Measurement | undefined> {
  const outcome = await runLong<Measurement>(client, "Measure kernel", measuring, args);
  if (outcome === undefined) return undefined;
  if ("reason" in outcome) void vscode.window.showWarningMessage(outcome.reason);
  else vscode.window.setStatusBarMessage(`$(dashboard) ${describeMeasurement(outcome)}`, 10_000);
  return outcome;
}
