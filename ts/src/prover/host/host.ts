/**
 * What differs for the prover between Node and browsers. `#prover-host` (package.json, `imports`) resolves to `node.ts` or
 * `web.ts`; both export what is declared here.
 */
import type { WorkerThread } from '../../platform/platform.ts'

/** Starts the prover's worker: the package's own, or the caller's copy of it. */
export declare function spawnWorker(url: URL | undefined): WorkerThread

/** Reads a file of the package. `force-cache`: one that the browser kept will do, however old. */
export declare function readAsset(url: URL, cache: 'force-cache' | 'reload'): Promise<Uint8Array<ArrayBuffer>>
