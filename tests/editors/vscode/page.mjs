// What both pages of the tests share: Chromium that reaches nothing but this machine, and the ways to drive VS Code.
const arguments_ = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A page; each request for another machine is refused and given to `foreign`. */
export async function newPage(playwright, viewport, foreign) {
  const { chromium } = await import(playwright);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: arguments_ });
  const page = await browser.newPage({ viewport });
  await page.route("**/*", (route) => {
    const target = new URL(route.request().url());
    if (["127.0.0.1", "localhost"].includes(target.hostname) || ["data:", "blob:"].includes(target.protocol))
      return route.continue();
    foreign(target.href);
    return route.abort();
  });
  return { browser, page };
}

/** VS Code as a user drives it: keys, quick open, the command palette. */
export class Workbench {
  constructor(page) {
    this.page = page;
    this.quickInput = page.locator(".quick-input-widget:visible input").first();
  }

  press(keys) {
    return this.page.keyboard.press(keys);
  }

  async until(what, probe, seconds = 90) {
    const end = Date.now() + seconds * 1000;
    while (!(await probe())) {
      if (Date.now() > end) throw new Error(`never happened: ${what}`);
      await this.page.waitForTimeout(100);
    }
  }

  /** Chooses the entry that reads `label` from the list that `keys` opens, by typing `text`. */
  async choose(keys, text, label) {
    await this.press(keys);
    await this.quickInput.waitFor();
    await this.quickInput.fill(text);
    // The list shows recent entries until the search answers: Enter before that takes one of them.
    await this.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: label }).first().waitFor();
    await this.press("Enter");
    await this.quickInput.waitFor({ state: "hidden" });
  }

  command(title) {
    return this.choose("F1", `>${title}`, title);
  }

  async open(name) {
    await this.choose("Control+p", name, name);
    await this.active(name);
    await this.page.locator(".editor-instance:visible .view-lines").last().click();
  }

  active(name) {
    return this.page.locator(`.tab.active[data-resource-name="${name}"]`).first().waitFor();
  }

  async goto(line, column) {
    await this.press("Control+g");
    await this.quickInput.waitFor();
    await this.quickInput.fill(`:${line}:${column}`);
    await this.press("Enter");
    await this.quickInput.waitFor({ state: "hidden" });
  }
}
