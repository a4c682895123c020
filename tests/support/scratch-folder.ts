/** A folder of a file of tests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

export interface ScratchFolder {
  /** Not before the first test, or a hook that was declared after the folder. */
  readonly path: string
  /** Writes a file into it; its path. */
  readonly write: (name: string, content: Uint8Array | string) => Promise<string>
}

/** It is made before the tests of the file, or of the `describe` in which it is asked for, and removed after them. */
export function scratchFolder(): ScratchFolder {
  let path = ''
  beforeAll(async () => void (path = await mkdtemp(join(tmpdir(), 'blobcheck-'))))
  afterAll(async () => await rm(path, { recursive: true }))
  return {
    get path() {
      return path
    },
    async write(name, content) {
      const file = join(path, name)
      await writeFile(file, content)
      return file
    },
  }
}
