/** A limit for waiting. Pure. */

/** What `work` gives, or an error once `seconds` have passed. The work itself goes on: who gives up on it ends it. */
export async function within<T>(seconds: number, what: string, work: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} after ${seconds} s`)), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
