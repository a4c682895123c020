/** Storage in a folder of Node's file system. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LightClientStorage } from '../storage.ts'

let writes = 0

export class FileStorage implements LightClientStorage {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async get(key: string): Promise<Uint8Array | null> {
    try {
      return new Uint8Array(await readFile(this.#path(key)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  /** Written beside and renamed: whoever reads, reads all of the old or all of the new. */
  async set(key: string, value: Uint8Array): Promise<void> {
    const path = this.#path(key)
    const draft = `${path}.${process.pid}.${writes++}`
    await mkdir(this.#folder, { recursive: true })
    try {
      await writeFile(draft, value)
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true })
  }

  #path(key: string): string {
    if (!/^[0-9a-z-]+$/.test(key)) throw new TypeError(`not a key of a light client: ${key}`)
    return join(this.#folder, `${key}.bin`)
  }
}
