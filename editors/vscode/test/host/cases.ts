/** What a user does in VS Code, against the real server, model and checker. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { State } from "vscode-languageclient/node";
import type { ExtensionApi } from "../../src/extension.ts";
import {
  api,
  type Case,
  diagnostics,
  diffTab,
  endOfLine,
  eventually,
  extensionId,
  lenses,
  open,
  placeCursor,
  replaceAll,
  serverProcesses,
  serverReady,
  setting,
  workspaceFile,
} from "./support.ts";

export const cases: Case[] = [];
const test = (name: string, body: () => Promise<void>) => cases.push({ name, body });

const kernel = "add.asc";

/** Waits for the diff of a command that runs, applies what it shows, and waits until the command is done. */
async function applyProposal(running: Thenable<unknown>): Promise<void> {
  await diffTab();
  await vscode.commands.executeCommand("kernelgen.applyProposal");
  await running;
}

/** Starts a generation on the specification. It is wrapped, so that awaiting the start does not await the end. */
async function startGenerating(): Promise<{
  extension: ExtensionApi;
  editor: vscode.TextEditor;
  original: string;
  running: Thenable<unknown>;
}> {
  const extension = await serverReady();
  const editor = await open("spec.asc");
  const original = editor.document.getText();
  placeCursor(editor, "void");
  const running = vscode.commands.executeCommand("kernelgen.generate");
  await eventually("it generates", () => extension.status()?.generation ?? undefined);
  return { extension, editor, original, running };
}

test("activation, without the server's own start", async () => {
  const extension = vscode.extensions.getExtension<ExtensionApi>(extensionId);
  assert.ok(extension && !extension.isActive, "nothing has asked for the extension yet");
  const exported = await extension.activate();
  assert.equal(exported.client(), undefined);
});

test("plain C++ does not start the server", async () => {
  await open("plain.cpp");
  const extension = await api();
  assert.equal(extension.client(), undefined);
});

test("the workspace is trusted, as these cases assume", async () => {
  assert.ok(vscode.workspace.isTrusted);
});

test("a missing server is said, and the setting that finds it starts it", async () => {
  await setting("server.path", "/nowhere/kernelgen-ls");
  await open(kernel);
  await vscode.commands.executeCommand("kernelgen.restart");
  assert.equal((await api()).client(), undefined);
  await setting("server.path", undefined);
  const extension = await serverReady();
  assert.ok(extension.client(), "the server runs now");
});

test("restarts in quick succession, also during a start, leave one server that answers", async () => {
  const extension = await serverReady();
  const restart = () => vscode.commands.executeCommand("kernelgen.restart");
  const restarting = [restart(), restart()];
  await eventually("the next one starts", () => (extension.client()?.state === State.Starting ? true : undefined));
  await Promise.all([...restarting, restart(), restart()]);
  await serverReady();
  assert.equal(extension.client()?.state, State.Running);
  await eventually("one server is left", () => serverProcesses().length === 1);
});

test("the starter model is called what it is", async () => {
  const status = (await serverReady()).status();
  assert.ok(status?.model?.starter, "the model in use is the starter");
  assert.match(status.message, /starter/i);
});

test("a model that is missing is said, the rest goes on, and the next one is loaded", async () => {
  const extension = await serverReady();
  await setting("model.path", "/nowhere/model.gguf");
  const status = await eventually("the status says so", () => {
    const now = extension.status();
    return now !== undefined && ["off", "failed"].includes(now.model?.state ?? "") ? now : undefined;
  });
  assert.match(status.detail, /\/nowhere\/model\.gguf/);
  assert.ok(["warning", "error"].includes(status.state), status.state);
  assert.ok((await lenses(await open(kernel))).length > 0, "what needs no model answers");
  await setting("model.path", undefined);
  await eventually(
    "the starter is back",
    () => extension.status()?.model?.starter && extension.status()?.model?.state === "ready",
  );
});

test("a model chosen from the list is this machine's setting", async () => {
  const extension = await serverReady();
  const choosing = vscode.commands.executeCommand("kernelgen.chooseModel");
  const chosen = () => vscode.workspace.getConfiguration("kernelgen").get<string>("model.path");
  await eventually("the first of the list is taken", async () => {
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    return chosen() !== "";
  });
  await choosing;
  assert.match(chosen() ?? "", /\.gguf$/);
  assert.equal(vscode.workspace.getConfiguration("kernelgen").inspect("model.path")?.workspaceValue, undefined);
  await setting("model.path", undefined);
  await eventually("the starter answers", () => extension.status()?.model?.state === "ready");
});

test("AscendC names are completed", async () => {
  await serverReady();
  const editor = await open("half.asc");
  const line = endOfLine(editor.document, "DataCopy(xLocal").line;
  const at = new vscode.Position(line, editor.document.lineAt(line).text.indexOf("DataCopy") + 4);
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    "vscode.executeCompletionItemProvider",
    editor.document.uri,
    at,
  );
  const labels = list.items.map((item) => (typeof item.label === "string" ? item.label : item.label.label));
  assert.ok(labels.includes("DataCopyPad"), labels.slice(0, 20).join(", "));
});

test("the kernel of the snippet passes the checker", async () => {
  const extension = await serverReady();
  await vscode.workspace.fs.writeFile(workspaceFile("snippet.asc"), new Uint8Array());
  const editor = await open("snippet.asc");
  await vscode.commands.executeCommand("editor.action.insertSnippet", { langId: "ascendc", name: "Vector kernel" });
  assert.match(editor.document.getText(), /__aicore__/);
  await editor.document.save();
  const counts = await extension.client()?.sendRequest("workspace/executeCommand", {
    command: "kernelgen.checkNow",
    arguments: [editor.document.uri.toString()],
  });
  assert.deepEqual(
    counts,
    { errors: 0, warnings: 0 },
    diagnostics(editor)
      .map((one) => one.message)
      .join("; "),
  );
});

test("ghost text on request, accepted word by word and whole, undone", async () => {
  await serverReady();
  const editor = await open("half.asc");
  const original = editor.document.getText();
  const at = endOfLine(editor.document, "inQueueX.EnQ");
  editor.selection = new vscode.Selection(at, at);
  const line = () => editor.document.lineAt(at.line).text;
  const before = line();
  await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
  await eventually("a word is accepted", async () => {
    await vscode.commands.executeCommand("editor.action.inlineSuggest.acceptNextWord");
    return line() !== before;
  });
  assert.ok(line().startsWith(before), `${line()} continues ${before}`);
  await vscode.commands.executeCommand("editor.action.inlineSuggest.commit");
  await eventually("undo gives the text back", async () => {
    await vscode.commands.executeCommand("undo");
    return editor.document.getText() === original;
  });
});

test("saving a broken kernel underlines the line, mending it clears it", async () => {
  await serverReady();
  const editor = await open(kernel);
  const text = editor.document.getText();
  await replaceAll(editor, text.replace("outQueueZ.FreeTensor(", "outQueueZ.FreTensor("));
  await editor.document.save();
  const found = await eventually("an error is shown", () => diagnostics(editor)[0]);
  assert.match(editor.document.lineAt(found.range.start.line).text, /FreTensor/);
  assert.equal(found.source, "embedded");
  await replaceAll(editor, text);
  await editor.document.save();
  await eventually("the error is gone", () => diagnostics(editor).length === 0);
});

test("a fix-it of the checker is offered and mends the line", async () => {
  await serverReady();
  const editor = await open(kernel);
  const text = editor.document.getText();
  await replaceAll(editor, text.replace("outQueueZ.FreeTensor(", "outQueueZ.FreTensor("));
  await editor.document.save();
  const found = await eventually("an error is shown", () => diagnostics(editor)[0]);
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    editor.document.uri,
    found.range,
    vscode.CodeActionKind.QuickFix.value,
    10,
  );
  const fix = actions.find((action) => action.edit !== undefined);
  assert.ok(fix?.edit, `a quick fix with an edit among ${actions.map((action) => action.title).join(", ")}`);
  assert.ok(
    actions.some((action) => action.title.includes("KernelGen")),
    "Fix with KernelGen is offered",
  );
  await vscode.workspace.applyEdit(fix.edit);
  assert.equal(editor.document.getText(), text);
  await editor.document.save();
  await eventually("the error is gone", () => diagnostics(editor).length === 0);
});

test("hover explains an API name and gives the entry function's latency with its kind", async () => {
  await serverReady();
  const editor = await open(kernel);
  const hover = async (text: string, offset: number) => {
    const position = endOfLine(editor.document, text);
    const at = new vscode.Position(position.line, editor.document.lineAt(position.line).text.indexOf(text) + offset);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      editor.document.uri,
      at,
    );
    return hovers
      .flatMap((one) => one.contents.map((content) => (typeof content === "string" ? content : content.value)))
      .join("\n");
  };
  assert.match(await hover("DataCopy(", 2), /DataCopy/);
  assert.match(await hover("void add_custom", 8), /estimate|measured/i);
});

test("the outline lists the entry function and the stages", async () => {
  await serverReady();
  const editor = await open(kernel);
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
    "vscode.executeDocumentSymbolProvider",
    editor.document.uri,
  );
  const names = (list: vscode.DocumentSymbol[]): string[] => list.flatMap((one) => [one.name, ...names(one.children)]);
  const all = names(symbols).join(" ");
  for (const wanted of ["add_custom", "Process", "CopyIn", "Compute", "CopyOut"])
    assert.ok(all.includes(wanted), `${wanted} in ${all}`);
});

test("lenses stand above the entry function, and each setting takes its own away", async () => {
  await serverReady();
  const editor = await open(kernel);
  const entry = endOfLine(editor.document, "void add_custom").line;
  const titles = async () => {
    const found = await lenses(editor);
    assert.ok(found.every((lens) => lens.range.start.line === entry));
    return found.map((lens) => lens.command?.title ?? "").join("; ");
  };
  await eventually("both lenses", async () => /estimate: .*; Run on CPU/.test(await titles()));
  await setting("latency.lens", false);
  await eventually("the latency is gone", async () => (await titles()) === "Run on CPU");
  await setting("twin.lens", false);
  await eventually("no lens is left", async () => (await titles()) === "");
  await setting("latency.lens", undefined);
  await setting("twin.lens", undefined);
  await eventually("the lenses are back", async () => /estimate: .*; Run on CPU/.test(await titles()));
});

test("generate: a diff first, nothing applied before the user says so, one undo", async () => {
  await serverReady();
  const editor = await open("spec.asc");
  const original = editor.document.getText();
  placeCursor(editor, "void");
  const running = vscode.commands.executeCommand("kernelgen.generate");
  const diff = await diffTab();
  assert.equal(editor.document.getText(), original, "nothing is applied yet");
  const proposed = (await vscode.workspace.openTextDocument(diff.modified)).getText();
  assert.match(proposed, /__aicore__/);
  await vscode.commands.executeCommand("kernelgen.discardProposal");
  await running;
  assert.equal(editor.document.getText(), original, "what is discarded is not applied");
  await applyProposal(vscode.commands.executeCommand("kernelgen.showProposal"));
  assert.equal(editor.document.getText(), proposed, "what was shown is what is applied");
  assert.equal(
    vscode.window.activeTextEditor?.document.uri.toString(),
    editor.document.uri.toString(),
    "the kernel is in front",
  );
  await vscode.commands.executeCommand("undo");
  assert.equal(editor.document.getText(), original, "one undo gives the text back");
});

test("the reasoning grows in a read-only document; a document that changed meanwhile is left alone", async () => {
  const { editor, original, running } = await startGenerating();
  const reasoning = await eventually("reasoning is shown while it runs", async () => {
    await vscode.commands.executeCommand("kernelgen.reasoning");
    return vscode.window.visibleTextEditors
      .map((one) => one.document)
      .find((one) => one.uri.scheme === "kernelgen-reasoning");
  });
  await diffTab();
  await eventually("the text of the open document is there", () => reasoning.getText().trim().length > 0);
  await replaceAll(editor, `// changed\n${original}`);
  await applyProposal(running);
  assert.equal(editor.document.getText(), `// changed\n${original}`);
  await replaceAll(editor, original);
  await editor.document.save();
});

test("fix: what KernelGen proposes for an error is shown and, applied, passes the checker", async () => {
  const extension = await serverReady();
  const editor = await open(kernel);
  const original = editor.document.getText();
  await replaceAll(editor, original.replace("outQueueZ.FreeTensor(", "outQueueZ.FreTensor("));
  await editor.document.save();
  const found = await eventually("an error is shown", () => diagnostics(editor)[0]);
  editor.selection = new vscode.Selection(found.range.start, found.range.start);
  await applyProposal(vscode.commands.executeCommand("kernelgen.fixHere"));
  await editor.document.save();
  const counts = await extension.client()?.sendRequest<{ errors: number }>("workspace/executeCommand", {
    command: "kernelgen.checkNow",
    arguments: [editor.document.uri.toString()],
  });
  assert.equal(counts?.errors, 0);
  await replaceAll(editor, original);
  await editor.document.save();
});

test("clangd is configured after the file was shown, once", async () => {
  await serverReady();
  await applyProposal(vscode.commands.executeCommand("kernelgen.configureClangd"));
  const text = async () => new TextDecoder().decode(await vscode.workspace.fs.readFile(workspaceFile(".clangd")));
  const written = await text();
  assert.match(written, /CompileFlags/);
  await vscode.commands.executeCommand("kernelgen.configureClangd");
  assert.equal(await text(), written, "a second time changes nothing");
});

test("a generation can be cancelled and leaves the text alone", async () => {
  const { extension, editor, original, running } = await startGenerating();
  await extension
    .client()
    ?.sendRequest("workspace/executeCommand", { command: "kernelgen.cancelGeneration", arguments: [] });
  await running;
  await eventually("nothing generates any more", () => extension.status()?.generation === null);
  assert.equal(editor.document.getText(), original);
});

test("pausing stops ghost text, resuming brings it back", async () => {
  const extension = await serverReady();
  await vscode.commands.executeCommand("kernelgen.pause");
  await eventually("paused", () => extension.status()?.completion.enabled === false);
  await vscode.commands.executeCommand("kernelgen.pause");
  await eventually("resumed", () => extension.status()?.completion.enabled === true);
});

test("a file of the project's decides what nobody set here, a value that is set here wins, also a default", async () => {
  const extension = await serverReady();
  const trigger = (wanted: string) =>
    eventually(`the trigger is ${wanted}`, () => extension.status()?.completion.trigger === wanted);
  const project = workspaceFile(".kernelgen.json");
  await vscode.workspace.fs.writeFile(project, new TextEncoder().encode('{"completion": {"trigger": "manual"}}'));
  await trigger("manual");
  await setting("completion.trigger", "automatic");
  await trigger("automatic");
  await setting("completion.trigger", undefined);
  await trigger("manual");
  await vscode.workspace.fs.delete(project);
  await trigger("automatic");
});

test("resuming works where a file of the project's paused, and where a value of the workspace's did", async () => {
  const extension = await serverReady();
  const enabled = (wanted: boolean) =>
    eventually(`completion is ${wanted ? "on" : "off"}`, () => extension.status()?.completion.enabled === wanted);
  const project = workspaceFile(".kernelgen.json");
  // An earlier pause and resume left a value here.
  await setting("completion.enabled", undefined);
  await vscode.workspace.fs.writeFile(project, new TextEncoder().encode('{"completion": {"enabled": false}}'));
  await enabled(false);
  await vscode.commands.executeCommand("kernelgen.pause");
  await enabled(true);
  await setting("completion.enabled", undefined);
  await vscode.workspace.fs.delete(project);
  const inWorkspace = (value: unknown) =>
    vscode.workspace
      .getConfiguration("kernelgen")
      .update("completion.enabled", value, vscode.ConfigurationTarget.Workspace);
  await inWorkspace(false);
  await enabled(false);
  await vscode.commands.executeCommand("kernelgen.pause");
  await enabled(true);
  await inWorkspace(undefined);
});

test("a server that is killed comes back and answers", async () => {
  const extension = await serverReady();
  const before = extension.client();
  const process = (before as unknown as { _serverProcess?: { pid?: number; kill(signal: string): void } })
    ._serverProcess;
  assert.ok(process?.pid, "the server has a process");
  process.kill("SIGKILL");
  const editor = await open(kernel);
  await eventually("the outline answers again", async () => {
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
      "vscode.executeDocumentSymbolProvider",
      editor.document.uri,
    );
    return symbols !== undefined && symbols.length > 0;
  });
});
