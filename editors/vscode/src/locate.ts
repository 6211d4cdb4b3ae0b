/** Finds the `kernelgen-ls` program. Pure: what exists and what runs is asked through `Probe`, so it is tested as data. */

import type { Permission } from "./permission.ts";

/** The Python interpreter that is selected for a workspace. */
export interface SelectedPython {
  path: string;
  /** The workspace's settings name one, and not the user's choice alone. */
  byWorkspace: boolean;
}

export interface Probe {
  exists(program: string): Promise<boolean>;
  /** The version a program prints for `--version`, or undefined where it does not run. */
  version(program: string): Promise<string | undefined>;
  /** Whether a program may be run at all, be it for its version. It asks the user where a workspace chose the program. */
  permission(program: string, byWorkspace: boolean): Permission;
  /** Where the Python extension says. */
  selectedPython(): Promise<SelectedPython | undefined>;
  /** Folders of PATH, in order. */
  path(): string[];
  platform: NodeJS.Platform;
}

export type Origin = "setting" | "python" | "path" | "own";

export interface Located {
  program: string;
  version: string;
  origin: Origin;
}

export interface NotFound {
  /** One line a place: what was tried and what it said. */
  tried: string[];
  /** A program the user named that does not run: an error of its own, never silently replaced by another. */
  broken?: string;
  /** A program about which the user is asked: the answer starts another search. */
  asked?: string;
}

/** Oldest server that speaks this extension's protocol. */
export const minimumVersion = "0.1.0";

/** The program's place inside a virtual environment or beside an interpreter. */
export function besidePython(python: string, platform: NodeJS.Platform): string {
  const cut = Math.max(python.lastIndexOf("/"), python.lastIndexOf("\\"));
  const folder = python.slice(0, cut + 1);
  if (platform !== "win32") {
    return `${folder}kernelgen-ls`;
  }
  // A Windows virtual environment has its interpreter in Scripts itself, an installation has it one level up.
  return /[\\/]scripts[\\/]$/i.test(folder) ? `${folder}kernelgen-ls.exe` : `${folder}Scripts\\kernelgen-ls.exe`;
}

/** Negative, zero or positive as `left` is older than, equal to or newer than `right`; only numbers and dots count. */
export function compareVersions(left: string, right: string): number {
  const parts = (text: string) => (/\d+(\.\d+)*/.exec(text)?.[0] ?? "0").split(".").map(Number);
  const [a, b] = [parts(left), parts(right)];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

/** The first server that runs and is new enough: the setting alone where it is set, else Python, PATH, our own venv. */
export async function locate(setting: string, ownProgram: string, probe: Probe): Promise<Located | NotFound> {
  const tried: string[] = [];
  let asked: string | undefined;
  const attempt = async (program: string, origin: Origin): Promise<Located | undefined> => {
    const version = await probe.version(program);
    if (version === undefined) {
      tried.push(`${program}: does not run`);
    } else if (compareVersions(version, minimumVersion) < 0) {
      tried.push(`${program}: version ${version}, but ${minimumVersion} is needed`);
    } else {
      return { program, version, origin };
    }
    return undefined;
  };
  if (setting !== "") {
    return (await attempt(setting, "setting")) ?? { tried, broken: setting };
  }
  /** The same for a program that the user did not name: it has to be there, and a workspace's has to be permitted. */
  const attemptFound = async (program: string, origin: Origin, byWorkspace: boolean): Promise<Located | undefined> => {
    if (!(await probe.exists(program))) {
      if (origin === "python") tried.push(`${program}: not there`);
      return undefined;
    }
    const permission = probe.permission(program, byWorkspace);
    if (permission === "granted") return attempt(program, origin);
    if (permission === "unanswered") asked ??= program;
    tried.push(
      `${program}: ${permission === "unanswered" ? "not run before you allow it" : "not run, for the workspace chose it; kernelgen.server.path can name it"}`,
    );
    return undefined;
  };
  const python = await probe.selectedPython();
  if (python !== undefined) {
    const found = await attemptFound(besidePython(python.path, probe.platform), "python", python.byWorkspace);
    if (found) return found;
  }
  const name = probe.platform === "win32" ? "kernelgen-ls.exe" : "kernelgen-ls";
  const separator = probe.platform === "win32" ? "\\" : "/";
  for (const folder of probe.path()) {
    const found = await attemptFound(`${folder}${separator}${name}`, "path", false);
    if (found) return found;
  }
  tried.push("PATH: no kernelgen-ls");
  return (await attempt(ownProgram, "own")) ?? { tried, ...(asked !== undefined && { asked }) };
}
