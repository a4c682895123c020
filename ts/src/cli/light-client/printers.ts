/** What a light client does, as lines: for people, or of JSON for programs. */
import type { EndpointReport, LightClientReport, SyncProgress } from '../../light-client/index.ts'
import { printError } from '../terminal/errors.ts'
import { isLive, jsonLine, Lines, type Output } from '../terminal/output.ts'

/** Where events go. */
export interface Printer {
  started(report: LightClientReport): void
  progress(progress: SyncProgress): void
  synced(report: LightClientReport): void
  /** A newer header. */
  head(report: LightClientReport): void
  /** A poll failed; the client goes on. */
  troubled(error: Error, report: LightClientReport): void
  /** The command failed. */
  failed(error: Error): void
}

/** One JSON object in a line for each event, `event` naming it. */
export function jsonPrinter(out: Output): Printer {
  const print = (event: string, data: object): void => void out.write(jsonLine({ event, ...data }))
  return {
    started: (report) => print('started', report),
    progress: (progress) => print('progress', progress),
    synced: (report) => print('synced', report),
    head: (report) => print('head', report),
    troubled: (error, { endpoints }) => print('trouble', { error: error.message, endpoints }),
    failed: (error) => print('failed', { error: error.name, message: error.message }),
  }
}

/** Lines for people. Progress is written over itself where the output is a terminal. */
export function terminalPrinter(out: Output): Printer {
  const lines = new Lines(out)
  const line = (text: string): void => lines.print(text, '  ')
  let shown = ''
  const endpoints = (report: LightClientReport): void => {
    const text = report.endpoints.map(endpointLine).join('\n')
    if (text !== shown) line(text)
    shown = text
  }
  return {
    started({ finalized, links }) {
      const how = links['sync-committee'] === 'absent' ? 'the checkpoint' : 'verified before'
      line(`starting at slot ${finalized.slot}, ${how}: ${finalized.root}`)
    },
    progress({ stage, done, total }) {
      const text = `${stages[stage]} ${done}/${total}`
      if (isLive(out)) lines.status(text)
      else line(text)
    },
    synced(report) {
      line('in step with the chain')
      line(headLine(report))
      endpoints(report)
    },
    head(report) {
      line(headLine(report))
      if (report.endpoints.some(({ state }) => state !== 'good')) endpoints(report)
      const [latest] = report.disagreements.slice(-1)
      if (latest !== undefined && latest.slot === report.optimistic.slot)
        line(`  endpoints disagree about slot ${latest.slot}: ${JSON.stringify(latest.answers)}`)
    },
    troubled(error, report) {
      line(`  ${error.message}`)
      endpoints(report)
    },
    failed(error) {
      lines.clear()
      printError(error)
    },
  }
}

const stages: Readonly<Record<SyncProgress['stage'], string>> = {
  periods: 'sync committee periods',
  finality: 'finalized header',
  optimistic: 'newest header',
}

function headLine(report: LightClientReport): string {
  const { currentSlot, finalized, optimistic, participation } = report
  const signed = participation === null ? '' : `, ${participation.signed}/${participation.of} signed`
  const block = optimistic.execution === null ? '' : `, block ${optimistic.execution.blockNumber}`
  return (
    `slot ${optimistic.slot}${block} (${ago(currentSlot - optimistic.slot)})${signed}; ` +
    `finalized ${finalized.slot} (${optimistic.slot - finalized.slot} slots before); ${optimistic.root}`
  )
}

function ago(slots: number): string {
  return slots <= 0 ? 'now' : `${slots} slot${slots === 1 ? '' : 's'} ago`
}

function endpointLine({
  name,
  state,
  requests,
  answers,
  latencyMs,
  failures,
  lastFailure,
}: EndpointReport): string {
  const counts = Object.entries(failures).map(([kind, count]) => `${count} ${kind}`)
  const speed = latencyMs === null ? '' : `, ${latencyMs} ms`
  const trouble = counts.length === 0 ? '' : `; ${counts.join(', ')} (last: ${lastFailure?.detail ?? ''})`
  return `  ${name}: ${state}, ${answers}/${requests} answers used${speed}${trouble}`
}
