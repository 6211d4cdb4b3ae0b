/** Lets modules that import VS Code's API get a stand-in for it. They are imported after this one, dynamically. */

import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? {
          url: new URL("../test/unit/hostless.ts", context.parentURL).href,
          format: "module-typescript",
          shortCircuit: true,
        }
      : next(specifier, context),
});
