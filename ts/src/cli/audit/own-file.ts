/**
 * A file of lines that this process alone is to write. No lock says so, since a process that is killed would leave it behind: before each write
 * it is looked whether the file is still there, and as long as it was made here.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat, truncate } from 'node:fs/promises'

/** The file at the path is not the one that is written here, or not as long. */
export class NotOwn extends Error {}

/** A file that this process alone is to write: it knows how long it is. */
export class OwnFile {
  readonly path: string
  readonly file: FileHandle
  /** How many bytes of it were read or written here. */
  #size: number

  constructor(path: string, file: FileHandle, size = 0) {
    this.path = path
    this.file = file
    this.#size = size
  }

  /** Its lines, with their places. */
  async *lines(): AsyncGenerator<TextLine, void, void> {
    for await (const line of linesOf(this.file.createReadStream({ start: 0, autoClose: false }))) {
      this.#size = line.end
      yield line
    }
  }

  /** Throws `NotOwn` where another process writes it, replaced it, or took it away. */
  async refuseOthers(): Promise<void> {
    const [own, there] = await Promise.all([
      this.file.stat({ bigint: true }),
      stat(this.path, { bigint: true }).catch(absent),
    ])
    if (there?.ino !== own.ino || there.size !== BigInt(this.#size)) throw new NotOwn()
  }

  /** Throws as `refuseOthers` does, before anything is written. */
  async append(text: string): Promise<void> {
    await this.refuseOthers()
    const bytes = Buffer.from(text)
    await this.file.appendFile(bytes)
    this.#size += bytes.length
  }

  /** Leaves so many bytes of it. Throws as `refuseOthers` does; then it is left as it is. */
  async cut(size: number): Promise<void> {
    await this.refuseOthers()
    if (size === this.#size) return
    // By its name: Windows does not cut what was opened to be appended to.
    await truncate(this.path, size)
    this.#size = size
  }

  async close(): Promise<void> {
    await this.file.close()
  }
}

/** Where a part of a file begins and ends, in bytes. */
export type Span = readonly [start: number, end: number]

/** Null where there is no such file; throws any other error. */
export function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

export interface TextLine {
  /** Null for a line that is longer than any of a report; it is the last one that comes. */
  readonly text: string | null
  /** Where it ends in the file, after its line break. */
  readonly end: number
  /** Whether it has one: the last line of a process that was killed has none. */
  readonly isWhole: boolean
}

const NEWLINE = 0x0a
/** The longest line that is read, in bytes. What there is to say of a slot and many servers takes some kilobytes. */
const MAX_LINE_BYTES = 2 ** 24

/** The lines of a file, with their places. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<TextLine, void, void> {
  let parts: Buffer[] = []
  let [length, end] = [0, 0]
  const add = (part: Buffer): void => {
    parts.push(part)
    length += part.length
    end += part.length
  }
  const taken = (isWhole: boolean): TextLine => {
    const text = length > MAX_LINE_BYTES ? null : Buffer.concat(parts).toString('utf8')
    parts = []
    length = 0
    return { text, end, isWhole }
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at))
      end++
      yield taken(true)
      from = at + 1
    }
    add(chunk.subarray(from))
    if (length > MAX_LINE_BYTES) return void (yield taken(false))
  }
  if (length > 0) yield taken(false)
}

/**
 * Leaves of a file these parts, after another first line, and closes it. It is replaced as a whole, so that a process that is killed meanwhile
 * loses nothing. Throws `NotOwn` where another process wrote it meanwhile.
 */
export async function rewrite(own: OwnFile, first: string, spans: readonly Span[]): Promise<OwnFile> {
  const { path, file: from } = own
  // Of a name of its own: another process may be about the same.
  const draft = `${path}.${randomUUID()}.draft`
  try {
    const to = await open(draft, 'wx')
    let size = Buffer.byteLength(first)
    try {
      await to.appendFile(first)
      for (const [start, end] of spans) {
        const part = Buffer.alloc(end - start)
        await from.read(part, 0, part.length, start)
        await to.appendFile(part)
        size += part.length
      }
      await to.datasync()
    } finally {
      await to.close()
    }
    await own.refuseOthers()
    await own.close()
    await rename(draft, path)
    return new OwnFile(path, await open(path, 'a'), size)
  } finally {
    await rm(draft, { force: true })
  }
}
