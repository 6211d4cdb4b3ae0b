// Tokenizes kernels as VS Code would, as AscendC and as C++ with the injection, and prints one JSON object a problem:
// a name of AscendC's that has no scope of ours, or a file at whose end a comment or string is still open.
// Usage: node tokenize.mjs NODE_MODULES GRAMMAR... -- KERNEL...
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, ...rest] = process.argv.slice(2);
const cut = rest.indexOf("--");
const [grammars, kernels] = [rest.slice(0, cut), rest.slice(cut + 1)];
const require = createRequire(`${modules}/`);
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");
await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);

const raw = new Map(grammars.map((path) => [JSON.parse(readFileSync(path, "utf8")).scopeName, path]));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) =>
    raw.has(scope) ? textmate.parseRawGrammar(readFileSync(raw.get(scope), "utf8"), raw.get(scope)) : null,
  getInjections: (scope) => (scope === "source.cpp" ? ["ascendc.injection"] : []),
});

const ours =
  /\b(?:__aicore__|__global__|__gm__|LocalTensor|GlobalTensor|TPipe|TQue|TBuf|AllocTensor|FreeTensor|EnQue|DeQue|GM_ADDR)\b|(?<=TPosition::)\w+/g;
let names = 0;
for (const scope of ["source.ascendc", "source.cpp"]) {
  const grammar = await registry.loadGrammar(scope);
  for (const kernel of kernels) {
    let stack = textmate.INITIAL;
    let last = "";
    for (const [number, line] of readFileSync(kernel, "utf8").split("\n").entries()) {
      const result = grammar.tokenizeLine(line, stack);
      stack = result.ruleStack;
      last = result.tokens.at(-1).scopes.join(" ");
      for (const match of line.matchAll(ours)) {
        const token = result.tokens.find((one) => one.startIndex <= match.index && match.index < one.endIndex);
        const scopes = token.scopes.join(" ");
        if (/comment|string|meta\.preprocessor/.test(scopes)) continue;
        names += 1;
        // Whatever a theme colours by comes last; the root scope does not count.
        if (!token.scopes.slice(1).some((one) => one.endsWith(".ascendc")))
          console.log(JSON.stringify({ kernel, scope, line: number + 1, name: match[0], scopes }));
      }
    }
    if (/comment\.block|string\.quoted/.test(last)) console.log(JSON.stringify({ kernel, scope, last }));
  }
}
console.log(JSON.stringify({ names }));
