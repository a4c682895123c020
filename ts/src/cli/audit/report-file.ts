/**
 * The report of an audit, a file of JSON lines, which is its journal, too. The first line says which audit it is. Then come results, range by
 * range: a line for each slot of which there is something to say, and one for the range, which makes it count. They are written in one go,
 * and whatever follows the last line of a range (of a process that was killed, or a summary) is cut off when the audit goes on.
 * One process writes it.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import {
  countsOf,
  isNotable,
  joinRanges,
  nameOf,
  type RangeResult,
  type SlotRange,
  type SlotResult,
  SLOTS_PER_JOB,
  Tally,
} from '../../audit/index.ts'
import { UsageError } from '../command.ts'
import { jsonLine } from '../terminal/output.ts'
import { type AuditIdentity, differences } from './identity.ts'
import { absent, linesOf, NotOwn, OwnFile, rewrite, type Span } from './own-file.ts'
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

/** Ranges that an error names. */
const MAX_NAMED = 10

export class ReportFile {
  readonly id: string
  /** What was found out before, and since. */
  readonly tally: Tally
  readonly #own: OwnFile
  readonly #done: ReadonlySet<string>
  readonly #all: boolean
  /** The ranges that were added here. */
  readonly #added: SlotRange[] = []

  private constructor(id: string, tally: Tally, done: ReadonlySet<string>, own: OwnFile, all: boolean) {
    this.id = id
    this.tally = tally
    this.#done = done
    this.#own = own
    this.#all = all
  }

  /**
   * Begins a report, or goes on with one. With `retry`, ranges in which something is unknown are taken out, so that they are audited again.
   * Throws `UsageError` for a file that is no report, or one of another audit: it is left as it is, and so is a pipe or a device; and `Error` where
   * another process writes it.
   */
  static async open(
    path: string,
    identity: AuditIdentity,
    { all, retry }: { readonly all: boolean; readonly retry: boolean },
  ): Promise<ReportFile> {
    const found = await stat(path).catch(absent)
    // To open a folder fails with words of its own; to open a pipe waits for whoever is at its other end.
    if (found !== null && !found.isFile() && !found.isDirectory())
      throw new UsageError(
        `${path} is no regular file, which a report has to be, since it is gone on with: --json prints the same lines`,
      )
    let own = new OwnFile(path, await open(path, 'a+'))
    try {
      const before = await read(own, identity, retry)
      const { tally, done } = before ?? { tally: new Tally(identity), done: new Set<string>() }
      // What other machines still have of ranges that are taken out is not to come back: the audit gets another name.
      const id = before === null || retry ? newAuditId() : before.id
      const first = firstLine(id, identity)
      if (before?.isCut) own = await rewrite(own, first, before.spans)
      else await own.cut(before?.end ?? 0)
      if (before === null) await own.append(first)
      await own.refuseOthers()
      return new ReportFile(id, tally, done, own, all)
    } catch (error) {
      await own.close()
      throw error instanceof NotOwn
        ? new Error(`another process writes ${path}: let its audit end, or stop it, before this one goes on`)
        : error
    }
  }

  /** Whether a range, by its name, was done before. */
  isDone(name: string): boolean {
    return this.#done.has(name)
  }

  /**
   * Adds a result. A range that was done before is not to be added again. Throws `Error` where another process writes the report; it
   * says which ranges of this process are not in the file, with this one.
   */
  async add(result: RangeResult): Promise<void> {
    const { from, to } = result
    this.#added.push({ from, to })
    await this.#named(() => this.#own.append(rangeLines(result, this.#all)))
    this.tally.add(countsOf(result), result.slots)
  }

  /** Throws as `add` does. */
  async addSummary(summary: object): Promise<void> {
    await this.#named(async () => {
      await this.#own.append(jsonLine({ event: 'summary', ...summary }))
      await this.#own.file.datasync()
      await this.#own.refuseOthers()
    })
  }

  async close(): Promise<void> {
    await this.#own.close()
  }

  /** Where another process writes the report, the error says what is not in it. */
  async #named(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      if (!(error instanceof NotOwn)) throw error
      const { path } = this.#own
      const there = await rangesIn(path)
      const lost = joinRanges(this.#added.filter((range) => !there.has(nameOf(range))))
      const names = lost
        .slice(0, MAX_NAMED)
        .map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`))
      const more = lost.length > MAX_NAMED ? ', and more' : ''
      const what =
        lost.length === 0 ? '' : `; of what this one audited, slots ${names.join(', ')}${more} are not in it`
      throw new Error(
        `another process writes ${path}, or took it away${what}: let one audit of a report end before the next begins`,
        { cause: error },
      )
    }
  }
}

/** The names of the ranges that a file has; none of a file that is not there. */
async function rangesIn(path: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  try {
    for await (const { text } of linesOf(createReadStream(path))) {
      const line = text === null ? null : readLine(text)
      if (line?.event === 'range') names.add(nameOf(line))
    }
  } catch (error) {
    absent(error)
  }
  return names
}

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

/** What a report has of an audit; null where nothing was written to it before. */
async function read(own: OwnFile, identity: AuditIdentity, retry: boolean): Promise<Before | null> {
  const refuse = (why: string): UsageError => new UsageError(`${own.path} ${why}; it is left as it is`)
  const tally = new Tally(identity)
  const done = new Set<string>()
  const spans: Span[] = []
  let first: FirstLine | null = null
  let slots: SlotResult[] = []
  let [number, end, isCut, broken] = [0, 0, retry, 0]
  for await (const { text, end: lineEnd, isWhole } of own.lines()) {
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
