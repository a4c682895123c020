/**
 * Where the embedded block is shown beside its cards: the verdict bar at once, the instrument once it is there, and neither while another source
 * has it.
 */
import type { TraceEvent, Verdict } from 'blobcheck'
import type { CellSelection } from 'blobcheck/elements'
import { NOTHING_VERIFIED, showConclusion, showRoot, showWorking } from '../instrument/bar.ts'
import type { Instrument } from '../instrument/instrument.ts'
import type { Conclusion, Source, Stage, Subject } from '../instrument/stage.ts'
import type { Hex } from '../shared/bytes.ts'
import type { Found } from './chain.ts'
import { conclusionOf } from './conclusion.ts'
import type { Changes } from './delivery.ts'
import type { Timed } from './run.ts'
import type { Sidecar } from './sidecar.ts'
import type { View } from './view.ts'

/** The instrument, and what it takes to show the block on it, which is loaded with it. */
interface Shown {
  readonly instrument: Instrument
  readonly stage: Stage
  readonly parts: typeof import('./view.ts')
  /** Null before there is a block. */
  view: View | null
}

export class Display {
  #shown: Shown | null = null
  /** Spans that come before there is a timeline; null once it is there, or will never be. */
  #early: TraceEvent[] | null = []

  /** Aborted once another source has the instrument; null before there is one. */
  #held: AbortSignal | null = null

  /** Whether the bar is this block's: no other source has taken the instrument. */
  get #isHeld(): boolean {
    return this.#held?.aborted !== true
  }

  /** The cell that the cursor of the grid is on; null until it is moved. */
  get selected(): CellSelection | null {
    return this.#shown?.instrument.selected ?? null
  }

  /** Takes the instrument; false where it has it, or where another source takes it first. */
  async take(instrument: Instrument, source: Omit<Source, 'lines'>): Promise<boolean> {
    if (this.#shown !== null && this.#isHeld) return false
    const { held } = instrument
    this.#held ??= held
    const parts = await import('./view.ts')
    // Whoever took it meanwhile was asked for later.
    if (held.aborted) {
      this.giveUp()
      return false
    }
    const stage = instrument.take({ ...source, lines: () => parts.LINES })
    this.#held = stage.signal
    this.#shown = { instrument, stage, parts, view: null }
    stage.links(parts.chainOf({ blobs: [], cells: [], hasCells: false }, new Map()))
    for (const span of this.#early ?? []) stage.span(span)
    this.#early = null
    return true
  }

  /** The instrument cannot be had, or another source has it: the cards have all verdicts, too. */
  giveUp(): void {
    this.#early = null
  }

  /** A block, of which nothing is known yet. */
  open(subject: Subject, sidecars: readonly Sidecar[]): void {
    if (this.#shown === null) return
    const { stage, parts } = this.#shown
    stage.subject(subject)
    this.#shown.view = new parts.View(stage, sidecars)
  }

  /** The root of the block has been computed; null where there is no WebCrypto. */
  root(root: Hex | null): void {
    if (this.#isHeld) showRoot(root)
  }

  /** A run begins. */
  begin(sidecars: readonly Sidecar[]): void {
    this.work()
    this.#shown?.stage.begin()
    for (const [at, sidecar] of sidecars.entries()) this.#shown?.view?.wait(at, sidecar)
  }

  /** A run goes on: the bar says so. */
  work(): void {
    if (this.#isHeld) showWorking()
  }

  workers(count: number): void {
    this.#shown?.stage.workers(count)
  }

  span(span: TraceEvent): void {
    if (this.#shown === null) this.#early?.push(span)
    else this.#shown.stage.span(span)
  }

  judge(at: number, timed: Timed): void {
    this.#shown?.view?.judge(at, timed)
  }

  judgeCells(at: number, cells: readonly Uint8Array[], verdicts: readonly Verdict[]): void {
    this.#shown?.view?.judgeCells(at, cells, verdicts)
  }

  /**
   * What a run has found, in `ms` milliseconds, and what the visitor had broken. `isOver`: whether that is all; until then the bar goes on saying
   * that it is at work, unless something is refused already.
   */
  conclude(found: Found, changes: Changes, ms: number, isOver: boolean): void {
    const conclusion = conclusionOf(found.blobs, found.cells.flat(), changes.has('cell'), ms)
    const isTold = isOver || conclusion.state === 'refused'
    if (this.#shown === null) {
      if (isTold) this.#showOnBar(conclusion)
      return
    }
    if (isTold) this.#shown.stage.conclude(conclusion)
    this.#shown.stage.links(this.#shown.parts.chainOf(found, changes))
  }

  /** There are no verdicts. */
  fail(): void {
    if (this.#shown === null) this.#showOnBar(NOTHING_VERIFIED)
    else this.#shown.stage.conclude(NOTHING_VERIFIED)
  }

  /** Where there is no stage yet: another source may have the instrument, and the bar with it. */
  #showOnBar(conclusion: Conclusion): void {
    if (this.#isHeld) showConclusion(conclusion)
  }
}
