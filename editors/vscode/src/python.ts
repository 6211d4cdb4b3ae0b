/** Which Python makes the server's environment, and what to do where none can or where pip fails. Pure. */

/** The oldest Python that the server runs on. */
export const minimumPython = "3.10";

/** Prints an interpreter's version, then which of the modules that make an environment it lacks. */
export const checkScript = [
  "import importlib.util, sys",
  "print('%d.%d.%d' % sys.version_info[:3])",
  "print(*[name for name in ('venv', 'ensurepip') if importlib.util.find_spec(name) is None])",
].join("\n");

/** An interpreter as it answered `checkScript`. */
export interface Interpreter {
  program: string;
  version: string;
  lacks: string[];
}

/** Reads the answer; undefined where it is none, as from a stand-in that only names a shop. */
export function readCheck(program: string, printed: string): Interpreter | undefined {
  const [version, lacks = ""] = printed.split(/\r?\n/);
  return version !== undefined && /^\d+\.\d+\.\d+$/.test(version)
    ? { program, version, lacks: lacks.split(" ").filter(Boolean) }
    : undefined;
}

/** The interpreters to try, the best first: the selected one, then those of the system. */
export function candidates(selected: string | undefined, platform: NodeJS.Platform): string[] {
  const system = platform === "win32" ? ["python", "py"] : ["python3", "python"];
  return selected === undefined ? system : [selected, ...system];
}

const again = "Then run KernelGen: Install Server again.";

/** The first interpreter that can make the environment, or one line that says what to do. */
export function choosePython(
  found: readonly Interpreter[],
  platform: NodeJS.Platform,
): { program: string } | { remedy: string } {
  const recent = found.filter(({ version }) => isRecent(version));
  const able = recent.find(({ lacks }) => lacks.length === 0);
  if (able !== undefined) return { program: able.program };
  const lacking = recent[0];
  if (lacking !== undefined) {
    return {
      remedy: `${lacking.program} (Python ${lacking.version}) lacks ${lacking.lacks.join(" and ")} and so cannot make an environment. ${completing(platform)} ${again}`,
    };
  }
  const old = found[0];
  const what = old === undefined ? "No Python was found" : `${old.program} is Python ${old.version}`;
  return { remedy: `${what}; kernelgen-ls needs ${minimumPython} or newer. ${installing(platform)} ${again}` };
}

function isRecent(version: string): boolean {
  const [[major = 0, minor = 0], [leastMajor = 0, leastMinor = 0]] = [version, minimumPython].map((text) =>
    text.split(".").map(Number),
  ) as [number[], number[]];
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function completing(platform: NodeJS.Platform): string {
  return platform === "linux"
    ? "On Debian and Ubuntu: sudo apt install python3-venv."
    : "Install Python from python.org.";
}

function installing(platform: NodeJS.Platform): string {
  if (platform === "linux") return "On Debian and Ubuntu: sudo apt install python3 python3-venv.";
  return platform === "darwin"
    ? "Install it from python.org or with brew install python."
    : "Install it from python.org or with winget install Python.Python.3.12.";
}

/** What to do where the environment could not be made in `folder`, which may hold the rest of an older one. */
export function explainVenv(said: readonly string[], folder: string): string {
  return `The environment could not be made: ${lastError(said)}. Delete ${folder}, if it is there. ${again}`;
}

function lastError(said: readonly string[]): string {
  const line = said.findLast((one) => /^\s*(?:ERROR|error):/i.test(one)) ?? said.at(-1) ?? "nothing was said about it";
  return line.trim().replace(/\.$/, "");
}

/** What pip's last lines mean, and what to do about it. */
export function explainPip(said: readonly string[], platform: NodeJS.Platform): string {
  const text = said.join("\n");
  if (
    /CMAKE_C(?:XX)?_COMPILER (?:not set|could be found)|Microsoft Visual C\+\+|command '(?:gcc|g\+\+|cc|c\+\+|clang)'|nmake/.test(
      text,
    )
  ) {
    return `The engine could not be built: there is no C++ compiler. ${compiling(platform)} ${again}`;
  }
  if (
    /NewConnectionError|ConnectTimeout|ReadTimeout|name resolution|Network is unreachable|ProxyError|SSLError|Connection refused/i.test(
      text,
    )
  ) {
    return `pip does not reach the package index. Check the network, or name a proxy (HTTPS_PROXY) or a mirror (PIP_INDEX_URL). ${again}`;
  }
  if (/No space left on device/.test(text))
    return `The disk is full: the engine takes about a gigabyte while it is built. ${again}`;
  if (/No matching distribution found for kernelgen-ls/.test(text)) {
    return "The package index has no kernelgen-ls that fits. Install it from its repository with pip, and name it in kernelgen.server.path.";
  }
  return `pip could not install kernelgen-ls: ${lastError(said)}. The log has the rest.`;
}

function compiling(platform: NodeJS.Platform): string {
  if (platform === "linux") return "On Debian and Ubuntu: sudo apt install build-essential.";
  return platform === "darwin" ? "Run xcode-select --install." : "Install the Visual Studio Build Tools with C++.";
}
