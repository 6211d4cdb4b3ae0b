// Opens a page of the VS Code server in Chromium and keeps it open until its standard input closes.
// Usage: node open_page.mjs PLAYWRIGHT URL CONSOLE_LOG
import { appendFileSync } from "node:fs";
import { newPage } from "./page.mjs";

const [playwright, url, log] = process.argv.slice(2);
const note = (kind, text) => appendFileSync(log, `${JSON.stringify({ kind, text })}\n`);
const { browser, page } = await newPage(playwright, { width: 1280, height: 800 }, (href) => note("foreign", href));
page.on("console", (message) => note(message.type(), message.text()));
await page.goto(url, { waitUntil: "domcontentloaded" });
process.stdin.resume();
process.stdin.on("end", async () => {
  await browser.close();
  process.exit(0);
});
