/** The worker's end of a lifeline (`lifeline.ts`): a file of its own, since a page whose workers start does without it. */

/**
 * Holds the lock for as long as this thread lives. Resolves once it is held; to false where it is not: workers of no origin (of sandboxed
 * frames, or from a `data:` URL) are refused it, and WebKit ends a request when the page is left.
 */
export function holdLock(name: string): Promise<boolean> {
  return new Promise((held) => {
    const forever = new Promise<never>(() => {})
    navigator.locks.request(name, () => (held(true), forever)).catch(() => held(false))
  })
}
