/** Where a sample stands: counted from its events. */
import type { SampleEvent, SampleProgress } from './report.ts'

/** A listener for the events of one block, which tells each of them with its stage and with how far that is. */
export function counting(tell: (progress: SampleProgress) => void): (event: SampleEvent) => void {
  let done = 0
  let total = 0
  return (event) => {
    if (event.kind === 'block') return tell({ stage: 'block', done: 1, total: 1, ...event })
    if (event.kind === 'done') return tell({ stage: 'report', done: 1, total: 1, ...event })
    if (event.kind === 'chosen') total += event.columns.length
    if (event.kind === 'column') done++
    tell({ stage: 'columns', done, total, ...event })
  }
}
