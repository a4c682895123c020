/** What a timeline says of itself in words, beside its picture and to those who do not see it. */
import { counted } from '../shared/element.ts'
import type { Spans } from './spans.ts'

/** What is under way is named up to here, and counted beyond. */
const MOST_NAMED = 8

/** Milliseconds as a slider has them. */
export const rounded = (ms: number): number => Number(ms.toFixed(1))

/** What was under way at the line, which is at a time, or how to come to one where there is none. */
export function inWords(spans: Spans, line: number | null): string {
  if (spans.all.length === 0) return 'No steps yet.'
  if (line === null)
    return `${spans.isCut ? 'The newest ' : ''}${counted(spans.all.length, 'step')} in ${rounded(spans.duration)} ms. Drag, or use the arrow keys.`
  const there = spans.at(line)
  const words = there.slice(0, MOST_NAMED).map(({ stage, worker, items }) => {
    const of = items.length === 0 ? '' : ` (${counted(items.length, 'item')})`
    return `${worker === null ? 'this thread' : `worker ${worker}`} ${stage}${of}`
  })
  if (there.length > MOST_NAMED) words.push(`${there.length - MOST_NAMED} more`)
  return `${rounded(line - spans.start)} ms: ${there.length === 0 ? 'nothing' : words.join(', ')}`
}
