/** What of the user's settings the server is sent. Pure. */

/** What a workspace that is not trusted gets: completions and API help, nothing that leaves this machine or writes files. */
const untrusted = {
  check: { enabled: false },
  generation: { enabled: false },
  runners: { check: "", measure: "", measureOnSave: false },
};

/** The section `kernelgen` as the server takes it. */
export function sentSettings(section: Record<string, unknown>, trusted: boolean): Record<string, unknown> {
  // Where the server lies is the extension's own business.
  const { server: _, ...result } = section;
  if (trusted) return result;
  for (const [name, values] of Object.entries(untrusted)) {
    result[name] = { ...(section[name] as object | undefined), ...values };
  }
  return result;
}
