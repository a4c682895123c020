/** `blobcheck/elements`: importing it defines `<blob-grid>`, `<trust-chain>` and `<worker-timeline>`. Each can be had by itself, too. */
export { BlobGridElement, type CellSelection, type CellState } from './blob-grid/index.ts'
export { type ChainLink, type LinkChoice, type LinkMark, TrustChainElement } from './trust-chain/index.ts'
export {
  type ScrubDetail,
  type TimelineSpan,
  type TimelineStage,
  WorkerTimelineElement,
} from './worker-timeline/index.ts'
export type { TraceItem } from '../verifier/trace.ts'
