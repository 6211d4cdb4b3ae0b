/** Entry point: what the extension contributes, and the life of the server. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { chooseModel, chooseRunner, togglePause } from "./choose.ts";
import { configureClangd } from "./clangd.ts";
import type { ClientParts, ServerClient } from "./client.ts";
import { findPython, install } from "./install.ts";
import { isKernelText, isOperatorPath } from "./kernelText.ts";
import { Lifecycle } from "./lifecycle.ts";
import { locate, type NotFound } from "./locate.ts";
import { languages } from "./marks.ts";
import type { Permissions } from "./permission.ts";
import { createPermissions, createProbe, inTerminal, ownProgram, selectedPython } from "./program.ts";
import { Proposals, proposalScheme } from "./proposal.ts";
import { ReasoningDocuments, reasoningScheme } from "./reasoning.ts";
import { settingNames } from "./sent.ts";
import { StatusItem, showMenu } from "./status.ts";
import { ifTrusted } from "./trust.ts";

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
  private readonly permissions: Permissions;
  private readonly lifecycle: Lifecycle<ServerClient>;
  private program: string | undefined;
  /** The installation that runs; aborting it ends it. */
  private installing: AbortController | undefined;

  constructor(context: vscode.ExtensionContext) {
    this.storage = context.globalStorageUri;
    const log = vscode.window.createOutputChannel("KernelGen", { log: true });
    const settings = settingNames(context.extension.packageJSON.contributes.configuration.properties);
    this.parts = {
      status: new StatusItem(),
      reasoning: new ReasoningDocuments(),
      proposals: new Proposals(),
      log,
      settings,
    };
    this.permissions = createPermissions(context.workspaceState, () => void this.lifecycle.restart());
    this.lifecycle = new Lifecycle({
      open: () => this.open(),
      failed: (error) => this.reportFailure(error),
      troubled: (error) => log.warn(`The server did not end as it should: ${messageOf(error)}`),
    });
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
    return { client: () => this.lifecycle.current?.client, status: () => this.parts.status.status };
  }

  /** Starts the server once; later calls wait for the same start, also where it failed: the user has been told why. */
  start(): Promise<void> {
    return this.lifecycle.start();
  }

  async stop(): Promise<void> {
    // The end of the server waits for its turn behind the installation.
    this.installing?.abort();
    await this.lifecycle.stop();
  }

  private async open(): Promise<ServerClient | undefined> {
    const { status, log } = this.parts;
    this.program = undefined;
    const setting = vscode.workspace.getConfiguration("kernelgen").get<string>("server.path") ?? "";
    const found = await locate(setting, ownProgram(this.storage), createProbe(this.permissions, log));
    if (!("program" in found)) {
      this.reportMissing(found);
      return undefined;
    }
    log.info(`server ${found.version} at ${found.program} (from ${found.origin})`);
    this.program = found.program;
    status.show(undefined);
    const { createServer } = await clientModule();
    return createServer(found.program, this.parts);
  }

  private reportFailure(error: unknown): void {
    const { status, log } = this.parts;
    const reason = `kernelgen-ls did not start: ${messageOf(error)}`;
    log.error(reason);
    status.showStopped(reason);
    void vscode.window.showErrorMessage(reason, "Restart", "Open log").then((choice) => {
      if (choice === "Restart") void vscode.commands.executeCommand("kernelgen.restart");
      if (choice === "Open log") log.show();
    });
  }

  private reportMissing(missing: NotFound): void {
    const { status, log } = this.parts;
    for (const line of missing.tried) log.warn(line);
    if (missing.asked !== undefined) {
      status.showStopped(`${missing.asked} runs once you allow it: KernelGen: Restart Server asks again.`);
      return;
    }
    const reason =
      missing.broken !== undefined
        ? `kernelgen.server.path names ${missing.broken}, which does not run.`
        : "The kernelgen-ls server was not found.";
    status.showStopped(`${reason} Once it is there: KernelGen: Restart Server.`);
    // Who just installed has been told what became of that.
    if (this.installing !== undefined) return;
    const choices =
      missing.broken !== undefined ? ["Open settings", "Open log"] : ["Install", "Open settings", "Open log"];
    void vscode.window.showErrorMessage(reason, ...choices).then(async (choice) => {
      if (choice === "Install") await vscode.commands.executeCommand("kernelgen.installServer");
      if (choice === "Open settings")
        await vscode.commands.executeCommand("workbench.action.openSettings", "kernelgen.server.path");
      if (choice === "Open log") log.show();
    });
  }

  private commands(): vscode.Disposable[] {
    const register = (name: string, action: () => unknown) =>
      vscode.commands.registerCommand(`kernelgen.${name}`, async () => {
        try {
          await action();
        } catch (error) {
          const message = messageOf(error);
          this.parts.log.error(`${name}: ${message}`);
          void vscode.window.showErrorMessage(`KernelGen: ${message}`, "Open log").then((choice) => {
            if (choice !== undefined) this.parts.log.show();
          });
        }
      });
    // What a menu greys out can still be called by its name.
    const registerTrusted = (name: string, action: () => unknown) => register(name, () => ifTrusted(action));
    const proposals = this.parts.proposals;
    return [
      registerTrusted("generate", () => this.generate("kernelgen.generateKernel")),
      registerTrusted("fixHere", () => this.generate("kernelgen.fix")),
      registerTrusted("fixFile", () => this.generate("kernelgen.fixAll")),
      registerTrusted("check", () => this.check()),
      registerTrusted("runHere", () => this.run()),
      registerTrusted("writeCasesHere", () => this.writeCases()),
      registerTrusted("measureHere", () => this.measure()),
      register("applyProposal", () => proposals.settle("apply")),
      register("discardProposal", () => proposals.settle("discard")),
      register("showProposal", () => proposals.showLast()),
      register("reasoning", () => this.parts.reasoning.show()),
      register("chooseModel", async () => chooseModel(await this.runningProgram())),
      register("chooseRunner", chooseRunner),
      register("pause", () => togglePause(this.parts.status.status)),
      register("menu", () => showMenu(this.parts.status.status)),
      register("showLog", () => this.parts.log.show()),
      registerTrusted("doctor", async () => inTerminal("doctor", await this.runningProgram(), ["doctor"])),
      registerTrusted("configureClangd", async () => configureClangd(await this.runningProgram(), proposals)),
      register("restart", () => this.lifecycle.restart()),
      register("installServer", () => this.install()),
      register("gettingStarted", () =>
        vscode.commands.executeCommand(
          "workbench.action.openWalkthrough",
          "kernelgen.kernelgen-ls#kernelgen.start",
          false,
        ),
      ),
    ];
  }

  private async runningProgram(): Promise<string> {
    await this.start();
    if (this.program === undefined) throw new Error("the server was not found: KernelGen: Install Server installs it");
    return this.program;
  }

  private async running(): Promise<LanguageClient> {
    await this.start();
    const client = this.lifecycle.current?.client;
    if (client === undefined)
      throw new Error("the server is not running: KernelGen: Restart Server tries again, the log says why");
    return client;
  }

  /** Installs while no server runs, for pip replaces what a running one executes. */
  private async install(): Promise<void> {
    if (this.installing !== undefined) {
      void vscode.window.showInformationMessage(
        "kernelgen-ls is being installed already: its notification shows how far it is.",
      );
      return;
    }
    const installing = new AbortController();
    this.installing = installing;
    try {
      const { log } = this.parts;
      const selected = await selectedPython(log);
      // An interpreter of the opened folder's is a program that the folder chose.
      const own =
        selected !== undefined && !selected.byWorkspace && this.permissions.holder(selected.path) === undefined;
      const python = await findPython(own ? selected.path : undefined, log);
      let installed = false;
      await this.lifecycle.restart(async () => {
        installed = await install(python, this.storage, log, installing.signal);
      });
      if (installed && this.program === undefined)
        throw new Error("kernelgen-ls was installed but does not run: the log says what was tried");
    } finally {
      this.installing = undefined;
    }
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
    return [
      client.code2ProtocolConverter.asUri(editor.document.uri),
      client.code2ProtocolConverter.asPosition(editor.selection.active),
    ];
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
    const message =
      counts === null ? "This file is not a kernel." : `Checked: ${counts.errors} errors, ${counts.warnings} warnings.`;
    vscode.window.setStatusBarMessage(`$(check) ${message}`, 5000);
  }

  private async run(): Promise<void> {
    const { runVerification } = await clientModule();
    await runVerification(await this.running(), await this.here());
  }

  private async writeCases(): Promise<void> {
    const { writeCases } = await clientModule();
    await writeCases(await this.running(), await this.here());
  }

  private async measure(): Promise<void> {
    const { runMeasurement } = await clientModule();
    await runMeasurement(await this.running(), await this.here());
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isOurs(document: vscode.TextDocument): boolean {
  const { scheme } = document.uri;
  if (
    !languages.includes(document.languageId) ||
    !(scheme === "file" || (scheme === "untitled" && document.languageId === "ascendc"))
  )
    return false;
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
