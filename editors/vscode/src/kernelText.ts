/** Whether a C++ text is the server's business: an AscendC kernel, or the host side of an operator. */

/** The languages whose documents may be the server's. */
export const languages = ["ascendc", "cpp", "c"];

const marks = [
  /\b__aicore__\b/,
  /\[\s*(?:host\s*,\s*)?aicore\s*\]/,
  /["<]kernel_operator\.h[">]/,
  /\bregister\/(?:op_def_registry|tilingdata_base)\.h\b/,
];

/** Only the head of a file is looked at: a kernel says what it is by its includes and its entry function. */
export const headCharacters = 64 * 1024;

export function isKernelText(text: string): boolean {
  const head = text.slice(0, headCharacters);
  return marks.some((mark) => mark.test(head));
}

/** Whether a path lies in an msopgen project (`op_kernel/` or `op_host/`). */
export function isOperatorPath(path: string): boolean {
  return /[\\/]op_(?:kernel|host)[\\/][^\\/]+$/.test(path);
}
