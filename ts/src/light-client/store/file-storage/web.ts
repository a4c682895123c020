/** Browsers have no file system: constructing the storage says so. */
import type { LightClientStorage } from '../storage.ts'

export class FileStorage implements LightClientStorage {
  constructor(_folder: string) {
    throw new TypeError('there is no file system here: use IndexedDbStorage')
  }
  get(): Promise<null> {
    return Promise.resolve(null)
  }
  set(): Promise<void> {
    return Promise.resolve()
  }
  delete(): Promise<void> {
    return Promise.resolve()
  }
}
