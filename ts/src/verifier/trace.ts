/**
 * Traces: a verifier's listener is told which step was done for which items, by which worker, and when. Where nobody listens there is no
 * `Tracer`, and nothing is made, measured or loaded. All that a trace has to know is kept here, beside the objects that the steps have anyway.
 */
import { notify } from '../util/notify.ts'

/**
 * The steps of a verifier that take time:
 *
 * - `parse`: the text of an answer is split into sidecars, in a worker.
 * - `anchor`: a block that was given as the anchor is decoded, in a worker of `blobcheck/beacon`.
 * - `check`: everything that is cheap, for some neighbours in a call, in a worker. Once more and alone after a crash, which also loses what
 *   is to be verified.
 * - `signature`: the proposer's signature is verified, in a worker of the light client.
 * - `cache`: the cache is asked about what passed the checks, the units of a call together.
 * - `queue`: what is to be computed waits for a batch and for a worker, and for modules and points that are to be loaded first.
 * - `kzg`: KZG for a group of a batch, in a worker. Once more, for fewer items, after a crash, where a group must be searched for what is
 *   false in it, and where a refusal is confirmed by the baseline.
 * - `close`: a batch of several groups is closed, by one worker or by parts on each: the pairing, and tests that its groups share. A batch
 *   of one group is closed within `kzg`.
 */
export type TraceStage = 'parse' | 'anchor' | 'check' | 'signature' | 'cache' | 'queue' | 'kzg' | 'close'

/** An item of a call. */
export interface TraceItem {
  /** The number of the call: the calls of a verifier's methods are counted from 0, in the order in which they are made. */
  readonly call: number
  /** The item's place in its call, from 0; null for the whole call, which the stages `parse`, `anchor` and `signature` are about. */
  readonly item: number | null
}

/**
 * A span: a step that has ended, what `onTrace` is called with.
 *
 * Times are milliseconds of the calling thread's `performance.now()`, for all workers alike. What a worker does is timed from outside: it
 * starts when the task is handed to the worker, and ends when the answer has come, or the worker was found to be dead. So the way of the
 * messages is in it; and so is the start of a worker that takes a dead one's place. On a worker no two spans overlap.
 */
export interface TraceEvent {
  readonly stage: TraceStage
  /** What the step was about, each item once: items of several calls, where these share a batch or deliver the same bytes. */
  readonly items: readonly TraceItem[]
  /**
   * Which of the verifier's workers did it, from 0 to `verifier.workers - 1`; one that takes a dead one's place has its number. Null where
   * none of them did: for the stages `anchor`, `signature`, `cache` and `queue`, and for all stages where `verifier.workers` is 0.
   */
  readonly worker: number | null
  /** When it began, in milliseconds. */
  readonly start: number
  /** When it ended, in milliseconds. */
  readonly end: number
}

/** What a trace has to know of a call: one object from the call's beginning to its end. */
interface TracedCall {
  readonly anchor: { readonly kind: string }
  readonly proposerKey: Uint8Array | null
  readonly signal: { readonly aborted: boolean } | undefined
}

/** A unit of an item, and the call that the item is of. */
interface TracedRequest {
  readonly call: TracedCall
  readonly at: number
}

/** What is on record of a unit that is to be verified. */
interface UnitTrace {
  readonly items: Set<TraceItem>
  /** Since when it waits for its batch and its worker, if it does. */
  queuedAt: number | undefined
}

/** What there is to do when a span ends. */
type End = () => void

/** A pool, whose tasks are watched. */
interface TracedPool {
  readonly workers: number
  onTask: ((task: object, runner: number) => End | undefined) | undefined
}

/** Tells a verifier's listener of spans. */
export class Tracer {
  readonly #listener: (event: TraceEvent) => void
  #calls = 0
  /** The items of each call, as far as they were named: one object for each, and one for the whole call. */
  readonly #items = new WeakMap<
    TracedCall,
    { readonly call: number; readonly byPlace: Map<number | null, TraceItem> }
  >()
  readonly #units = new WeakMap<object, UnitTrace>()
  /** How the span of a task begins that is handed to a worker. */
  readonly #tasks = new WeakMap<object, (worker: number | null) => End | undefined>()

  constructor(listener: (event: TraceEvent) => void) {
    this.#listener = listener
  }

  /** Watches the pool's tasks from now on. */
  watch(pool: TracedPool): void {
    pool.onTask = (task, runner) => this.#tasks.get(task)?.(pool.workers === 0 ? null : runner)
  }

  /** Counts a call, whose anchor may now be decoded. */
  anchor(call: TracedCall): End | undefined {
    const items = [this.#item(call, null)]
    return call.anchor.kind === 'block' ? this.#begin('anchor', () => items) : undefined
  }

  /** The signatures of a call's headers are verified, if the proposer's key is known. */
  signature(call: TracedCall): End | undefined {
    return call.proposerKey === null ? undefined : this.#begin('signature', () => [this.#item(call, null)])
  }

  /** A task will parse the text of a call, which is counted here. */
  parse(task: object, call: TracedCall): void {
    const items = [this.#item(call, null)]
    this.#tasks.set(task, (worker) => this.#begin('parse', () => items, worker))
  }

  /** A task will check items of a call, unless that is aborted. */
  check(task: object, call: TracedCall, items: readonly { readonly at: number }[]): void {
    this.#tasks.set(task, (worker) =>
      call.signal?.aborted
        ? undefined
        : this.#begin('check', () => items.map(({ at }) => this.#item(call, at)), worker),
    )
  }

  /** A unit is wanted by an item. */
  join(unit: object, { call, at }: TracedRequest): void {
    this.#unit(unit).items.add(this.#item(call, at))
  }

  /** Units are looked up in the cache, if there is one, and wait from then on. */
  lookUp(units: readonly object[], cache: unknown): End {
    const end = cache === null ? undefined : this.#begin('cache', () => this.#itemsOf(units))
    return () => {
      end?.()
      const now = performance.now()
      for (const unit of units) this.#unit(unit).queuedAt = now
    }
  }

  /** A task will verify units, or close their batch. They wait until then. */
  verify(task: object, stage: 'kzg' | 'close', lent: readonly { readonly owner: object }[]): void {
    const units = lent.map(({ owner }) => owner)
    this.#tasks.set(task, (worker) => {
      this.#endWaiting(units)
      return this.#begin(stage, () => this.#itemsOf(units), worker)
    })
  }

  #endWaiting(units: readonly object[]): void {
    const now = performance.now()
    const waiting = new Map<number, object[]>()
    for (const unit of units) {
      const traced = this.#unit(unit)
      const { queuedAt } = traced
      if (queuedAt === undefined) continue
      traced.queuedAt = undefined
      const others = waiting.get(queuedAt)
      if (others === undefined) waiting.set(queuedAt, [unit])
      else others.push(unit)
    }
    for (const [start, queued] of waiting)
      notify(this.#listener, { stage: 'queue', items: this.#itemsOf(queued), worker: null, start, end: now })
  }

  /** `items` are asked for at the end: others may have joined by then. */
  #begin(stage: TraceStage, items: () => readonly TraceItem[], worker: number | null = null): End {
    const start = performance.now()
    return () => notify(this.#listener, { stage, items: items(), worker, start, end: performance.now() })
  }

  #item(traced: TracedCall, at: number | null): TraceItem {
    let items = this.#items.get(traced)
    if (items === undefined) this.#items.set(traced, (items = { call: this.#calls++, byPlace: new Map() }))
    const { call, byPlace } = items
    let item = byPlace.get(at)
    if (item === undefined) byPlace.set(at, (item = { call, item: at }))
    return item
  }

  #unit(unit: object): UnitTrace {
    let traced = this.#units.get(unit)
    if (traced === undefined) this.#units.set(unit, (traced = { items: new Set(), queuedAt: undefined }))
    return traced
  }

  #itemsOf(units: readonly object[]): TraceItem[] {
    return [...new Set(units.flatMap((unit) => [...this.#unit(unit).items]))]
  }
}

/** Makes a tracer; loaded when somebody listens (`parts/`). */
export function startTracer(listener: (event: TraceEvent) => void): Promise<Tracer> {
  return Promise.resolve(new Tracer(listener))
}
