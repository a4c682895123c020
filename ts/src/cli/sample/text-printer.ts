/** `blobcheck sample` for people: a live view on a terminal, plain lines anywhere else. */
import type { SampleProgress } from '../../sampler/index.ts'
import { printable } from '../../util/printable.ts'
import { printError } from '../terminal/errors.ts'
import { counted, duration } from '../terminal/format.ts'
import { isLive, Lines, type Output } from '../terminal/output.ts'
import { styleFor } from '../terminal/style.ts'
import { LiveView } from './live-view.ts'
import { type Beginning, type HeaderTrust, labelled, type SamplePrinter, trustInWords } from './printer.ts'
import { countersLine, missingInWords, reportLines, slotLine } from './report-text.ts'

const trustSentences: Readonly<Record<HeaderTrust, string>> = {
  checkpoint: 'Headers are verified from your checkpoint.',
  endpoint:
    'Headers are taken on the endpoints’ word: what is shown belongs to the block that they name, which may be none of the chain.',
  recorded:
    'This is a recorded block, and no endpoint of the network is asked: this process serves it to itself. That the block is of the chain is on trust; everything else is done as with a real endpoint.',
}

/** Lines for people. `isLiveView`: one block is sampled, and shown while it is. */
export function textSamplePrinter(out: Output, trust: HeaderTrust, isLiveView: boolean): SamplePrinter {
  const lines = new Lines(out)
  const styled = styleFor(out)
  const label = trustInWords[trust]
  let prepared = ''
  const live = isLive(out) && isLiveView ? new LiveView(out, label) : null
  const print = (text: string): void => lines.print(text, '    ')
  return {
    preparing(what, step) {
      if (isLive(out)) lines.status(`${what} … ${step ?? ''}`)
      else if (what !== prepared) print(`${what} …`)
      prepared = what
    },
    syncing: ({ stage, done, total }) => lines.status(`following the chain: ${stage} ${done}/${total}`),
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
    quiet: (ms, trouble) =>
      print(`nothing new for ${duration(ms)}${trouble === null ? '' : `: ${printable(trouble)}`}`),
    counters: (counters) => print(countersLine(counters)),
    failed(error) {
      live?.end()
      lines.clear()
      printError(error)
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
    trustSentences[trust],
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
