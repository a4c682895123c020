/**
 * Storage in files, which browsers do not have. `#file-storage` (package.json, `imports`) resolves to `node.ts` or `web.ts`; both
 * export what is declared here.
 */
import type { LightClientStorage } from '../storage.ts'

/** A storage in a folder of the file system: a file for each key, replaced in one step. Not in browsers. */
export declare class FileStorage implements LightClientStorage {
  /** `folder` is made when something is stored first. */
  constructor(folder: string)
  get(key: string): Promise<Uint8Array | null>
  set(key: string, value: Uint8Array): Promise<void>
  delete(key: string): Promise<void>
}
