/** What a source shows on the instrument, whichever source it is: the embedded block, a file, a node, or a simulated chain. */
import type { TraceEvent } from 'blobcheck'
import type { CellState, ChainLink } from 'blobcheck/elements'
import type { Hex } from '../shared/bytes.ts'

/** Where a block comes from. */
export type SourceName = 'embedded' | 'live' | 'file' | 'simulated'

/** `working`: a run goes on; `verified`: all is valid; `refused`: something is not; `unknown`: there is no verdict on some of it. */
export type BarState = 'working' | 'verified' | 'refused' | 'unknown'

export interface Source {
  readonly name: SourceName
  /** Lines of code that find what this source shows, as they stand after `npm i blobcheck`. Asked for whenever a run concludes. */
  lines(): string
  /** The visitor breaks a link of the chain, or undoes that. Only for links that have `canBreak`. */
  onBreak?(link: string): void
  onRestore?(link: string): void
}

/** What is shown. */
export interface Subject {
  /** As people write it: `Holesky`. */
  readonly network: string
  /** Null where it is not known, as for a blob without its block. */
  readonly slot: number | bigint | null
  readonly root: Hex | null
  /** How many rows the grid has. */
  readonly blobs: number
}

/** What the inspector says of a cell. */
export interface CellDetail {
  /** One sentence or two: the verdict and its reason, who sent it, how many milliseconds it took. */
  readonly text: string
  /** Its bytes, null where they are not here. */
  readonly bytes: Uint8Array | null
}

/** What a run has found: a state, its words (“Verified here: 6 blobs, 768 cells, 12 ms”), and what that rests on (“a sync committee”). */
export interface Conclusion {
  readonly state: BarState
  readonly verdict: string
  /** Without “resting on”: `nothing`, `your word`, `a sync committee`. */
  readonly resting: string
}

/**
 * The instrument in the hands of one source. Once another source has taken it, `signal` is aborted, and all calls do nothing: a source need not
 * ask whether it still has the instrument.
 */
export interface Stage {
  readonly signal: AbortSignal
  /**
   * Another block: all its cells wait, nobody says anything of them yet, and the bar says that nothing is verified. The cursor of the grid stays
   * where there are as many rows as before.
   */
  subject(subject: Subject): void
  /** The same block, verified once more: the timeline begins anew, and the bar says that it is at work. */
  begin(): void
  cell(blob: number, column: number, state: CellState): void
  /** Columns from `from` up to but not including `to` of one blob. */
  row(blob: number, state: CellState, from?: number, to?: number): void
  /** One column, of all blobs. */
  column(column: number, state: CellState): void
  /** Who is asked for what the inspector says of a cell, now and whenever the cell's state changes. */
  inspect(look: (blob: number, column: number) => CellDetail): void
  /** The chain from the bytes to what they rest on. */
  links(links: readonly ChainLink[]): void
  workers(count: number): void
  span(span: TraceEvent): void
  /** The run is over: spans that come later are not of it, and are not drawn. */
  conclude(conclusion: Conclusion): void
}

/** What a panel gets of the page. */
export interface PanelPage {
  /** Takes the instrument; who had it before has it no longer. */
  take(source: Source): Stage
  /** Of the page's address, which may say what a panel begins with. */
  readonly params: URLSearchParams
}

/** What the module of each panel exports. `root` is an empty section of the page. */
export type MountPanel = (root: HTMLElement, page: PanelPage) => void
