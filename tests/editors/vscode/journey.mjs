// A newcomer's way through the packaged extension, in Chromium, with a picture of each station.
// Usage: node journey.mjs PLAYWRIGHT URL WORKSPACE SHOTS    One JSON object a step goes to standard output.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newPage, Workbench } from "./page.mjs";

const [playwright, url, workspace, shots] = process.argv.slice(2);
/** Positions (one-based line and column) that the test looked up in the workspace's files. */
const places = JSON.parse(process.env.KERNELGEN_TEST_PLACES);
mkdirSync(shots, { recursive: true });
const foreign = [];
const { browser, page } = await newPage(playwright, { width: 1180, height: 720 }, (href) => foreign.push(href));
page.setDefaultTimeout(90_000);
const vscode = new Workbench(page);
const { press, until } = { press: vscode.press.bind(vscode), until: vscode.until.bind(vscode) };

const report = (step, extra = {}) => console.log(JSON.stringify({ step, ...extra }));
const onDisk = (name) => readFileSync(join(workspace, name), "utf8");
const textOf = (locator) =>
  locator.innerText().then(
    (text) => text.replaceAll("\u00a0", " "),
    () => "",
  );
const toast = (text) => page.locator(".notification-toast", { hasText: text }).first();

async function shot(name) {
  // The caret blinks and widgets fade in: a picture is taken when nothing moves.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getTiming().iterations !== Infinity)
        .map((one) => one.finished.catch(() => undefined)),
    ),
  );
  await page.screenshot({ path: join(shots, `${name}.png`), caret: "initial" });
}

async function at(name) {
  const [file, line, column] = places[name];
  await vscode.open(file);
  await vscode.goto(line, column);
}

async function statusBar() {
  const status = page.locator('[id="kernelgen.kernelgen-ls.kernelgen.status"]');
  await until("the status bar names the starter model", async () => /starter/i.test(await textOf(status)));
  report("status", { text: await textOf(status) });
  await status.click();
  await vscode.quickInput.waitFor();
  await shot("menu");
  report("menu", { text: await textOf(page.locator(".quick-input-widget:visible .quick-input-list")) });
  await press("Escape");
  await vscode.quickInput.waitFor({ state: "hidden" });
}

async function ghostText() {
  await at("half.asc: enqueue");
  await press("Backspace");
  await page.keyboard.type("Q");
  // Its pieces are spans of their own, by syntax.
  const ghosts = page.locator('[class*="ghost-text"]:not([class*="widget"])');
  const ghost = ghosts.first();
  await until("ghost text appears", async () => {
    if (await ghost.isVisible()) return true;
    await press("Alt+\\");
    await page.waitForTimeout(500);
    return ghost.isVisible();
  });
  await shot("ghost-text");
  const shownGhost = () => ghosts.allInnerTexts().then((parts) => parts.join("").replaceAll("\u00a0", " "));
  const proposed = await shownGhost();
  report("ghost text", { text: proposed });

  // Typing what it says leaves the rest of it standing: every frame shows some of it.
  await page.evaluate(() => {
    globalThis.framesWithout = 0;
    const look = () => {
      if (document.querySelector('[class*="ghost-text"]') === null) globalThis.framesWithout += 1;
      globalThis.looking = requestAnimationFrame(look);
    };
    look();
  });
  // Not a bracket: VS Code closes it by itself.
  for (const [index, character] of [.../^\w{0,3}/.exec(proposed)[0]].entries()) {
    await page.keyboard.type(character);
    await until("the rest of the ghost text stands", async () => (await shownGhost()) === proposed.slice(index + 1));
  }
  const framesWithout = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.looking);
    return globalThis.framesWithout;
  });
  report("typed through", { framesWithout });
  await press("Tab");
  await press("Control+s");
  await until("Tab takes it", async () => onDisk("half.asc").includes(`inQueueX.EnQ${proposed.trimEnd()}`));
  report("ghost text accepted");
}

async function diagnosticsAndQuickFix() {
  await at("add.asc: free");
  await press("Backspace");
  await press("Control+s");
  await page.locator(".squiggly-error").first().waitFor();
  await shot("diagnostics");
  report("error underlined");
  await press("Control+.");
  const menu = page.locator(".action-widget", { hasText: "Quick Fix" }).first();
  await menu.waitFor();
  await shot("quick-fix");
  report("quick fixes", { text: await textOf(menu) });
  await press("Enter");
  await until("the quick fix is in the file", async () => {
    await press("Control+s");
    return onDisk("add.asc").includes("outQueueZ.FreeTensor(");
  });
  await until("the error is gone", async () => (await page.locator(".squiggly-error").count()) === 0);
  report("quick fix applied");
}

async function latency() {
  await at("add.asc: entry");
  const lens = page.locator(".codelens-decoration a", { hasText: "Measure" }).first();
  await lens.waitFor();
  report("lens before", { text: await textOf(lens) });
  await lens.click();
  await until("the lens gives the latency", async () => {
    const shown = await textOf(lens);
    return /\d us/.test(shown) && !/estimate/.test(shown);
  });
  report("lens", { text: await textOf(lens) });
  await at("add.asc: entry");
  await press("Control+k");
  await press("Control+i");
  const hover = page.locator(".monaco-hover:visible").first();
  await until("the hover gives a measured latency", async () => /measured/i.test(await textOf(hover)));
  await shot("hover");
  report("hover", { text: await textOf(hover) });
  await press("Escape");
}

async function runOnCpu() {
  await at("add.asc: entry");
  const lens = page.locator(".codelens-decoration a", { hasText: "Run on CPU" }).first();
  await lens.waitFor();
  await lens.click();
  await until("the lens gives the verdict", async () => /right on the twin/.test(await textOf(lens)));
  report("verdict", { text: await textOf(lens) });

  await at("add.asc: operand");
  await press("Backspace");
  await page.keyboard.type("x");
  // Only the lines in sight have lenses.
  await at("add.asc: entry");
  await until("the verdict is withdrawn", async () => (await textOf(lens)) === "Run on CPU");
  await vscode.command("KernelGen: Run Kernel on CPU");
  await page.locator(".squiggly-error").first().waitFor();
  await toast("wrong on the twin").waitFor();
  await at("add.asc: entry");
  await press("Control+k");
  await press("Control+i");
  const hover = page.locator(".monaco-hover:visible").first();
  await until("the hover gives the verdict", async () => /wrong on the twin/.test(await textOf(hover)));
  await shot("twin");
  await until("the lens gives the verdict", async () => /wrong on the twin/.test(await textOf(lens)));
  report("wrong", { text: await textOf(hover), lens: await textOf(lens) });
  await press("Escape");
  for (const _ of ["x", "Backspace"]) await press("Control+z");
  await until("what was found is withdrawn", async () => (await page.locator(".squiggly-error").count()) === 0);

  await at("add.asc: process");
  await page.keyboard.type(" for (volatile int i = 0; i >= 0;) i = 1;");
  await vscode.command("KernelGen: Run Kernel on CPU");
  const progress = toast("Run kernel");
  await progress.filter({ hasText: "whole (1 of 1)" }).waitFor();
  await shot("twin-progress");
  await progress.locator(".monaco-button", { hasText: "Cancel" }).click();
  await progress.waitFor({ state: "hidden" });
  report("run cancelled", { lens: await textOf(lens) });
}

async function writeCases() {
  await at("spec.asc: entry");
  await vscode.command("KernelGen: Write Cases of Kernel to a File");
  await vscode.active("doubled_cases.py");
  report("cases", { text: onDisk("doubled_cases.py") });
}

async function generate() {
  const before = onDisk("spec.asc");
  await at("spec.asc: entry");
  await vscode.command("KernelGen: Generate Kernel from Specification");
  const progress = toast("Generate kernel");
  const cancel = progress.locator(".monaco-button", { hasText: "Cancel" });
  await cancel.waitFor();
  await shot("generate-progress");
  await cancel.click();
  await progress.waitFor({ state: "hidden" });
  await press("Control+s");
  report("generation cancelled", { unchanged: onDisk("spec.asc") === before });

  await at("spec.asc: entry");
  await vscode.command("KernelGen: Generate Kernel from Specification");
  await page.locator(".monaco-diff-editor:visible").first().waitFor({ timeout: 150_000 });
  await toast("apply this change?").waitFor();
  await until(
    "the difference is marked",
    async () => (await page.locator(".monaco-diff-editor:visible .line-insert").count()) > 0,
  );
  await shot("generate");
  report("diff shown", { unchanged: onDisk("spec.asc") === before });
  await vscode.command("KernelGen: Apply Proposal");
  await page.locator(".monaco-diff-editor:visible").first().waitFor({ state: "hidden" });
  await vscode.active("spec.asc");
  await press("Control+s");
  await until("the kernel is in the file", async () => onDisk("spec.asc") !== before);
  await shot("generated");
  report("generated", { text: onDisk("spec.asc") });
  await press("Control+z");
  await press("Control+s");
  await until("one undo gives the text back", async () => onDisk("spec.asc") === before);
  report("generation undone");
}

async function activation() {
  await vscode.command("Developer: Show Running Extensions");
  const list = page.locator(".runtime-extensions-editor .monaco-list").first();
  await list.waitFor();
  await list.hover();
  // The slowest come first, and rows out of sight are not there.
  const row = page.locator(".runtime-extensions-editor .extension", { hasText: "KernelGen" }).first();
  await until("the extension is in the list", async () => {
    if (await row.isVisible()) return true;
    await page.mouse.wheel(0, 200);
    return false;
  });
  report("activation", { text: await textOf(row) });
}

try {
  await page.goto(url, { waitUntil: "domcontentloaded" });
  await page.locator(".monaco-workbench").waitFor();
  await until("the explorer shows the workspace", async () =>
    (await textOf(page.locator(".explorer-folders-view"))).includes("add.asc"),
  );
  await vscode.open("half.asc");
  // The latency comes long after the last edit of its file: in the moment in which VS Code exchanges a changed file's lenses,
  // it drops a click on one ("Actual command not found"), whatever extension it is from.
  for (const station of [
    statusBar,
    ghostText,
    diagnosticsAndQuickFix,
    generate,
    latency,
    runOnCpu,
    writeCases,
    activation,
  ])
    await station();
  report("done", { foreign });
} catch (error) {
  await shot("failure").catch(() => undefined);
  report("failed", { error: String(error.stack ?? error) });
  process.exitCode = 1;
} finally {
  await browser.close();
}
