/** The prover's worker where code cannot be loaded later: service workers forbid `import()`, and so do some sandboxes. */
import type { ProverApi } from '../protocol.ts'
import { createProverTasks } from '../tasks.ts'

export { spawnWorker } from './web.ts'

/** The worker's tasks in the calling thread. */
export function loadTasks(): Promise<ProverApi> {
  return Promise.resolve(createProverTasks())
}
