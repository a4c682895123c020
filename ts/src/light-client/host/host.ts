/**
 * What differs for the light client between Node and browsers. `#light-client-host` (package.json, `imports`) resolves to
 * `node.ts` or `web.ts`; both export what is declared here.
 */
import type { WorkerThread } from '../../platform/platform.ts'
import type { LightClientStorage } from '../store/storage.ts'

/** Starts the light client's worker: the package's own, or the caller's copy of it. */
export declare function spawnWorker(url: URL | undefined): WorkerThread

/** A storage in a folder of the file system: a file for each key, replaced in one step. Not in browsers. */
export declare class FileStorage implements LightClientStorage {
  /** `folder` is made when something is stored first. */
  constructor(folder: string)
  get(key: string): Promise<Uint8Array | null>
  set(key: string, value: Uint8Array): Promise<void>
  delete(key: string): Promise<void>
}
