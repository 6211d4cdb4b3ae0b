// Bundles the extension (and, with --tests, its in-host tests) into dist/, and brings in what other folders own.

import { copyFileSync, mkdirSync } from "node:fs";
import { build } from "esbuild";

mkdirSync("syntaxes", { recursive: true });
for (const name of ["ascendc.tmLanguage.json", "ascendc.injection.tmLanguage.json"]) {
  copyFileSync(`../../grammars/${name}`, `syntaxes/${name}`);
}
copyFileSync("../../LICENSE", "LICENSE");

const common = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  logLevel: "warning",
};
await build({ ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: true });
if (process.argv.includes("--tests")) {
  await build({ ...common, entryPoints: ["test/host/index.ts"], outfile: "dist/test/index.js", sourcemap: "inline" });
}
