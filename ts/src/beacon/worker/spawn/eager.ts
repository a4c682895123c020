/** The worker that decodes blocks, where code cannot be loaded later: service workers forbid `import()`, and so do some sandboxes. */
import type { BlockApi } from '../protocol.ts'
import { createBlockTasks } from '../tasks.ts'

export { spawnWorker } from './web.ts'

/** The worker's tasks in the calling thread. */
export function loadTasks(): Promise<BlockApi> {
  return Promise.resolve(createBlockTasks())
}
