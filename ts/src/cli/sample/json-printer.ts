/** `blobcheck sample --json`: a line for each event, `event` naming it. */
import type { SampleReport } from '../../sampler/index.ts'
import type { Output } from '../terminal/output.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { type HeaderTrust, type SamplePrinter } from './printer.ts'

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
