// What VS Code offers where no runner is configured, in Chromium: the twin in the place of a measurement, and after saves.
// Usage: node without_runner.mjs PLAYWRIGHT URL SHOTS    One JSON object a step goes to standard output.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newPage, Workbench } from "./page.mjs";

const [playwright, url, shots] = process.argv.slice(2);
/** Positions (one-based line and column) that the test looked up in the workspace's files. */
const places = JSON.parse(process.env.KERNELGEN_TEST_PLACES);
mkdirSync(shots, { recursive: true });
const { browser, page } = await newPage(playwright, { width: 1180, height: 720 }, () => undefined);
page.setDefaultTimeout(150_000);
const vscode = new Workbench(page);

const report = (step, extra = {}) => console.log(JSON.stringify({ step, ...extra }));
const shot = (name) => page.screenshot({ path: join(shots, `${name}.png`) });
const lens = page.locator(".codelens-decoration a", { hasText: "Run on CPU" }).first();
const lensText = async () => (await lens.innerText()).replaceAll("\u00a0", " ");
const squiggles = page.locator(".squiggly-error");

async function at(name) {
  const [file, line, column] = places[name];
  await vscode.open(file);
  await vscode.goto(line, column);
}

async function insteadOfMeasuring() {
  await at("entry");
  await lens.waitFor();
  await vscode.command("KernelGen: Measure Kernel Latency");
  const refusal = page.locator(".notification-toast", { hasText: "No runner measures" }).first();
  await refusal.waitFor();
  await shot("without-runner");
  report("refused", { text: await refusal.innerText() });
  await refusal.locator(".monaco-button", { hasText: "Run on CPU" }).click();
  await vscode.until("the lens gives the verdict", async () => /right on the twin/.test(await lensText()), 150);
  report("run instead", { lens: await lensText() });
}

async function afterSaves() {
  await at("operand");
  await vscode.press("Backspace");
  await page.keyboard.type("x");
  await at("entry");
  await vscode.until("the verdict is withdrawn", async () => (await lensText()) === "Run on CPU");
  await vscode.press("Control+s");
  await squiggles.first().waitFor();
  await vscode.until("the lens gives the verdict", async () => /wrong on the twin/.test(await lensText()), 150);
  await shot("after-save");
  report("found after the save", { lens: await lensText() });
  await at("operand");
  await vscode.press("Backspace");
  await page.keyboard.type("y");
  await vscode.until("what was found is withdrawn", async () => (await squiggles.count()) === 0);
  await at("entry");
  await vscode.until("the verdict is withdrawn", async () => (await lensText()) === "Run on CPU");
  report("withdrawn");
}

try {
  await page.goto(url, { waitUntil: "domcontentloaded" });
  await page.locator(".monaco-workbench").waitFor();
  await vscode.until("the explorer shows the workspace", async () =>
    (await page.locator(".explorer-folders-view").innerText()).includes("add.asc"),
  );
  for (const station of [insteadOfMeasuring, afterSaves]) await station();
  report("done");
} catch (error) {
  await shot("without-runner-failure").catch(() => undefined);
  report("failed", { error: String(error.stack ?? error) });
  process.exitCode = 1;
} finally {
  await browser.close();
}
