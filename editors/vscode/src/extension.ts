/** Entry point: what the extension contributes, and the life of the server. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { chooseModel, chooseRunner, togglePause } from "./choose.ts";
import { configureClangd } from "./clangd.ts";
import type { ClientParts } from "./client.ts";
import { isKernelText, isOperatorPath, languages } from "./kernelText.ts";
import { locate, type NotFound } from "./locate.ts";
import { inTerminal, install, ownProgram, probe } from "./program.ts";
import { proposalScheme, Proposals } from "./proposal.ts";
import { ReasoningDocuments, reasoningScheme } from "./reasoning.ts";
import { showMenu, StatusItem } from "./status.ts";

/** What the integration tests ask of the extension. */
export interface ExtensionApi {
  client(): LanguageClient | undefined;
  status(): StatusItem["status"];
}

/** The language client, a large piece of code, is read when a server is needed and not before: plain C++ pays nothing. */
const clientModule = () => import("./client.ts");

class Extension {
  private readonly storage: vscode.Uri;
  private readonly parts: ClientParts;
  private client: LanguageClient | undefined;
  private program: string | undefined;
  private starting: Promise<void> | undefined;

  constructor(context: vscode.ExtensionContext) {
    this.storage = context.globalStorageUri;
    const log = vscode.window.createOutputChannel("KernelGen", { log: true });
    this.parts = { status: new StatusItem(), reasoning: new ReasoningDocuments(), proposals: new Proposals(), log };
    context.subscriptions.push(
      log,
      this.parts.status,
      this.parts.reasoning,
      this.parts.proposals,
      vscode.workspace.registerTextDocumentContentProvider(reasoningScheme, this.parts.reasoning),
      vscode.workspace.registerTextDocumentContentProvider(proposalScheme, this.parts.proposals),
      ...this.commands(),
    );
  }

  get api(): ExtensionApi {
    return { client: () => this.client, status: () => this.parts.status.status };
  }

  /** Starts the server once; later calls wait for the same start. */
  async start(): Promise<void> {
    this.starting ??= this.startOnce().finally(() => {
      if (this.client === undefined) this.starting = undefined;
    });
    return this.starting;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.starting = undefined;
    if (client !== undefined) await (await clientModule()).stopClient(client);
  }

  private async startOnce(): Promise<void> {
    const { status, log } = this.parts;
    const setting = vscode.workspace.getConfiguration("kernelgen").get<string>("server.path") ?? "";
    const found = await locate(setting, ownProgram(this.storage), probe);
    if (!("program" in found)) {
      this.reportMissing(found);
      return;
    }
    log.info(`server ${found.version} at ${found.program} (from ${found.origin})`);
    this.program = found.program;
    status.show(undefined);
    const { createClient } = await clientModule();
    const client = createClient(found.program, this.parts);
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      const reason = `kernelgen-ls did not start: ${error instanceof Error ? error.message : String(error)}`;
      status.showStopped(reason);
      void vscode.window.showErrorMessage(reason, "Open log").then((choice) => {
        if (choice !== undefined) log.show();
      });
    }
  }

  private reportMissing(missing: NotFound): void {
    const { status, log } = this.parts;
    for (const line of missing.tried) log.warn(line);
    const reason = missing.broken !== undefined ? `kernelgen.server.path names ${missing.broken}, which does not run.` : "The kernelgen-ls server was not found.";
    status.showStopped(reason);
    const choices = missing.broken !== undefined ? ["Open settings", "Open log"] : ["Install", "Open settings", "Open log"];
    void vscode.window.showErrorMessage(reason, ...choices).then(async (choice) => {
      if (choice === "Install") await vscode.commands.executeCommand("kernelgen.installServer");
      if (choice === "Open settings") await vscode.commands.executeCommand("workbench.action.openSettings", "kernelgen.server.path");
      if (choice === "Open log") log.show();
    });
  }

  private commands(): vscode.Disposable[] {
    const register = (name: string, action: () => unknown) =>
      vscode.commands.registerCommand(`kernelgen.${name}`, async () => {
        try {
          await action();
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          this.parts.log.error(`${name}: ${message}`);
          void vscode.window.showErrorMessage(`KernelGen: ${message}`, "Open log").then((choice) => {
            if (choice !== undefined) this.parts.log.show();
          });
        }
      });
    const proposals = this.parts.proposals;
    return [
      register("generate", () => this.generate("kernelgen.generateKernel")),
      register("fixHere", () => this.generate("kernelgen.fix")),
      register("fixFile", () => this.generate("kernelgen.fixAll")),
      register("check", () => this.check()),
      register("measureHere", () => this.measure()),
      register("applyProposal", () => proposals.settle("apply")),
      register("discardProposal", () => proposals.settle("discard")),
      register("reasoning", () => this.parts.reasoning.show()),
      register("chooseModel", async () => chooseModel(await this.runningProgram())),
      register("chooseRunner", chooseRunner),
      register("pause", togglePause),
      register("menu", () => showMenu(this.parts.status.status)),
      register("showLog", () => this.parts.log.show()),
      register("doctor", async () => inTerminal("doctor", await this.runningProgram(), ["doctor"])),
      register("configureClangd", async () => configureClangd(await this.runningProgram(), proposals)),
      register("restart", async () => {
        await this.stop();
        await this.start();
      }),
      register("installServer", async () => {
        await install(this.storage, this.parts.log);
        await this.stop();
        await this.start();
      }),
      register("gettingStarted", () => vscode.commands.executeCommand("workbench.action.openWalkthrough", "kernelgen.kernelgen-ls#kernelgen.start", false)),
    ];
  }

  private async runningProgram(): Promise<string> {
    await this.start();
    if (this.program === undefined) throw new Error("the server was not found; install it first");
    return this.program;
  }

  private async running(): Promise<LanguageClient> {
    await this.start();
    if (this.client === undefined) throw new Error("the server is not running");
    return this.client;
  }

  private editor(): vscode.TextEditor {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) throw new Error("open a kernel first");
    return editor;
  }

  private async execute<T>(command: string, ...args: unknown[]): Promise<T | null> {
    const client = await this.running();
    return client.sendRequest<T | null>("workspace/executeCommand", { command, arguments: args });
  }

  private async here(): Promise<[string, unknown]> {
    const client = await this.running();
    const editor = this.editor();
    return [client.code2ProtocolConverter.asUri(editor.document.uri), client.code2ProtocolConverter.asPosition(editor.selection.active)];
  }

  private async generate(command: string): Promise<void> {
    const [uri, position] = await this.here();
    const args = command === "kernelgen.fixAll" ? [uri] : [uri, position];
    const { runGeneration } = await clientModule();
    await runGeneration(await this.running(), command, args, this.parts);
  }

  private async check(): Promise<void> {
    const [uri] = await this.here();
    const counts = await this.execute<{ errors: number; warnings: number }>("kernelgen.checkNow", uri);
    const message = counts === null ? "This file is not a kernel." : `Checked: ${counts.errors} errors, ${counts.warnings} warnings.`;
    vscode.window.setStatusBarMessage(`$(check) ${message}`, 5000);
  }

  private async measure(): Promise<void> {
    const { runMeasurement } = await clientModule();
    await runMeasurement(await this.running(), await this.here());
  }
}

function isOurs(document: vscode.TextDocument): boolean {
  const { scheme } = document.uri;
  if (!languages.includes(document.languageId) || !(scheme === "file" || (scheme === "untitled" && document.languageId === "ascendc"))) return false;
  return document.languageId === "ascendc" || isOperatorPath(document.uri.fsPath) || isKernelText(document.getText());
}

let extension: Extension | undefined;

export function activate(context: vscode.ExtensionContext): ExtensionApi {
  const current = new Extension(context);
  extension = current;
  const consider = (document: vscode.TextDocument) => {
    if (isOurs(document)) void current.start();
  };
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(consider),
    // A file that becomes a kernel by typing or by being saved deserves the server too.
    vscode.workspace.onDidSaveTextDocument(consider),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void vscode.commands.executeCommand("kernelgen.restart")),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("kernelgen.server.path")) void vscode.commands.executeCommand("kernelgen.restart");
    }),
  );
  vscode.workspace.textDocuments.forEach(consider);
  return current.api;
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}
