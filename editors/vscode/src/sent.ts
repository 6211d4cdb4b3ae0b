/** What of the user's settings the server is sent, and where a changed one is written. Pure. */

/** Where a setting has a value, as VS Code's `inspect` tells. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** The settings that are set, by name without the prefix: the value of each that holds. */
export type Settings = Record<string, unknown>;

/** What a workspace that is not trusted gets: completions and API help, nothing that leaves this machine or writes files. */
const untrusted: Settings = {
  "check.enabled": false,
  "generation.enabled": false,
  "runners.check": "",
  "runners.measure": "",
  "runners.measureOnSave": false,
  "twin.lens": false,
  "twin.onSave": "off",
};

/**
 * Whether somebody set it. The server counts every value it is sent, so that a default that nobody chose would beat the
 * user's file and the project's.
 */
export function isSet(found: Inspected | undefined): boolean {
  return (
    found !== undefined &&
    [found.globalValue, found.workspaceValue, found.workspaceFolderValue].some((value) => value !== undefined)
  );
}

/** The place whose value holds, which is where a change has to be written to be seen. */
export function holds(found: Inspected | undefined): "folder" | "workspace" | "user" {
  if (found?.workspaceFolderValue !== undefined) return "folder";
  return found?.workspaceValue !== undefined ? "workspace" : "user";
}

/** What the server is sent of the settings that are set. */
export function sentSettings(set: Settings, trusted: boolean): Settings {
  return trusted ? { ...set } : { ...set, ...untrusted };
}

/**
 * The same as an answer to the server's question, with null, which is "not set", for what was sent at its start and is set
 * no longer: the server lays the answer over that.
 */
export function answeredSettings(atStart: Settings, set: Settings, trusted: boolean): Settings {
  return { ...Object.fromEntries(Object.keys(atStart).map((name) => [name, null])), ...sentSettings(set, trusted) };
}

/** The names of the server's settings in the extension's manifest, without the prefix. */
export function settingNames(properties: Record<string, unknown>): string[] {
  const names = Object.keys(properties).map((name) => name.replace(/^kernelgen\./, ""));
  // Where the server lies is the extension's own business.
  return names.filter((name) => !name.startsWith("server."));
}
