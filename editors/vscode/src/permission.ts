/**
 * Programs that the opened folder chose, by holding them or by naming the interpreter beside them, are run only where the
 * user said so: once a folder, in answer to a question that names the file. Pure.
 */

import * as path from "node:path";

export type Permission = "granted" | "refused" | "unanswered";

interface Answer {
  program: string;
  allowed: boolean;
}

export interface PermissionHost {
  /** Keeps answers for this workspace, as VS Code's `workspaceState`. */
  memory: { get<T>(key: string): T | undefined; update(key: string, value: unknown): PromiseLike<void> };
  /** The folders that are open, and whether they are trusted: in others nothing is asked and nothing of theirs run. */
  folders(): readonly string[];
  trusted(): boolean;
  /** Asks whether this file may be run; undefined where the question was put aside. */
  ask(program: string, folder: string): PromiseLike<boolean | undefined>;
  /** An answer came that lets another program run than before. */
  allowed(program: string): void;
  /** The path with its links followed, or itself. */
  real(path: string): string;
}

export class Permissions {
  private readonly host: PermissionHost;
  /** Programs about which a question is on screen. */
  private readonly asked = new Set<string>();

  constructor(host: PermissionHost) {
    this.host = host;
  }

  /** Whether a program may be run. Where that is not known, the user is asked, and nobody waits for the answer. */
  of(program: string, byWorkspace: boolean): Permission {
    const folders = this.host.folders();
    const folder = this.holder(program) ?? (byWorkspace ? folders[0] : undefined);
    if (folder === undefined) return "granted";
    if (!this.host.trusted()) return "refused";
    const key = `kernelgen.program:${folder}`;
    const answer = this.host.memory.get<Answer>(key);
    // An answer holds for the file that the question named.
    if (answer?.program === program) return answer.allowed ? "granted" : "refused";
    if (!this.asked.has(program)) {
      this.asked.add(program);
      void this.ask(program, folder, key);
    }
    return "unanswered";
  }

  /** The open folder that holds a program, by its name or by where its links lead. */
  holder(program: string): string | undefined {
    const places = [program, this.host.real(program)];
    return this.host
      .folders()
      .find((folder) => [folder, this.host.real(folder)].some((root) => places.some((place) => isInside(place, root))));
  }

  private async ask(program: string, folder: string, key: string): Promise<void> {
    const allowed = await this.host.ask(program, folder);
    this.asked.delete(program);
    if (allowed === undefined) return;
    await this.host.memory.update(key, { program, allowed } satisfies Answer);
    if (allowed) this.host.allowed(program);
  }
}

export function isInside(place: string, folder: string): boolean {
  const way = path.relative(folder, place);
  return way !== "" && way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
