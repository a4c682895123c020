/** The worker's end of a lifeline (`lifeline.ts`): a file of its own, since a page whose workers start does without it. */

/** Holds the lock for as long as this thread lives. Resolves once it is held, or refused: to who started the thread it is, too. */
export function holdLock(name: string): Promise<void> {
  return new Promise((held) => {
    const forever = new Promise<never>(() => {})
    navigator.locks.request(name, () => (held(), forever)).catch(held)
  })
}
