/**
 * Storage in files, which browsers do not have. `#file-storage` (package.json, `imports`) resolves to `node.ts` or `web.ts`; both
 * export what is declared here.
 */
import type { LightClientStorage } from '../storage.ts'

/**
 * A storage in a folder of the file system: each value is a file `<key>.bin`, which is written beside and renamed, so that a reader sees all
 * of the old value or all of the new one. What is left of a process that ended while it wrote is removed by the first write of a storage,
 * once it is an hour old. It keeps the tables of a prover, too (`TableStore` of `blobcheck/prover`). In browsers, the constructor throws `TypeError`.
 *
 * @example
 * ```ts
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 * import { FileStorage } from 'blobcheck/light-client'
 *
 * const storage = new FileStorage(await mkdtemp(join(tmpdir(), 'headers-'))) // for the option `store` of LightClient.fromCheckpoint
 * await storage.set('any-key', new Uint8Array([1, 2, 3]))
 * console.log((await storage.get('any-key'))?.length) // 3
 * await storage.delete('any-key')
 * ```
 */
export declare class FileStorage implements LightClientStorage {
  /** `folder` is the folder's path; it is made when something is stored first. */
  constructor(folder: string)
  /**
   * Reads a value, or null where there is none. Rejects for what is no file, and for a file of more than 32 MiB, which is longer than any value
   * that is stored; `TypeError` for a key that is none.
   */
  get(key: string): Promise<Uint8Array | null>
  /** Writes a value. Rejects with `RangeError` for more than 32 MiB, and with `TypeError` for a key that is none. */
  set(key: string, value: Uint8Array): Promise<void>
  /** Removes a value; resolves also where there is none. */
  delete(key: string): Promise<void>
}
