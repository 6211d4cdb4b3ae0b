// Opens a page of the VS Code server in Chromium and keeps it open until its standard input closes.
// Usage: node open_page.mjs PLAYWRIGHT URL CONSOLE_LOG
import { appendFileSync } from "node:fs";

const [playwright, url, log] = process.argv.slice(2);
const { chromium } = await import(playwright);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
// Nothing but this machine may be asked for anything; what was tried is written down for the test to see.
await page.route("**/*", (route) => {
  const target = new URL(route.request().url());
  const local = ["127.0.0.1", "localhost"].includes(target.hostname) || ["data:", "blob:"].includes(target.protocol);
  if (!local) appendFileSync(log, `${JSON.stringify({ kind: "foreign", text: target.href })}\n`);
  return local ? route.continue() : route.abort();
});
page.on("console", (message) => appendFileSync(log, `${JSON.stringify({ kind: message.type(), text: message.text() })}\n`));
await page.goto(url, { waitUntil: "domcontentloaded" });
process.stdin.resume();
process.stdin.on("end", async () => {
  await browser.close();
  process.exit(0);
});
