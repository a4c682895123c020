/** The worker's end of a lifeline (`lifeline.ts`): a file of its own, since a page whose workers start does without it. */

/**
 * Holds the lock for as long as this thread lives. Resolves once it is held; to false where it is not: workers of no origin (of sandboxed
 * frames, or from a `data:` URL) are refused it, WebKit ends a request when the page is left, and in some engines there is none to be had.
 */
export function holdLock(name: string): Promise<boolean> {
  return new Promise((held) => {
    const hold = async (): Promise<void> =>
      await navigator.locks.request(name, () => (held(true), new Promise<never>(() => {})))
    hold().catch(() => held(false))
  })
}
