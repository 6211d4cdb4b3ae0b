/** What a user gets, and does not get, in a workspace that is not trusted. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import {
  type Case,
  diagnostics,
  endOfLine,
  eventually,
  open,
  placeCursor,
  replaceAll,
  serverReady,
} from "./support.ts";

export const untrustedCases: Case[] = [];
const test = (name: string, body: () => Promise<void>) => untrustedCases.push({ name, body });

test("the workspace is not trusted, as these cases assume", async () => {
  assert.ok(!vscode.workspace.isTrusted);
});

test("names are completed, and ghost text is on", async () => {
  const extension = await serverReady();
  const editor = await open("half.asc");
  const line = endOfLine(editor.document, "DataCopy(xLocal").line;
  const at = new vscode.Position(line, editor.document.lineAt(line).text.indexOf("DataCopy") + 4);
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    "vscode.executeCompletionItemProvider",
    editor.document.uri,
    at,
  );
  assert.ok(list.items.length > 0);
  assert.equal(extension.status()?.completion.enabled, true);
});

test("a kernel that is saved is not checked", async () => {
  const extension = await serverReady();
  const editor = await open("add.asc");
  const text = editor.document.getText();
  await replaceAll(editor, text.replace("outQueueZ.FreeTensor(", "outQueueZ.FreTensor("));
  await editor.document.save();
  // An answer that comes after the save shows that the server has seen it.
  await eventually("the outline answers", async () => {
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
      "vscode.executeDocumentSymbolProvider",
      editor.document.uri,
    );
    return symbols !== undefined && symbols.length > 0;
  });
  assert.equal(extension.status()?.checker?.state, "off");
  assert.deepEqual(diagnostics(editor), []);
  await replaceAll(editor, text);
  await editor.document.save();
});

test("the server's commands that check, measure or generate do not reach it, and no others are held back", async () => {
  const extension = await serverReady();
  const editor = await open("spec.asc");
  const uri = editor.document.uri.toString();
  const position = { line: endOfLine(editor.document, "void").line, character: 0 };
  for (const command of ["checkNow", "measure", "generateKernel", "fix", "fixAll"]) {
    assert.equal(await vscode.commands.executeCommand(`kernelgen.${command}`, uri, position), undefined, command);
  }
  assert.ok(await vscode.commands.executeCommand("kernelgen.status"));
  assert.equal(extension.status()?.generation, null);
});

test("the extension's own commands say so and end", async () => {
  const extension = await serverReady();
  const editor = await open("spec.asc");
  const original = editor.document.getText();
  placeCursor(editor, "void");
  for (const command of [
    "generate",
    "fixHere",
    "fixFile",
    "check",
    "runHere",
    "writeCasesHere",
    "measureHere",
    "doctor",
    "configureClangd",
  ]) {
    await vscode.commands.executeCommand(`kernelgen.${command}`);
  }
  assert.equal(extension.status()?.checker?.state, "off");
  assert.equal(editor.document.getText(), original);
});
