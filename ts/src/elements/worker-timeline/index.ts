/**
 * `blobcheck/elements/worker-timeline`: importing it defines `<worker-timeline>`. Where there are no elements, under Node, nothing is defined.
 */
import { define } from '../shared/element.ts'
import { type ScrubDetail, WorkerTimelineElement } from './element.ts'

export { type ScrubDetail, WorkerTimelineElement } from './element.ts'
export type { TimelineSpan, TimelineStage } from './stages.ts'
export type { TraceItem } from '../../verifier/trace.ts'

declare global {
  interface HTMLElementTagNameMap {
    'worker-timeline': WorkerTimelineElement
  }
  interface HTMLElementEventMap {
    scrub: CustomEvent<ScrubDetail>
  }
}

define('worker-timeline', WorkerTimelineElement)
