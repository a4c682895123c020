/**
 * Starting the light client's worker, which Node and browsers do differently. `#light-client-worker` (package.json, `imports`) resolves to
 * `node.ts` or `web.ts`; both export what is declared here. Nothing that a worker runs may import this: a bundler would follow the
 * worker into itself.
 */
import type { WorkerThread } from '../../../runtime/platform/platform.ts'

/** Starts the light client's worker: the package's own (`blobcheck/light-client/worker`), or the caller's copy of it at `url`. */
export declare function spawnWorker(url: URL | undefined): WorkerThread
