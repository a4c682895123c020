/**
 * Starting the worker that decodes blocks, which Node and browsers do differently, and doing its work in the calling thread. `#beacon-worker`
 * (package.json, `imports`) resolves to `node.ts`, `web.ts` or `eager.ts`; all export what is declared here. Nothing that a worker runs may
 * import this: a bundler would follow the worker into itself.
 */
import type { WorkerThread } from '../../../runtime/platform/platform.ts'
import type { BlockApi } from '../protocol.ts'

/** Starts the worker that decodes blocks: the package's own (`blobcheck/beacon/worker`), or the caller's copy of it at `url`. */
export declare function spawnWorker(url: URL | undefined): WorkerThread

/** The worker's tasks in the calling thread. They are loaded when they are asked for: a page that has workers needs no second copy. */
export declare function loadTasks(): Promise<BlockApi>
