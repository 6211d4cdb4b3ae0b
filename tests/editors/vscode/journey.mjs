// A newcomer's way through the packaged extension, in Chromium, with a picture of each station.
// Usage: node journey.mjs PLAYWRIGHT URL SHOTS    One JSON object a step goes to standard output.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const [playwright, url, shots] = process.argv.slice(2);
const { chromium } = await import(playwright);
mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1180, height: 720 } });
page.setDefaultTimeout(60_000);
const foreign = [];
await page.route("**/*", (route) => {
  const target = new URL(route.request().url());
  if (["127.0.0.1", "localhost"].includes(target.hostname) || ["data:", "blob:"].includes(target.protocol)) return route.continue();
  foreign.push(target.href);
  return route.abort();
});

const report = (step, extra = {}) => console.log(JSON.stringify({ step, ...extra }));
const shot = (name) => page.screenshot({ path: join(shots, `${name}.png`) });
const press = (keys) => page.keyboard.press(keys);
const lines = () => page.locator(".editor-instance .view-lines").last().innerText().then((text) => text.replaceAll("\u00a0", " "));
const quickInput = page.locator(".quick-input-widget:visible input").first();

async function quickOpen(text) {
  await press("Control+p");
  await quickInput.waitFor();
  await quickInput.fill(text);
  // The list shows recent files until the search answers.
  await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text }).first().waitFor();
  await press("Enter");
  await quickInput.waitFor({ state: "hidden" });
}

async function open(name) {
  await quickOpen(name);
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await page.locator(".editor-instance .view-lines").last().click();
}

async function goto(line, column) {
  await press("Control+g");
  await quickInput.waitFor();
  await quickInput.fill(`:${line}:${column}`);
  await press("Enter");
  await quickInput.waitFor({ state: "hidden" });
}

async function command(title) {
  await press("F1");
  await quickInput.waitFor();
  await quickInput.fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await press("Enter");
}

async function until(what, probe, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  while (!(await probe())) {
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await page.waitForTimeout(100);
  }
}

/** The position (one-based) of `text` in a file of the workspace, from what the test was told. */
const places = JSON.parse(process.env.KERNELGEN_TEST_PLACES);
const at = (name) => places[name];

try {
  await page.goto(url, { waitUntil: "domcontentloaded" });
  await page.locator(".monaco-workbench").waitFor();
  await until("the explorer shows the workspace", async () => (await page.locator(".explorer-folders-view").innerText()).includes("add.asc"));

  await open("half.asc");
  const status = page.locator('[id="kernelgen.kernelgen-ls.kernelgen.status"]');
  await until("the status bar names the starter model", async () => /starter/i.test(await status.innerText().catch(() => "")));
  report("status", { text: await status.innerText() });

  await goto(...at("half.asc: enqueue"));
  await press("Backspace");
  await page.keyboard.type("Q");
  const ghost = page.locator('[class*="ghost-text"]').first();
  await until("ghost text appears", async () => {
    if (await ghost.isVisible()) return true;
    await press("Alt+\\");
    await page.waitForTimeout(500);
    return ghost.isVisible();
  });
  await shot("ghost-text");
  const proposed = await ghost.innerText();
  await press("Tab");
  // The next proposal may show at once, so a ghost text as such says nothing.
  await until("Tab takes it", async () => !(await ghost.isVisible()) || (await ghost.innerText()) !== proposed);
  report("ghost text accepted");
  await press("Control+z");

  await open("add.asc");
  await goto(...at("add.asc: free"));
  await press("Backspace");
  await press("Control+s");
  await page.locator(".squiggly-error").first().waitFor();
  await shot("diagnostics");
  report("error underlined");
  await press("Control+.");
  const menu = page.locator(".action-widget", { hasText: "Quick Fix" }).first();
  await menu.waitFor();
  await shot("quick-fix");
  report("quick fixes", { text: await menu.innerText() });
  await press("Enter");
  await press("Control+s");
  await until("the error is gone", async () => (await page.locator(".squiggly-error").count()) === 0);
  report("quick fix applied");

  await goto(...at("add.asc: entry"));
  await press("Control+k");
  await press("Control+i");
  const hover = page.locator(".monaco-hover:visible").first();
  await until("the hover gives a latency", async () => /estimate|measured/i.test(await hover.innerText().catch(() => "")));
  await shot("hover");
  report("hover", { text: await hover.innerText() });
  await press("Escape");

  report("done", { foreign });
} catch (error) {
  await shot("failure");
  report("failed", { error: String(error.stack ?? error) });
  process.exitCode = 1;
} finally {
  await browser.close();
}
