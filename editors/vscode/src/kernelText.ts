/** Whether a C++ text may be the server's business: an AscendC kernel, or the host side of an operator. */
import { folders, headCharacters, marks } from "./marks.ts";

export function isKernelText(text: string): boolean {
  const head = text.slice(0, headCharacters);
  return marks.some((mark) => head.includes(mark));
}

/** Whether a path lies in an operator's project (below `op_kernel/` or `op_host/`). */
export function isOperatorPath(path: string): boolean {
  return path
    .split(/[\\/]/)
    .slice(0, -1)
    .some((folder) => folders.includes(folder));
}
