/** The verifier's worker where code cannot be loaded later: service workers forbid `import()`, and so do some sandboxes. */
import type { VerifierApi } from '../protocol.ts'
import { createTasks } from '../tasks.ts'

export { spawnWorker } from './web.ts'

/** The worker's tasks in the calling thread. */
export function loadTasks(): Promise<VerifierApi> {
  return Promise.resolve(createTasks('revive'))
}
