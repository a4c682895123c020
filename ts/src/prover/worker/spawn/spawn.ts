/**
 * Starting the prover's worker, which Node and browsers do differently, and doing its work in the calling thread. `#prover-worker`
 * (package.json, `imports`) resolves to `node.ts`, `web.ts` or `eager.ts`; all export what is declared here. Nothing that a worker runs may
 * import this: a bundler would follow the worker into itself.
 */
import type { WorkerThread } from '../../../runtime/platform/platform.ts'
import type { ProverApi } from '../protocol.ts'

/** Starts the prover's worker: the package's own (`blobcheck/prover/worker`), or the caller's copy of it at `url`. */
export declare function spawnWorker(url: URL | undefined): WorkerThread

/** The worker's tasks in the calling thread. They are loaded when they are asked for: a page that has workers needs no second copy. */
export declare function loadTasks(): Promise<ProverApi>
