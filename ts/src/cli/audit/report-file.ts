/**
 * The report of an audit, a file of JSON lines, which is its journal, too. The first line says which audit it is. Then come results, range by
 * range: a line for each slot of which there is something to say, and one for the range, which makes it count. They are written in one go,
 * and whatever follows the last line of a range (of a process that was killed, or a summary) is cut off when the audit goes on.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, truncate, writeFile } from 'node:fs/promises'
import {
  countsOf,
  isNotable,
  nameOf,
  type RangeResult,
  type SlotResult,
  SLOTS_PER_JOB,
  Tally,
} from '../../audit/index.ts'
import { UsageError } from '../command.ts'
import { jsonLine } from '../terminal/output.ts'
import { type AuditIdentity, differences } from './identity.ts'
import { type FirstLine, readLine, VERSION } from './report-lines.ts'

/** A name for an audit that no other one has. */
export function newAuditId(): string {
  return randomBytes(8).toString('hex')
}

/** The lines of a range: of its slots, all or those of which there is something to say, and its own. */
export function rangeLines(result: RangeResult, all: boolean): string {
  const slots = all ? result.slots : result.slots.filter(isNotable)
  const lines = slots.map((slot) => jsonLine({ event: 'slot', ...slot }))
  return `${lines.join('')}${jsonLine({ event: 'range', ...countsOf(result) })}`
}

/** The first line of an audit's output. */
export function firstLine(id: string, identity: AuditIdentity): string {
  return jsonLine({ event: 'audit', version: VERSION, id, ...identity } satisfies FirstLine)
}

export class ReportFile {
  readonly id: string
  /** What was found out before, and since. */
  readonly tally: Tally
  readonly #file: FileHandle
  readonly #done: ReadonlySet<string>
  readonly #all: boolean

  private constructor(id: string, tally: Tally, done: ReadonlySet<string>, file: FileHandle, all: boolean) {
    this.id = id
    this.tally = tally
    this.#done = done
    this.#file = file
    this.#all = all
  }

  /**
   * Begins a report, or goes on with one. With `retry`, ranges in which something is unknown are taken out, so that they are audited again.
   * Throws `UsageError` for a file that is no report, or one of another audit: it is left as it is.
   */
  static async open(
    path: string,
    identity: AuditIdentity,
    { all, retry }: { readonly all: boolean; readonly retry: boolean },
  ): Promise<ReportFile> {
    const before = await read(path, identity, retry)
    if (before === null) {
      const id = newAuditId()
      await writeFile(path, firstLine(id, identity))
      return new ReportFile(id, new Tally(identity), new Set(), await open(path, 'a'), all)
    }
    // What other machines still have of those ranges is not to come back: the audit gets another name.
    const id = retry ? newAuditId() : before.id
    if (before.isCut) await rewrite(path, firstLine(id, identity), before.spans)
    else await truncate(path, before.end)
    return new ReportFile(id, before.tally, before.done, await open(path, 'a'), all)
  }

  /** Whether a range, by its name, was done before. */
  isDone(name: string): boolean {
    return this.#done.has(name)
  }

  /** Adds a result. A range that was done before is not to be added again. */
  async add(result: RangeResult): Promise<void> {
    await this.#file.appendFile(rangeLines(result, this.#all))
    this.tally.add(countsOf(result), result.slots)
  }

  async addSummary(summary: object): Promise<void> {
    await this.#file.appendFile(jsonLine({ event: 'summary', ...summary }))
    await this.#file.datasync()
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

type Span = readonly [start: number, end: number]

interface Before {
  readonly id: string
  readonly tally: Tally
  readonly done: ReadonlySet<string>
  /** How many bytes of the file count, where nothing in the middle is to go. */
  readonly end: number
  /** Whether something in the middle is to go, or the first line is to be another one. */
  readonly isCut: boolean
  /** The parts after the first line that are to stay. */
  readonly spans: readonly Span[]
}

/** What a report has of an audit; null where there is no file, or one in which nothing was written before. */
async function read(path: string, identity: AuditIdentity, retry: boolean): Promise<Before | null> {
  const refuse = (why: string): UsageError => new UsageError(`${path} ${why}; it is left as it is`)
  const tally = new Tally(identity)
  const done = new Set<string>()
  const spans: Span[] = []
  let first: FirstLine | null = null
  let slots: SlotResult[] = []
  let [number, end, isCut, broken] = [0, 0, retry, 0]
  for await (const { text, end: lineEnd, isWhole } of linesOf(path)) {
    number++
    if (text === null) throw refuse(`cannot be read: line ${number} is longer than 16 MiB`)
    const line = isWhole ? readLine(text) : null
    if (first === null) {
      // Killed while it wrote its first line.
      if (!isWhole && '{"event":"audit","version":'.startsWith(text.slice(0, 27))) return null
      if (line?.event === 'another-version')
        throw refuse(
          `is a report of version ${line.version}, and this version of blobcheck writes ${VERSION}`,
        )
      if (line?.event !== 'audit') throw refuse('is no report of an audit')
      const others = differences(line, identity)
      if (others.length > 0)
        throw refuse(
          `is the report of another audit (${others.join('; ')}): give it another name, or the same options`,
        )
      first = line
      end = lineEnd
    } else if (line === null) {
      broken ||= number
    } else if (line.event === 'slot') {
      // A range has no more of them.
      if (slots.length < SLOTS_PER_JOB) slots.push(line)
      else broken ||= number
    } else if (line.event === 'range') {
      if (broken > 0) throw refuse(`cannot be read from line ${broken} on, and results follow`)
      const name = nameOf(line)
      if (done.has(name) || (retry && line.counts.unknown > 0)) {
        isCut = true
      } else {
        done.add(name)
        tally.add(line, slots)
        spans.push([end, lineEnd])
      }
      slots = []
      end = lineEnd
    } else {
      // A summary is written anew; what was before it belongs to no range.
      slots = []
    }
  }
  return first && { id: first.id, tally, done, end, isCut, spans }
}

interface TextLine {
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

/** The lines of a file, with their places; none of a file that is not there. */
async function* linesOf(path: string): AsyncGenerator<TextLine, void, void> {
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
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
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
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
  if (length > 0) yield taken(false)
}

/** Leaves of a file these parts, after another first line. It is replaced as a whole, so that a process that is killed meanwhile loses nothing. */
async function rewrite(path: string, first: string, spans: readonly Span[]): Promise<void> {
  const draft = `${path}.draft`
  const [from, to] = [await open(path, 'r'), await open(draft, 'w')]
  try {
    await to.appendFile(first)
    for (const [start, end] of spans) {
      const part = Buffer.alloc(end - start)
      await from.read(part, 0, part.length, start)
      await to.appendFile(part)
    }
    await to.datasync()
  } finally {
    await from.close()
    await to.close()
  }
  await rename(draft, path)
}
