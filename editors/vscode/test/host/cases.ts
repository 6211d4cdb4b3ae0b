/** What a user does in VS Code, against the real server, model and checker. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { api, diagnostics, endOfLine, eventually, open, replaceAll, serverReady, setting } from "./support.ts";

interface Case {
  name: string;
  body: () => Promise<void>;
}

export const cases: Case[] = [];
const test = (name: string, body: () => Promise<void>) => cases.push({ name, body });

const kernel = "add.asc";

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

test("the starter model is called what it is", async () => {
  const status = (await serverReady()).status();
  assert.ok(status?.model?.starter, "the model in use is the starter");
  assert.match(status.message, /starter/i);
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
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", editor.document.uri, found.range, vscode.CodeActionKind.QuickFix.value, 10);
  const fix = actions.find((action) => action.edit !== undefined);
  assert.ok(fix?.edit, `a quick fix with an edit among ${actions.map((action) => action.title).join(", ")}`);
  assert.ok(actions.some((action) => action.title.includes("KernelGen")), "Fix with KernelGen is offered");
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
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", editor.document.uri, at);
    return hovers.flatMap((one) => one.contents.map((content) => (typeof content === "string" ? content : content.value))).join("\n");
  };
  assert.match(await hover("DataCopy(", 2), /DataCopy/);
  assert.match(await hover("void add_custom", 8), /estimate|measured/i);
});

test("the outline lists the entry function and the stages", async () => {
  await serverReady();
  const editor = await open(kernel);
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", editor.document.uri);
  const names = (list: vscode.DocumentSymbol[]): string[] => list.flatMap((one) => [one.name, ...names(one.children)]);
  const all = names(symbols).join(" ");
  for (const wanted of ["add_custom", "Process", "CopyIn", "Compute", "CopyOut"]) assert.ok(all.includes(wanted), `${wanted} in ${all}`);
});

test("a lens stands above the entry function", async () => {
  await serverReady();
  const editor = await open(kernel);
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", editor.document.uri, 10);
  const entry = endOfLine(editor.document, "void add_custom").line;
  assert.ok(lenses.some((lens) => lens.range.start.line === entry), "a lens on the entry function's line");
});

test("generate: a diff first, nothing applied before the user says so, one undo", async () => {
  await serverReady();
  const editor = await open("spec.asc");
  const original = editor.document.getText();
  const at = endOfLine(editor.document, "void");
  editor.selection = new vscode.Selection(at, at);
  const running = vscode.commands.executeCommand("kernelgen.generate");
  const diff = await eventually("a diff is shown", () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).find((tab) => tab.input instanceof vscode.TabInputTextDiff), 120);
  assert.equal(editor.document.getText(), original, "nothing is applied yet");
  const proposed = await vscode.workspace.openTextDocument((diff.input as vscode.TabInputTextDiff).modified);
  assert.match(proposed.getText(), /__aicore__/);
  const text = proposed.getText();
  await vscode.commands.executeCommand("kernelgen.applyProposal");
  await running;
  assert.equal(editor.document.getText(), text, "what was shown is what is applied");
  await vscode.window.showTextDocument(editor.document);
  await vscode.commands.executeCommand("undo");
  assert.equal(editor.document.getText(), original, "one undo gives the text back");
});

test("a generation can be cancelled and leaves the text alone", async () => {
  const extension = await serverReady();
  const editor = await open("spec.asc");
  const original = editor.document.getText();
  const at = endOfLine(editor.document, "void");
  editor.selection = new vscode.Selection(at, at);
  const running = vscode.commands.executeCommand("kernelgen.generate");
  await eventually("it generates", () => extension.status()?.generation ?? undefined);
  await extension.client()?.sendRequest("workspace/executeCommand", { command: "kernelgen.cancelGeneration", arguments: [] });
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

test("a server that is killed comes back and answers", async () => {
  const extension = await serverReady();
  const before = extension.client();
  const process = (before as unknown as { _serverProcess?: { pid?: number; kill(signal: string): void } })._serverProcess;
  assert.ok(process?.pid, "the server has a process");
  process.kill("SIGKILL");
  const editor = await open(kernel);
  await eventually("the outline answers again", async () => {
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", editor.document.uri);
    return symbols !== undefined && symbols.length > 0;
  });
});
