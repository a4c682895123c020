/** What was measured, and with what. */
import type { Verifier } from 'blobcheck'
import { setText } from '../shared/page.ts'
import type { Run } from './run.ts'
import { milliseconds } from '../shared/words.ts'

export function showVerifier(verifier: Verifier): void {
  show('kernel', verifier.kernel, verifier.kernelReason)
  const { workers } = verifier
  const note =
    workers === 0
      ? 'refused by the browser: the page’s own thread verifies'
      : workers === 1
        ? 'thread beside this page’s own'
        : 'threads beside this page’s own'
  show('workers', String(workers), note)
}

/** `sinceOpenedMs`: for the first run, when its first verdict came, counted from the opening of the page. */
export function showRun(run: Run, sinceOpenedMs: number | null): void {
  const verdicts = run.results.flatMap((timed) => (timed === null ? [] : [timed.verdict]))
  const remembered = verdicts.filter(
    (verdict) => verdict.status === 'valid' && verdict.via === 'cache',
  ).length
  const opened =
    sinceOpenedMs === null
      ? 'after the run began'
      : `after the run began; ${milliseconds(sinceOpenedMs)} after the page opened`
  show(
    'first',
    run.firstMs === null ? '–' : milliseconds(run.firstMs),
    run.firstMs === null ? 'there is none' : opened,
  )
  show(
    'total',
    milliseconds(run.totalMs),
    run.cancelled ? 'when it was cancelled' : `for ${verdicts.length} blobs`,
  )
  show(
    'cache',
    `${remembered} of ${run.results.length}`,
    remembered === 0 ? 'nothing was remembered: all was computed' : 'remembered from before, byte for byte',
  )
}

function show(name: string, figure: string, note: string): void {
  setText(`#figure-${name}`, figure)
  setText(`#note-${name}`, note)
}
