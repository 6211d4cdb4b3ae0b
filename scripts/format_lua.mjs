// Formats the plugin's Lua with StyLua. Usage: node format_lua.mjs STYLUA_FOLDER [--check] FILE...
// With --check nothing is written and the exit code is 1 where a file is not formatted.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, ...rest] = process.argv.slice(2);
const stylua = createRequire(`${folder}/`)("@johnnymorganz/stylua");
const check = rest[0] === "--check";
// StyLua takes the configuration over with each call, so each call gets a new one.
function configuration() {
  const config = stylua.Config.new();
  config.column_width = 120;
  config.indent_type = stylua.IndentType.Spaces;
  config.indent_width = 2;
  config.quote_style = stylua.QuoteStyle.AutoPreferSingle;
  config.syntax = stylua.LuaVersion.LuaJIT;
  return config;
}

let unformatted = 0;
for (const file of check ? rest.slice(1) : rest) {
  const text = readFileSync(file, "utf8");
  const formatted = stylua.formatCode(text, configuration(), undefined, stylua.OutputVerification.Full);
  if (formatted === text) continue;
  unformatted += 1;
  if (check) console.log(`${file} is not formatted: run scripts/lint_lua.sh --write`);
  else writeFileSync(file, formatted);
}
process.exit(check && unformatted > 0 ? 1 : 0);
