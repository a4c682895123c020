/** Files of Node's that somebody else may have put there. Nothing that is to run in browsers imports this. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * The bytes of a regular file, as long as it is when it is opened: of one that grows meanwhile no more is read. Rejects for anything else, for a
 * file of more than `most` bytes, and with Node's error. It never waits for whoever writes to a pipe: a thread that did could not be
 * had back, and the file system has four of them.
 */
export async function readBounded(path: string, most: number): Promise<Uint8Array> {
  // Windows has no such flag, and no pipes among its files.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const info = await file.stat()
    if (!info.isFile()) throw new Error('not a file')
    const { size } = info
    if (size > most) throw new Error(`a file of ${size} bytes, longer than any value`)
    const bytes = new Uint8Array(size)
    let length = 0
    while (length < size) {
      const { bytesRead } = await file.read(bytes, length, size - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}
