/**
 * Set up before each file of tests: what it takes of the processor, with the threads that it starts, for the list at the end of `npm test`.
 * Wall times there say more of what ran beside a file than of the file.
 */
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds of the processor's time. */
    cpu?: number
  }
}

// A process has the file to itself, its start included, unless files share it (`isolate: false`): then what earlier ones took is not this one's.
const shared = globalThis as { blobcheckHasRunFiles?: boolean }
const before =
  shared.blobcheckHasRunFiles === true && typeof process !== 'undefined' ? process.cpuUsage?.() : undefined
shared.blobcheckHasRunFiles = true

// Vitest wants the first argument taken apart.
afterAll(({}, file) => {
  // A page cannot know.
  if (typeof process === 'undefined' || typeof process.cpuUsage !== 'function') return
  const { user, system } = process.cpuUsage(before)
  file.meta.cpu = (user + system) / 1000
})
