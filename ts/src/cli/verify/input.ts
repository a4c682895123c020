/**
 * What `blobcheck verify` is given: files and standard input as bytes, no more of them than fits, and the kinds of what is in them.
 * Every way in which reading can fail has a sentence.
 */
import { closeSync, constants, createReadStream, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, type ZlibOptions } from 'node:zlib'
import { isHash } from '../../util/hash.ts'
import { concatAll } from '../../util/bytes.ts'
import { type CommandContext, UsageError } from '../command.ts'
import { fileReason } from '../files.ts'

/** What can be in a file. */
export const kinds = ['blob-sidecars', 'data-column-sidecars', 'transaction', 'blobs'] as const
export type Kind = (typeof kinds)[number]

/** How it is written down. Any binary form may also be in hexadecimal digits. */
export type Form = 'json' | 'ssz' | 'rlp'

export interface Contents {
  readonly kind: Kind
  readonly form: Form
  readonly isHex: boolean
  /** Sidecars, blobs or one transaction, as bytes or JSON; not looked into yet. */
  readonly items: readonly unknown[]
}

/** The file is nothing that could be verified, `message` says why. */
export interface Unrecognised {
  readonly kind: null
  readonly message: string
}

/** A block holds 128 columns at most, and a file some blocks. */
export const MAX_ITEMS = 16_384

const kindWords: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  'blob-sidecars': ['blob sidecar', 'blob sidecars'],
  'data-column-sidecars': ['data column sidecar', 'data column sidecars'],
  transaction: ['blob transaction in network form', 'blob transactions in network form'],
  blobs: ['bare blob', 'bare blobs'],
}
const formWords: Readonly<Record<Form, string>> = { json: 'JSON', ssz: 'SSZ', rlp: 'RLP' }

/** For example `6 blob sidecars, JSON`. */
export function contentsInWords({ kind, form, isHex, items }: Contents): string {
  const [one, many] = kindWords[kind]
  return `${items.length} ${items.length === 1 ? one : many}, ${formWords[form]}${isHex ? ' in hex' : ''}`
}

/** Nothing is said about the data: it could not be read, or what was asked for cannot be applied to it. */
export class UndeterminedError extends Error {
  override readonly name = 'UndeterminedError'
}

/**
 * The most that is read of one file. 128 columns of 72 blobs are 40 MB of JSON; a list of several such blocks is what their
 * caller can cut.
 */
const MAX_FILE_BYTES = 128 * 1024 * 1024

/** Where files are read, and until when. */
export type InputContext = Pick<CommandContext, 'stdin' | 'signal'>

/** Refuses paths of which more than one is standard input (`-`). Throws `UsageError`. */
export function checkPaths(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === '-').length > 1) throw new UsageError('standard input can be read once')
}

/** The bytes of a file, decompressed where it is gzip, or of standard input (`-`), whose writer may have failed if it wrote nothing. Throws `UndeterminedError`, or an `AbortError`. */
export async function readInput(
  path: string,
  context: InputContext,
  maxBytes: number = MAX_FILE_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const { signal } = context
  try {
    if (path === '-') {
      const bytes = await readStream(context.stdin, maxBytes, signal)
      if (bytes.length === 0) throw new UndeterminedError('nothing came')
      return await decompressed(bytes, maxBytes)
    }
    const info = await stat(path)
    if (info.isDirectory()) throw new UndeterminedError('it is a folder: name the files in it')
    if (info.isFile() && info.size > maxBytes) throw tooLong(maxBytes)
    const stream = info.isFIFO() ? openPipe(path) : createReadStream(path)
    return await decompressed(await readStream(stream, maxBytes, signal), maxBytes)
  } catch (error) {
    if (error instanceof UndeterminedError || signal.aborted) throw error
    const reason = fileReason(error, 'read') ?? `it cannot be read (${String(error)})`
    // Whoever holds a hash tries it here.
    const advice = isHash(path) ? '; the blobs of a transaction’s hash are found by “blobcheck blobs”' : ''
    throw new UndeterminedError(reason + advice, { cause: error })
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
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  addAbortSignal(signal, stream)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    length += part.length
    if (length > maxBytes) throw tooLong(maxBytes)
    parts.push(part)
  }
  return concatAll(parts)
}

/** What came out, and how much of the input went in. Node's types lack the option `info`. */
const gunzipWithInfo = promisify(gunzip) as unknown as (
  bytes: Uint8Array,
  options: ZlibOptions,
) => Promise<{ readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } }>

/** How gzip with the one method that there is begins (RFC 1952, section 2.3). */
const GZIP = [0x1f, 0x8b, 0x08]

/**
 * What gzip made these bytes of. Those that it did not make to their last one are left as they are: a blob may begin like it, or with it, and go on with
 * zeros. Throws `UndeterminedError`.
 */
async function decompressed(
  bytes: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!GZIP.every((byte, at) => bytes[at] === byte)) return bytes
  try {
    const { buffer, engine } = await gunzipWithInfo(bytes, { info: true, maxOutputLength: maxBytes })
    return engine.bytesWritten === bytes.length ? new Uint8Array(buffer) : bytes
  } catch (error) {
    if ((Object(error) as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(maxBytes)
    return bytes
  }
}

function tooLong(maxBytes: number): UndeterminedError {
  return new UndeterminedError(
    `it is longer than ${(maxBytes / 2 ** 20).toFixed(0)} MiB, which is the most that is read`,
  )
}
