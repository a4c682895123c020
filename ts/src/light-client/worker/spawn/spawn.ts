/**
 * Starting the light client's worker, which Node and browsers do differently, and doing its work in the calling thread. `#light-client-worker`
 * (package.json, `imports`) resolves to `node.ts`, `web.ts` or `eager.ts`; all export what is declared here. Nothing that a worker runs may
 * import this: a bundler would follow the worker into itself.
 */
import type { WorkerThread } from '../../../runtime/platform/platform.ts'
import type { LightClientApi } from '../protocol.ts'

/** Starts the light client's worker: the package's own (`blobcheck/light-client/worker`), or the caller's copy of it at `url`. */
export declare function spawnWorker(url: URL | undefined): WorkerThread

/** The worker's tasks in the calling thread. They are loaded when they are asked for: a page that has workers needs no second copy. */
export declare function loadTasks(): Promise<LightClientApi>
