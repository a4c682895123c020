/** What happens in `blobcheck sample`, for whoever shows it, and the printer that shows it as lines of JSON. */
import type { SyncProgress } from '../../light-client/index.ts'
import type { SampleProgress, SampleReport, SlotCounters, SlotReport } from '../../sampler/index.ts'
import type { ExitCode } from '../exit-codes.ts'
import { jsonLine, type Output } from '../terminal/output.ts'

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
  began(beginning: Beginning): void
  progress(event: SampleProgress): void
  /** The block's report; `files` are the blobs that were written, `trouble` is what kept its header from being known. */
  report(report: SampleReport, files: readonly string[], trouble: string | null): void
  slot(slot: SlotReport, counters: SlotCounters, files: readonly string[]): void
  /** Nothing has come for so long; `trouble` is why, as far as it is known. */
  quiet(ms: number, trouble: string | null): void
  counters(counters: SlotCounters): void
  failed(error: Error): void
  /** Nothing follows. */
  end(exitCode: ExitCode): void
}

/** The label of what is taken on trust, which stands in every line that says something about a block. */
export const trustInWords: Readonly<Record<HeaderTrust, string | null>> = {
  checkpoint: null,
  endpoint: 'header on the endpoints’ word',
  recorded: 'recorded block',
}

/** The label at the end of what it belongs to. */
export function labelled(label: string | null): string {
  return label === null ? '' : ` [${label}]`
}

/** `blobcheck sample --json`: a line for each event, which `event` names. */
export function jsonSamplePrinter(out: Output, trust: HeaderTrust): SamplePrinter {
  const print = (event: string, data: object): void => void out.write(jsonLine({ event, trust, ...data }))
  return {
    preparing: () => {},
    syncing: (progress) => print('sync', progress),
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
