/** The worker's end of its lifeline (see pool/lifeline.ts). */

/** Holds a lock for as long as this thread lives: the thread that waits for it learns of this one's death at once. */
export function holdLock(name: string): Promise<void> {
  return new Promise((held, failed) => {
    const forever = new Promise<never>(() => {})
    navigator.locks.request(name, () => (held(), forever)).catch(failed)
  })
}
