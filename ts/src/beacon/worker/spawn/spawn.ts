/**
 * Starting the worker that decodes blocks, which Node and browsers do differently. `#beacon-worker` (package.json, `imports`) resolves to
 * `node.ts` or `web.ts`; both export what is declared here. Nothing that a worker runs may import this: a bundler would follow the
 * worker into itself.
 */
import type { WorkerThread } from '../../../runtime/platform/platform.ts'

/** Starts the worker: the package's own (`blobcheck/beacon/worker`), or the caller's copy of it at `url`. */
export declare function spawnWorker(url: URL | undefined): WorkerThread
