/** The language client: what is sent at the start, and what is done to requests on their way. */

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ErrorCodes,
  type ErrorHandler,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  type ServerOptions,
  State,
  TextDocumentEdit,
  WorkDoneProgress,
  type WorkspaceEdit,
} from "vscode-languageclient/node";
import type { Server } from "./lifecycle.ts";
import { languages } from "./marks.ts";
import { ended } from "./processes.ts";
import { Proposals } from "./proposal.ts";
import {
  describeGeneration,
  describeMeasurement,
  type GenerationOutcome,
  generating,
  type Measurement,
  measuring,
  methods,
  type ReasoningPiece,
  type ServerStatus,
  trustedOnly,
  type Verification,
  verifying,
  writingCases,
} from "./protocol.ts";
import type { ReasoningDocuments } from "./reasoning.ts";
import { answeredSettings, isSet, type Settings, sentSettings } from "./sent.ts";
import type { StatusItem } from "./status.ts";
import { ifTrusted } from "./trust.ts";
import { within } from "./within.ts";

const documentSelector = languages
  .map((language) => ({ scheme: "file", language }))
  .concat([{ scheme: "untitled", language: "ascendc" }]);

/** How long a server may take to answer `initialize`: a cold start on a busy machine takes some seconds. */
const startSeconds = 60;

/** How long it may take to end: it gives its own children five seconds. */
const stopSeconds = 8;

/** Those of the settings that are set; reading through JSON turns VS Code's proxies into plain values. */
function setSettings(names: readonly string[], scope?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration("kernelgen", scope);
  const set = names.filter((name) => isSet(configuration.inspect(name))).map((name) => [name, configuration.get(name)]);
  return JSON.parse(JSON.stringify(Object.fromEntries(set))) as Settings;
}

export interface ClientParts {
  status: StatusItem;
  reasoning: ReasoningDocuments;
  proposals: Proposals;
  log: vscode.LogOutputChannel;
  /** The names of the server's settings. */
  settings: readonly string[];
}

/** A server that dies is restarted three times within three minutes, then left alone with the log at hand. */
class RestartPolicy implements ErrorHandler {
  private static readonly window = 3 * 60 * 1000;
  private deaths: number[] = [];
  /** Only a server that ran is started again: one that does not start is told once, and one that is to end may. */
  stage: "starting" | "running" | "ending" = "starting";
  private readonly gaveUp: () => void;

  constructor(gaveUp: () => void) {
    this.gaveUp = gaveUp;
  }

  error(): { action: ErrorAction } {
    return { action: ErrorAction.Continue };
  }

  closed(): { action: CloseAction; handled: boolean } {
    if (this.stage !== "running") return { action: CloseAction.DoNotRestart, handled: true };
    const now = Date.now();
    this.deaths = [...this.deaths.filter((at) => now - at < RestartPolicy.window), now];
    if (this.deaths.length <= 3) return { action: CloseAction.Restart, handled: true };
    this.gaveUp();
    return { action: CloseAction.DoNotRestart, handled: true };
  }
}

/** A server and the client that speaks with it. The client alone can neither be stopped while it starts nor be sure of an end. */
export class ServerClient implements Server {
  readonly client: LanguageClient;
  private readonly policy: RestartPolicy;

  constructor(client: LanguageClient, policy: RestartPolicy) {
    this.client = client;
    this.policy = policy;
  }

  async start(): Promise<void> {
    try {
      await within(startSeconds, "no answer", this.client.start());
    } catch (error) {
      throw (error as { code?: unknown }).code === ErrorCodes.PendingResponseRejected
        ? new Error("it ended before it answered; the log says why")
        : error;
    }
    this.policy.stage = "running";
  }

  async stop(): Promise<void> {
    const ran = this.policy.stage === "running";
    this.policy.stage = "ending";
    // The client starts it again after a crash: it can be stopped once that is through.
    if (ran && this.client.state === State.Starting)
      await within(stopSeconds, "no answer", this.client.start()).catch(() => undefined);
    const { serverProcess, state } = this.client;
    try {
      if (state !== State.StartFailed) await this.client.dispose(stopSeconds * 1000);
    } finally {
      // The client kills what does not end, but somewhat later, and the next server must not meet it. One that never
      // answered has nothing to put in order.
      if (serverProcess !== undefined) await ended(serverProcess, state === State.Running ? stopSeconds : 0);
    }
  }
}

export function createServer(program: string, parts: ClientParts): ServerClient {
  const { status, reasoning, proposals, log, settings } = parts;
  const serverOptions: ServerOptions = { command: program, args: ["serve", "--stdio"] };
  let atStart: Settings = {};
  const policy = new RestartPolicy(() => {
    const reason = "kernelgen-ls stopped again and again; it was not restarted.";
    status.showStopped(reason);
    void vscode.window.showErrorMessage(reason, "Open log", "Restart").then((choice) => {
      if (choice === "Open log") log.show();
      if (choice === "Restart") void vscode.commands.executeCommand("kernelgen.restart");
    });
  });
  const middleware: Middleware = {
    executeCommand: (command, args, next) => {
      const run = () => {
        if (generating.has(command)) return runGeneration(client, command, args, parts);
        if (command === verifying) return runVerification(client, args);
        return command === measuring ? runMeasurement(client, args) : next(command, args);
      };
      return trustedOnly.has(command) ? ifTrusted(run) : run();
    },
    workspace: {
      configuration: async (params, token, next) => {
        const values = await next(params, token);
        if (!Array.isArray(values)) return values;
        return params.items.map(({ section, scopeUri }, i) => {
          if (section !== "kernelgen") return values[i];
          const scope = scopeUri ? client.protocol2CodeConverter.asUri(scopeUri) : undefined;
          return answeredSettings(atStart, setSettings(settings, scope), vscode.workspace.isTrusted);
        });
      },
      // Without the values, which would be every default: the server asks for them.
      didChangeConfiguration: (_, next) => next(undefined),
      handleApplyEdit: async (params, next) => {
        if (!Proposals.needsConfirmation(params)) return next(params, new vscode.CancellationTokenSource().token);
        const stale = changedSince(client, params.edit);
        if (stale !== undefined)
          return {
            applied: false,
            failureReason: `${stale} changed while the model worked. Nothing was applied: ask again.`,
          };
        // It comes when the model is done: the user may be typing elsewhere by then.
        return proposals.propose(
          params.label ?? "KernelGen",
          await client.protocol2CodeConverter.asWorkspaceEdit(params.edit),
          { unasked: true, wrong: Proposals.isWrong(params) },
        );
      },
    },
  };
  const options: LanguageClientOptions = {
    documentSelector,
    outputChannel: log,
    initializationOptions: () => (atStart = sentSettings(setSettings(settings), vscode.workspace.isTrusted)),
    middleware,
    markdown: { isTrusted: false, supportHtml: false },
    errorHandler: policy,
    // What does not start is told by who started it.
    initializationFailedHandler: () => false,
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
  return new ServerClient(client, policy);
}

/** The name of a document that is no longer at the version an edit was made for. */
function changedSince(client: LanguageClient, edit: WorkspaceEdit): string | undefined {
  for (const change of edit.documentChanges ?? []) {
    if (!TextDocumentEdit.is(change) || change.textDocument.version === null) continue;
    const uri = client.protocol2CodeConverter.asUri(change.textDocument.uri);
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (document !== undefined && document.version !== change.textDocument.version)
      return vscode.workspace.asRelativePath(uri);
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
function runLong<T>(
  client: LanguageClient,
  title: string,
  command: string,
  args: unknown[],
  followed?: Followed,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        serial += 1;
        const workDoneToken = `kernelgen-${serial}`;
        const subscriptions = [
          client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
            if (value.kind !== "end" && value.message !== undefined) progress.report({ message: value.message });
          }),
        ];
        const proposed = new Promise<void>((shown) => {
          if (followed === undefined) return;
          subscriptions.push(
            followed.stage((generation) => progress.report({ message: describeGeneration(generation) })),
          );
          subscriptions.push(followed.proposed(shown));
        });
        const answered = client
          .sendRequest(ExecuteCommandRequest.type, { command, arguments: args, workDoneToken }, token)
          .then(
            (answer) => (answer as T | null) ?? undefined,
            (error: unknown) => {
              if (!token.isCancellationRequested) throw error;
              return undefined;
            },
          );
        resolve(answered);
        await Promise.race([proposed, answered.catch(() => undefined)]);
        for (const subscription of subscriptions) subscription.dispose();
      },
    );
  });
}

/** Generates or mends; what came of it, where it did not simply succeed, is told. */
export async function runGeneration(
  client: LanguageClient,
  command: string,
  args: unknown[],
  parts: ClientParts,
): Promise<GenerationOutcome | undefined> {
  const title = generating.get(command) ?? command;
  const outcome = await runLong<GenerationOutcome>(client, title, command, args, {
    stage: parts.status.onGeneration,
    proposed: parts.proposals.onDidShow,
  });
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
  if ("reason" in outcome) {
    const { reason, instead } = outcome;
    void vscode.window.showWarningMessage(reason, ...(instead ? [instead.title] : [])).then(async (choice) => {
      if (choice !== undefined && instead?.command === verifying) await runVerification(client, args);
    });
  }
  // The status bar has room for a figure, not for notes on it.
  else if (outcome.warnings?.length) void vscode.window.showInformationMessage(describeMeasurement(outcome));
  else vscode.window.setStatusBarMessage(`$(dashboard) ${describeMeasurement(outcome)}`, 10_000);
  return outcome;
}

/** Runs the entry function at a position on its cases; the verdict is told, or why there is none. */
export async function runVerification(client: LanguageClient, args: unknown[]): Promise<Verification | undefined> {
  const outcome = await runLong<Verification>(client, "Run kernel", verifying, args);
  if (outcome === undefined) return undefined;
  if ("reason" in outcome) void vscode.window.showWarningMessage(outcome.reason);
  else if (outcome.verdict === "right") vscode.window.setStatusBarMessage(`$(pass) ${outcome.message}`, 10_000);
  else if (outcome.verdict === "wrong") {
    const choices = ["Show Problems", ...(outcome.madeFrom ? ["Write Cases"] : [])];
    void vscode.window.showWarningMessage(outcome.message, ...choices).then(async (choice) => {
      if (choice === "Show Problems") await vscode.commands.executeCommand("workbench.actions.view.problems");
      if (choice === "Write Cases") await writeCases(client, args);
    });
  } else void vscode.window.showInformationMessage(outcome.message);
  return outcome;
}

/** Writes the cases that were made for the entry function at a position, and opens the file. */
export async function writeCases(client: LanguageClient, args: unknown[]): Promise<void> {
  const written = await client.sendRequest<{ uri: string } | { reason: string }>("workspace/executeCommand", {
    command: writingCases,
    arguments: args,
  });
  if ("reason" in written) void vscode.window.showWarningMessage(written.reason);
  else await vscode.window.showTextDocument(client.protocol2CodeConverter.asUri(written.uri));
}
