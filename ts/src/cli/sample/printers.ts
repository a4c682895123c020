/** What happens in `blobcheck sample`, for whoever shows it: as lines of JSON, or for people. */
import type { SyncProgress } from '../../light-client/index.ts'
import type { SampleProgress, SampleReport, SlotCounters, SlotReport } from '../../sampler/index.ts'
import { printable } from '../../util/printable.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import { trustSentences } from '../options/trust.ts'
import { isLive, jsonLine, Lines, type Output, styleFor } from '../terminal/output.ts'
import { counted, duration, printError } from '../terminal/words.ts'
import { LiveView } from './live-view.ts'
import { countersLine, labelled, missingInWords, reportLines, slotLine } from './report-text.ts'

/** Which calls of `followingBack` are worth a line in a log: each tenth. */
const CALLS_PER_LINE = 10

/** On whose word a block is taken to be of the chain. */
export type HeaderTrust =
  /** A checkpoint's: everything from there on is verified. */
  | 'checkpoint'
  /** The endpoints' own (`--trust-endpoint`). */
  | 'endpoint'
  /** Nobody's: it is a recorded block, served by this very process. */
  | 'recorded'

/** What is going to be done. */
export interface Beginning {
  readonly network: string
  readonly trust: HeaderTrust
  readonly endpoints: readonly string[]
  /** Columns to be drawn, and how likely an error is if none of them is missing. */
  readonly plan: { readonly columns: number; readonly maxError: number }
}

/** Where events go. */
export interface SamplePrinter {
  /** Something that takes a while goes on; `step` is how far it is. */
  preparing(what: string, step?: string): void
  syncing(progress: SyncProgress): void
  /** Headers are being followed back to the block's slot, and have come to another one; called each second. */
  followingBack(slot: number, reached: number): void
  began(beginning: Beginning): void
  progress(event: SampleProgress): void
  /** The block's report; `files` are the blobs that were written, `trouble` is what kept its header, or a newer one, from being known. */
  report(report: SampleReport, files: readonly string[], trouble: string | null): void
  slot(slot: SlotReport, counters: SlotCounters, files: readonly string[]): void
  /** All endpoints have old heads from here on, and which of them are behind. */
  behind(trouble: string): void
  /** Nothing has come for so long; `trouble` is why, as far as it is known. */
  quiet(ms: number, trouble: string | null): void
  counters(counters: SlotCounters): void
  failed(error: Error): void
  /** Nothing follows. */
  end(exitCode: ExitCode): void
}

/** The label of what is taken on trust, which stands in every line that says something about a block. */
const trustInWords: Readonly<Record<HeaderTrust, string | null>> = {
  checkpoint: null,
  endpoint: 'header on the endpoints’ word',
  recorded: 'recorded block',
}

/** `blobcheck sample --json`: a line for each event, which `event` names; `at` is when it is written, in milliseconds of Unix time. */
export function jsonSamplePrinter(out: Output, trust: HeaderTrust): SamplePrinter {
  const print = (event: string, data: object): void =>
    void out.write(jsonLine({ event, at: Date.now(), trust, ...data }))
  return {
    preparing: () => {},
    syncing: (progress) => print('sync', progress),
    followingBack: (slot, reached) => print('following-back', { slot, reached }),
    began: (beginning) => print('began', beginning),
    progress(event) {
      if (event.kind === 'done') return // the report comes by itself
      const { kind, ...data } = event
      print(kind, data)
    },
    report: (report, files, trouble) => print('report', { ...withoutBytes(report, files), trouble }),
    slot: ({ slot, lastSlot, outcome, again, report }, counters, files) =>
      print('slot', {
        slot,
        lastSlot,
        outcome,
        again,
        counters,
        report: report && withoutBytes(report, files),
      }),
    behind: (trouble) => print('behind', { trouble }),
    quiet: (ms, trouble) => print('quiet', { ms: Math.round(ms), trouble }),
    counters: (counters) => print('counters', { counters }),
    failed: (error) => print('failed', { error: error.name, message: error.message }),
    end: (exitCode) => print('end', { exitCode }),
  }
}

/** A report whose blobs are in files. */
function withoutBytes(report: SampleReport, files: readonly string[]): object {
  const blobs = report.blobs?.map(({ index, commitment }, at) => ({
    index,
    commitment,
    file: files[at] ?? null,
  }))
  return { ...report, blobs: blobs ?? null }
}

/** What is verified and what is taken on trust, at the beginning. */
const sentences: Readonly<Record<HeaderTrust, string>> = {
  ...trustSentences,
  recorded:
    'This is a recorded block, and no endpoint of the network is asked: this process serves it to itself. That the block is of the chain is on trust; everything else is done as with a real endpoint.',
}

/** `blobcheck sample` for people: a live view on a terminal, plain lines anywhere else. `isLiveView`: one block is sampled, and shown while it is. */
export function textSamplePrinter(
  { stdout: out, stderr }: Pick<CommandContext, 'stdout' | 'stderr'>,
  trust: HeaderTrust,
  isLiveView: boolean,
): SamplePrinter {
  const lines = new Lines(out)
  const styled = styleFor(out)
  const label = trustInWords[trust]
  let prepared = ''
  let calls = 0
  const live = isLive(out) && isLiveView ? new LiveView(out, label) : null
  const print = (text: string): void => lines.print(text, '    ')
  const preparing = (what: string, step?: string): void => {
    if (isLive(out)) lines.status(`${what} … ${step ?? ''}`)
    else if (what !== prepared) print(`${what} …`)
    prepared = what
  }
  return {
    preparing,
    syncing: ({ stage, done, total }) => lines.status(`following the chain: ${stage} ${done}/${total}`),
    followingBack(slot, reached) {
      const [what, step] = [`following headers back to slot ${slot}`, `slot ${reached}`]
      preparing(what, step)
      if (++calls % CALLS_PER_LINE === 0 && !isLive(out)) print(`${what} … ${step}`)
    },
    began(beginning) {
      for (const line of beginningLines(beginning)) print(line)
      live?.start(beginning.plan.maxError)
    },
    progress(event) {
      if (live !== null) live.update(event)
      else if (isLiveView) for (const line of eventLines(event)) print(`${line}${labelled(label)}`)
    },
    report(report, files, trouble) {
      live?.end()
      for (const line of reportLines(report, label, styled)) print(line)
      // The report may have said so itself.
      if (trouble !== null && trouble !== report.detail) print(`  ${printable(trouble)}`)
      printFiles(files, print)
    },
    slot(slot, counters, files) {
      print(slotLine(slot, label, styled))
      printFiles(files, print)
      lines.status(countersLine(counters))
    },
    behind: (trouble) => print(printable(trouble)),
    quiet: (ms, trouble) =>
      print(`nothing new for ${duration(ms)}${trouble === null ? '' : `: ${printable(trouble)}`}`),
    counters: (counters) => print(countersLine(counters)),
    failed(error) {
      live?.end()
      lines.clear()
      printError(stderr, error)
    },
    end() {
      live?.end()
      lines.clear()
    },
  }
}

function printFiles(files: readonly string[], print: (line: string) => void): void {
  if (files.length > 0) print(`  rebuilt: ${printable(files.join(', '))}`)
}

function beginningLines({ network, trust, endpoints, plan }: Beginning): string[] {
  return [
    `network: ${network}`,
    sentences[trust],
    `${counted(plan.columns, 'column')} of 128, drawn here and now, from ${printable(endpoints.join(', '))}`,
  ]
}

/** For logs and screen readers: what is final. */
function eventLines(event: SampleProgress): string[] {
  switch (event.kind) {
    case 'block':
      return [
        `slot ${event.slot}, ${event.root}${event.blobs === null ? '' : `, ${counted(event.blobs, 'blob')}`}`,
      ]
    case 'chosen':
      return [`${event.added ? 'added to' : 'chosen for'} the sample: columns ${event.columns.join(', ')}`]
    case 'refused':
      return [printable(`column ${event.column} of ${event.endpoint} refused: ${event.reason}`)]
    case 'column': {
      const { index, status, reason, source } = event.outcome
      return [
        printable(
          `column ${index}: ${status === 'verified' ? `verified, ${source}` : `missing, ${missingInWords[reason ?? 'crashed']}`}`,
        ),
      ]
    }
    default:
      return []
  }
}
