/** Files and standard input as bytes: no more of them than fits, and every way in which that can fail has a sentence. */
import { closeSync, constants, createReadStream, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { concatAll } from '../../util/bytes.ts'
import { UndeterminedError } from './contents.ts'

/**
 * The most that is read of one file. 128 columns of 72 blobs are 40 MB of JSON; a list of several such blocks is what their
 * caller can cut.
 */
export const MAX_FILE_BYTES: number = 128 * 1024 * 1024

/** The bytes of a file, or of standard input (`-`). Throws `UndeterminedError`, or an `AbortError`. */
export async function readInput(
  path: string,
  signal?: AbortSignal,
  maxBytes: number = MAX_FILE_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if (path === '-') return await readStream(process.stdin, maxBytes, signal)
    const info = await stat(path)
    if (info.isDirectory()) throw new UndeterminedError('it is a folder: name the files in it')
    if (info.isFile() && info.size > maxBytes) throw tooLong(maxBytes)
    return await readStream(info.isFIFO() ? openPipe(path) : createReadStream(path), maxBytes, signal)
  } catch (error) {
    if (error instanceof UndeterminedError || signal?.aborted === true) throw error
    throw new UndeterminedError(reasonOf(error), { cause: error })
  }
}

/**
 * A named pipe. `open` would wait for whoever writes, and a thread that waits there cannot be interrupted: it is opened without
 * waiting, and polled.
 */
function openPipe(path: string): Readable {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return new Socket({ fd, readable: true, writable: false })
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Counts while it reads: pipes and devices have no size to look up. */
async function readStream(
  stream: Readable,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (signal !== undefined) addAbortSignal(signal, stream)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    length += part.length
    if (length > maxBytes) throw tooLong(maxBytes)
    parts.push(part)
  }
  return concatAll(parts)
}

function tooLong(maxBytes: number): UndeterminedError {
  return new UndeterminedError(
    `it is longer than ${(maxBytes / 2 ** 20).toFixed(0)} MiB, which is the most that is read`,
  )
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read (permissions)',
  EPERM: 'it may not be read (permissions)',
  ENOTDIR: 'a part of its path is no folder',
  ELOOP: 'its links lead round in a circle',
  ENAMETOOLONG: 'its name is too long',
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return (typeof code === 'string' ? reasons[code] : undefined) ?? `it cannot be read (${String(error)})`
}
