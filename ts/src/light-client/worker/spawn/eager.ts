/** The light client's worker where code cannot be loaded later: service workers forbid `import()`, and so do some sandboxes. */
import type { LightClientApi } from '../protocol.ts'
import { createLightClientTasks } from '../tasks.ts'

export { spawnWorker } from './web.ts'

/** The worker's tasks in the calling thread. */
export function loadTasks(): Promise<LightClientApi> {
  return Promise.resolve(createLightClientTasks('revive'))
}
