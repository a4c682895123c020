/** Storage in a folder of Node's file system. */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readBounded } from '../../../util/bounded-file.ts'
import { isBytes } from '../../../util/bytes.ts'
import type { LightClientStorage } from '../storage.ts'

/** What a value is written into before it is renamed: the file's name, and a UUID. */
const DRAFT = /^[0-9a-z-]+\.bin\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** A draft that was not touched for longer, in milliseconds, is nobody's any more: some megabytes are written in a moment. */
const DRAFT_MS = 60 * 60_000
/** The longest value, in bytes. That is a part of a prover's tables, which are kept here, too: 25,165,824 with 8 rows and width 8. */
const MAX_VALUE_BYTES = 2 ** 25

export class FileStorage implements LightClientStorage {
  readonly #folder: string
  #isTidy = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Rejects for what is no file, and for one that is longer than any value: whatever that is, this storage did not write it. */
  async get(key: string): Promise<Uint8Array | null> {
    const path = this.#path(key)
    try {
      return await readBounded(path, MAX_VALUE_BYTES)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  /** Written beside and renamed: whoever reads, reads all of the old or all of the new. */
  async set(key: string, value: Uint8Array): Promise<void> {
    if (!isBytes(value)) throw new TypeError('a value must be a Uint8Array')
    if (value.length > MAX_VALUE_BYTES)
      throw new RangeError(`a value of ${value.length} bytes, and ${MAX_VALUE_BYTES} are the most`)
    const path = this.#path(key)
    // By chance: threads share a process id, and so do containers, each of which has the first one.
    const draft = `${path}.${randomUUID()}`
    await mkdir(this.#folder, { recursive: true })
    try {
      await writeFile(draft, value)
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    if (this.#isTidy) return
    this.#isTidy = true
    await removeOldDrafts(this.#folder).catch(() => {})
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true })
  }

  #path(key: string): string {
    // An object could be another text each time that it is asked.
    if (typeof key !== 'string' || !/^[0-9a-z-]+$/.test(key))
      throw new TypeError(
        `not a key of digits, small letters and hyphens: ${typeof key === 'string' ? key : typeof key}`,
      )
    return join(this.#folder, `${key}.bin`)
  }
}

/** Removes what processes left that ended while they wrote. */
async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!DRAFT.test(name)) continue
    const path = join(folder, name)
    const file = await stat(path).catch(() => null)
    // One of a time to come was written while the clock was ahead.
    if (file?.isFile() === true && Math.abs(Date.now() - file.mtimeMs) > DRAFT_MS)
      await rm(path, { force: true })
  }
}
