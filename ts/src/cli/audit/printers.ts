/** Where the events of an audit go: lines for people, or of JSON for programs. */
import {
  type AuditProgress,
  type AuditSummary,
  isNotable,
  type RangeResult,
  type ServerResult,
  serverOutcomes,
  type SlotOutcome,
  slotOutcomes,
  type SlotRange,
  type SlotResult,
} from '../../audit/index.ts'
import { printable } from '../../util/printable.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import { isLive, jsonLine, Lines, type Style, styleFor } from '../terminal/output.ts'
import { counted, duration, grouped, printError, size } from '../terminal/words.ts'
import { type Blank, blankOf, Blanks } from './blanks.ts'
import { firstLine, rangeLines } from './report-file.ts'
import type { AuditIdentity } from './identity.ts'

/** What this run did. */
export interface RunFigures {
  readonly slots: number
  readonly ms: number
}

export interface AuditPrinter {
  began(id: string, identity: AuditIdentity, doneBefore: number): void
  /** What is being done before there is progress. */
  preparing(text: string): void
  progress(progress: AuditProgress): void
  /** Something keeps the audit from going on, for a while. */
  trouble(text: string): void
  result(result: RangeResult): void
  summary(summary: AuditSummary, run: RunFigures, report: string | undefined): void
  failed(error: Error): void
  end(exitCode: ExitCode): void
}

const PROGRESS_MS = 5_000

/** The lines of a report, and progress now and then. */
export function jsonAuditPrinter({ stdout }: CommandContext, all: boolean): AuditPrinter {
  const print = (event: string, data: object): void => void stdout.write(jsonLine({ event, ...data }))
  let toldAt = 0
  return {
    began: (id, identity, doneBefore) => {
      stdout.write(firstLine(id, identity))
      if (doneBefore > 0) print('resumed', { slots: doneBefore })
    },
    preparing: () => {},
    progress(progress) {
      const now = performance.now()
      if (now - toldAt < PROGRESS_MS) return
      toldAt = now
      print('progress', progress)
    },
    trouble: (detail) => print('trouble', { detail }),
    result: (result) => void stdout.write(rangeLines(result, all)),
    summary: (summary, { slots, ms }) => print('summary', { ...summary, run: { slots, ms: Math.round(ms) } }),
    failed: (error) => print('failed', { error: error.name, message: error.message }),
    end: (exitCode) => print('end', { exitCode }),
  }
}

/** Lines for people; what is going on is written over itself where the output is a terminal. */
export function textAuditPrinter(
  { stdout, stderr }: CommandContext,
  all: boolean,
  trust: 'verified' | 'trusted',
): AuditPrinter {
  const lines = new Lines(stdout)
  const style = styleFor(stdout)
  const onWord = trust === 'trusted' ? ' [header on the endpoints’ word]' : ''
  const began = performance.now()
  let [walked, done, total] = ['', 0, 0]
  const counts = new Map<SlotOutcome, number>()
  let blanks: Blanks | undefined
  const tellBlank = ({ from, to, detail }: Blank): void => {
    const which = from === to ? `slot ${from}` : `slots ${from} to ${to}`
    lines.print(`${which}: ${style(styles.unknown, 'unknown')} (${printable(detail)})`, '  ')
  }
  const tell = (slot: SlotResult): void => {
    const text = slotInWords(slot)
    const at = text.indexOf(':')
    lines.print(
      `${text.slice(0, at)}${onWord}: ${style(styles[slot.outcome], slot.outcome)}${text.slice(at + 1)}`,
      '  ',
    )
  }
  const show = (): void => {
    if (!isLive(stdout)) return
    const bad = slotOutcomes.slice(0, 4).flatMap((outcome) => {
      const count = counts.get(outcome) ?? 0
      return count === 0 ? [] : [`, ${grouped(count)} ${outcome}`]
    })
    const rate = done === 0 ? '' : `, ${grouped((1000 * done) / (performance.now() - began))} slots/s`
    lines.status(`slots ${grouped(done)}/${grouped(total)}${bad.join('')}${rate}${walked}`)
  }
  return {
    began(_id, { from, to, servers }, doneBefore) {
      blanks = new Blanks({ from, to })
      lines.print(
        `slots ${from} to ${to}, of ${servers.map((server) => server.split(' ')[0]).join(', ')}`,
        '  ',
      )
      if (doneBefore > 0) lines.print(`going on: ${counted(doneBefore, 'slot')} done before`, '  ')
    },
    preparing: (text) => lines.status(text),
    progress(progress) {
      if (progress.stage === 'headers')
        walked = progress.done < progress.total ? `; headers ${progress.done}/${progress.total}` : ''
      else ({ done, total } = progress)
      show()
    },
    trouble: (text) => lines.print(printable(text), '  '),
    result(range) {
      const ofRange: Blank[] = []
      for (const slot of range.slots) {
        counts.set(slot.outcome, (counts.get(slot.outcome) ?? 0) + 1)
        const blank = all ? null : blankOf(slot)
        if (blank !== null) ofRange.push(blank)
        else if (all || isNotable(slot)) tell(slot)
      }
      for (const blank of blanks?.add(range, ofRange) ?? []) tellBlank(blank)
      show()
    },
    summary(summary, run, report) {
      for (const blank of blanks?.rest() ?? []) tellBlank(blank)
      for (const line of summaryInWords(summary, run, trust)) lines.print(line, '    ')
      if (report !== undefined) lines.print(`report: ${printable(report)}`)
    },
    failed(error) {
      lines.clear()
      printError(stderr, error)
    },
    end: () => lines.clear(),
  }
}

const styles: Readonly<Record<SlotOutcome, Style>> = {
  wrong: 'red',
  missing: 'red',
  unreadable: 'red',
  unknown: 'yellow',
  complete: 'green',
  'no-blobs': 'dim',
  'no-block': 'dim',
}

/** `slot 128:`, and what there is to say of it beside its outcome. */
function slotInWords({ slot, outcome, detail, blobs, servers }: SlotResult): string {
  const of = blobs.wanted === null || blobs.wanted === 0 ? '' : `, ${counted(blobs.wanted, 'blob')}`
  const those = servers.filter((server) => server.outcome !== 'complete' || outcome === 'complete')
  const words = those.map((server) => `\n${serverInWords(server, blobs.wanted ?? 0)}`)
  return printableText(`slot ${slot}:${of}${detail === null ? '' : ` (${detail})`}${words.join('')}`)
}

function serverInWords({ server, outcome, lacks, refused, failures }: ServerResult, wanted: number): string {
  // Of one that did not answer it is not known what it has.
  const [lacksAll, lacksSome] = outcome === 'unknown' ? ['gave none', 'did not give'] : ['lacks all', 'lacks']
  const lacking =
    lacks.length === 0
      ? 'has all'
      : lacks.length === wanted
        ? lacksAll
        : `${lacksSome} ${counted(lacks.length, 'blob')}: ${lacks.join(', ')}`
  const lies = refused.map(({ what, reason }) => `; ${what} is false: ${reason}`)
  const seen = new Set(failures.map(({ kind, detail }) => `; ${kind} (${detail})`))
  return `  ${server}: ${outcome}: ${lacking}${lies.slice(0, 4).join('')}${[...seen].slice(0, 4).join('')}`
}

function printableText(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

function summaryInWords(summary: AuditSummary, run: RunFigures, trust: 'verified' | 'trusted'): string[] {
  const { from, to, slots, counts, servers, blobs, bytes } = summary
  const how = trust === 'verified' ? 'verified from your checkpoint' : 'on the endpoints’ word'
  const length = to - from + 1
  const rate =
    run.slots === 0 ? '' : `; ${grouped((1000 * run.slots) / run.ms)} slots/s in ${duration(run.ms)}`
  return [
    `${grouped(slots)} of ${counted(length, 'slot')}, headers ${how}${rate}`,
    ...slotOutcomes
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => `  ${outcome.padEnd(10)} ${grouped(counts[outcome])}`),
    `${grouped(blobs.valid)} of ${counted(blobs.wanted, 'blob')} verified, ${size(bytes)}`,
    ...Object.entries(servers).map(([server, ofServer]) => {
      const parts = serverOutcomes.flatMap((outcome) =>
        ofServer[outcome] === 0 ? [] : [`${grouped(ofServer[outcome])} ${outcome}`],
      )
      return `${printable(server)}: ${parts.reverse().join(', ')}`
    }),
    ...(['wrong', 'missing', 'unreadable', 'unknown'] as const).flatMap((outcome) =>
      listed(`slots with something ${outcome}`, summary[outcome]),
    ),
    ...(Object.keys(servers).length > 1 ? listed('slots with a blob that nobody gave', summary.nowhere) : []),
  ]
}

/** Ranges that are listed for people; the report has all. */
const MAX_LISTED = 20

function listed(title: string, ranges: readonly SlotRange[]): string[] {
  if (ranges.length === 0) return []
  const words = ranges
    .slice(0, MAX_LISTED)
    .map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`))
  const more = ranges.length > MAX_LISTED ? `, and ${counted(ranges.length - MAX_LISTED, 'range')} more` : ''
  return [`${title}: ${words.join(', ')}${more}`]
}
