/** Slot by slot: a few at a time, reported in order, and no more begun than somebody asks for. */
import { Clock } from '../light-client/clock.ts'
import { DisposedError, messageOf, WasmUnavailableError } from '../runtime/errors.ts'
import { abortable, onAbort, refuseNonSignal, SignalFan } from '../util/signals.ts'
import { notify, refuseNonListener } from '../util/notify.ts'
import { optionsOf, refuseUnknown } from '../util/options.ts'
import type { SamplerParts } from './context.ts'
import { MisuseError, refuseNonHeader } from '../block-data/header.ts'
import { payloadOf } from '../block-data/payload.ts'
import type { PayloadReport } from '../block-data/report.ts'
import { readCount, readMs, type SampledHeader } from '../block-data/options.ts'
import type { Following, FollowSlotsOptions } from './options.ts'
import type { Plan } from './plan.ts'
import { type EarlyReport, type SampledPayload, SampledPayloads } from './payloads.ts'
import type { SampleReport, SlotCounters, SlotOutcome, SlotReport } from './report.ts'
import { doubted, parentOf, ReportedSlots, type SlotTask, slotTasks } from './slots.ts'
import { sampleBlock } from './sample.ts'
import { counting } from './progress.ts'
import { FallbackTally } from './whole/tally.ts'

/** A block’s time at least, where slots are as short as those of made chains: the first one waits for workers that start. */
const MIN_DEADLINE_MS = 5_000

/**
 * Follows the chain of the sampler's headers, from options as a caller gives them. Throws `TypeError` for options that make no
 * sense, and for a source of headers that cannot be followed.
 */
export function followSlots(parts: SamplerParts, plan: Plan, call: FollowSlotsOptions): Following {
  const {
    signal,
    onProgress,
    onError,
    catchUpSlots = 32,
    concurrency = 2,
    reconstruct = false,
    deadlineMs: given,
    ...unknown
  } = optionsOf(call)
  refuseUnknown(unknown)
  const { headers } = parts
  refuseNonSignal(signal)
  refuseNonListener(onProgress, 'onProgress')
  refuseNonListener(onError, 'onError')
  if (!Number.isSafeInteger(catchUpSlots) || catchUpSlots < 0)
    throw new TypeError('catchUpSlots must be a non-negative integer')
  if (typeof headers.headers !== 'function') throw new TypeError('this source of headers cannot be followed')
  const clock = new Clock(parts.network, parts.now)
  const slotMs = Math.max(parts.schedule.secondsPerSlot * 1000, MIN_DEADLINE_MS)
  const deadlineMs = readMs(given ?? slotMs, 'deadlineMs')
  const tell = (cause: unknown): void =>
    notify(onError, cause instanceof Error ? cause : new Error(messageOf(cause)), signal)
  return new FollowedSlots({
    heads: (until) =>
      ('resolve' in headers
        ? headers.headers?.({ signal: until })
        : headers.headers({ signal: until, onError: tell })) ?? none(),
    admit(header) {
      refuseNonHeader(header, parts.network)
      if (header.slot <= clock.slot + 1) return true
      tell(new Error(`a header of slot ${header.slot}, where by the clock it is slot ${clock.slot}`))
      return false
    },
    sample: ({ slot, header }, until, onHeader) =>
      sampleBlock(parts, {
        ...{ id: slot, plan, deadlineMs, signal: until, onHeader },
        ...(header && { header }),
        reconstruct: reconstruct === true,
        notify: counting((progress) => notify(onProgress, { ...progress, slot }, until)),
      }),
    lookAgain: ({ block, payload }, until) =>
      payloadOf(
        payload,
        { header: block, parts, signal: until, until, endsAt: performance.now() + deadlineMs },
        new FallbackTally(),
      ),
    onTrouble: tell,
    concurrency: readCount(concurrency, 'concurrency'),
    ...{ catchUpSlots, signal },
  })
}

async function* none(): AsyncGenerator<never, void, void> {}

/** How slots are followed. */
interface FollowedSlotsOptions {
  readonly heads: (signal: AbortSignal) => AsyncIterable<SampledHeader>
  /** Whether a header can be of the chain by now. Throws `TypeError` for what is no header. */
  readonly admit: (header: SampledHeader) => boolean
  readonly sample: (
    task: SlotToSample,
    signal: AbortSignal,
    onHeader: (header: SampledHeader) => void,
  ) => Promise<SampleReport>
  /** What became of a payload that nothing was known of when its block was reported. */
  readonly lookAgain: (early: EarlyReport, signal: AbortSignal) => Promise<PayloadReport>
  /** Told what kept a slot from being sampled, where that is nothing which an endpoint did. */
  readonly onTrouble: (cause: unknown) => void
  readonly concurrency: number
  readonly catchUpSlots: number
  /** The caller's. */
  readonly signal: AbortSignal | undefined
}

/** A slot whose block is to be sampled; without its header, where that is to be looked up. */
interface SlotToSample {
  readonly slot: number
  readonly header?: SampledHeader
}

const counterOf: { readonly [outcome in SlotOutcome]: Exclude<keyof SlotCounters, 'slots'> } = {
  available: 'available',
  unavailable: 'unavailable',
  'payload-not-revealed': 'payloadNotRevealed',
  'no-blobs': 'noBlobs',
  'no-block': 'noBlock',
  unknown: 'unknown',
  missed: 'missed',
}

/** What to do next: something came in, or something is done. */
type Event =
  | { readonly kind: 'task'; readonly task: SlotTask }
  | { readonly kind: 'end' }
  /** Null where what was reported stays as it is. */
  | { readonly kind: 'report'; readonly report: SlotReport | null }

/** Whether it is the same for the next slot: misuse, the sampler's end, and files of the package that are not where they should be. */
function cannotGetBetter(error: unknown): boolean {
  return [MisuseError, DisposedError, WasmUnavailableError].some((kind) => error instanceof kind)
}

/** Slots whose blocks are remembered, for reorganisations: two epochs, within which all that is honest is final. */
const REMEMBERED = 64

const DONE = { done: true, value: undefined } as const

class FollowedSlots implements Following {
  readonly #options: FollowedSlotsOptions
  readonly #stop = new AbortController()
  /** What each slot's sample is stopped by. */
  readonly #fan = new SignalFan(this.#stop.signal)
  readonly #tasks: AsyncGenerator<SlotTask, void, void>
  readonly #reported = new ReportedSlots(REMEMBERED)
  readonly #counters: { -readonly [counter in keyof SlotCounters]: SlotCounters[counter] } = {
    ...{ slots: 0, available: 0, unavailable: 0, payloadNotRevealed: 0, noBlobs: 0 },
    ...{ noBlock: 0, unknown: 0, missed: 0 },
  }
  /** In order; at most as many as may be sampled at the same time. */
  readonly #underWay: Promise<Event>[] = []
  /** The next task, asked for and not yet begun: one at most. */
  #pulled: Promise<Event> | null = null
  readonly #payloads = new SampledPayloads(this.#reported)
  /** What comes again since a slot was looked up. */
  readonly #doubted: SlotTask[] = []
  #isOver = false
  /** What the source of headers ended in, if that was an error. */
  #failure: { readonly error: unknown } | undefined
  #turn: Promise<unknown> = Promise.resolve()
  readonly #letGo: (() => void) | undefined

  constructor(options: FollowedSlotsOptions) {
    this.#options = options
    this.#tasks = slotTasks(
      options.heads(this.#stop.signal),
      options.catchUpSlots,
      options.admit,
      this.#reported,
    )
    const { signal } = options
    if (signal?.aborted) this.#stop.abort(signal.reason)
    this.#letGo = signal && onAbort(signal, () => this.#stop.abort(signal.reason))
  }

  get counters(): SlotCounters {
    return { ...this.#counters }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** One after the other, however many ask. */
  next(): Promise<IteratorResult<SlotReport, undefined>> {
    const turn = this.#turn.then(() => this.#next())
    this.#turn = turn.catch(() => {})
    return turn
  }

  async return(): Promise<IteratorResult<SlotReport, undefined>> {
    await Promise.resolve(this.#end())
    return DONE
  }

  async #next(): Promise<IteratorResult<SlotReport, undefined>> {
    try {
      for (;;) {
        while (this.#underWay.length < this.#options.concurrency) {
          const doubted = this.#doubted.shift()
          const next = doubted === undefined ? this.#payloads.take() : { task: doubted }
          if (next === undefined) break
          this.#underWay.push(this.#run(next.task, next.before))
        }
        if (this.#stop.signal.aborted) break
        if (this.#isOver && this.#underWay.length === 0) {
          if (this.#failure) throw this.#failure.error
          break
        }
        const mayPull = !this.#isOver && this.#underWay.length < this.#options.concurrency
        if (mayPull) this.#pulled ??= this.#pull()
        const [oldest] = this.#underWay
        // What is done comes before what is new.
        const awaited = [oldest, mayPull ? this.#pulled : null]
        const events = awaited.filter((one) => one !== undefined && one !== null)
        const event = await abortable(this.#stop.signal, () => Promise.race(events))
        if (event.kind === 'report') {
          void this.#underWay.shift()
          if (event.report === null) continue
          return { done: false, value: this.#count(event.report) }
        }
        this.#pulled = null
        if (event.kind === 'task') this.#underWay.push(this.#run(event.task))
        else this.#isOver = true
      }
    } catch (error) {
      const wasStopped = this.#stop.signal.aborted
      this.#end()
      if (!wasStopped) throw error
    }
    this.#end()
    return DONE
  }

  /** Rejects never: what is under way is reported before what the source ended in. */
  async #pull(): Promise<Event> {
    try {
      const { done, value } = await this.#tasks.next()
      if (done === true) return { kind: 'end' }
      if (value.kind === 'header') this.#payloads.begin(value.slot)
      return { kind: 'task', task: value }
    } catch (error) {
      this.#failure = { error }
      return { kind: 'end' }
    }
  }

  /** `before`: what is known of it, where it is sampled again for its payload. */
  #run(task: SlotTask, before?: SampledPayload): Promise<Event> {
    const running = this.#report(task, before).then((report): Event => ({ kind: 'report', report }))
    // It is waited for in its turn; until then its failure is nobody's.
    running.catch(() => {})
    return running
  }

  async #report(task: SlotTask, before: SampledPayload | undefined): Promise<SlotReport | null> {
    const { slot, again } = task
    const run = { slot, lastSlot: 'lastSlot' in task ? task.lastSlot : slot, again }
    if (task.kind === 'missed') return { ...run, outcome: 'missed', report: null }
    if (task.kind === 'empty') return { ...run, outcome: 'no-block', report: null }
    try {
      const note = this.#payloads.watch(task, before)
      const early = before?.early
      if (early) {
        const payload = await this.#fan.run((signal) => this.#options.lookAgain(early, signal))
        if (payload.status !== 'empty') {
          note({ ...early, payload, verdict: 'available' }, early)
          return null
        }
      }
      let parent: string | undefined
      const onHeader = (header: SampledHeader): void => void (parent = parentOf(header))
      const asked = task.kind === 'look-up' ? this.#reported.ask(slot) : null
      let isLatest: boolean | undefined
      const report = await this.#fan
        .run((signal) => this.#options.sample(task, signal, onHeader))
        .finally(() => void (isLatest = asked?.()))
      const outcome = report.reason === 'no-header' ? 'missed' : report.verdict
      if (isLatest && outcome !== 'missed') {
        this.#reported.note(slot, report.block?.root.toLowerCase() ?? null, parent)
        this.#doubted.push(...doubted(slot, this.#options.catchUpSlots, this.#reported))
      }
      note(report)
      return { ...run, outcome, report }
    } catch (error) {
      if (this.#stop.signal.aborted || cannotGetBetter(error)) throw error
      this.#options.onTrouble(error)
      return { ...run, outcome: 'missed', report: null }
    }
  }

  #count(report: SlotReport): SlotReport {
    const slots = report.lastSlot - report.slot + 1
    this.#counters.slots += slots
    this.#counters[counterOf[report.outcome]] += slots
    return report
  }

  /** Lets go of everything. What is under way is aborted, and counts as nothing. */
  #end(): void {
    this.#letGo?.()
    this.#stop.abort(new DOMException('nobody follows any more', 'AbortError'))
    // A source that waits for its next header ends when it comes, or by the signal.
    this.#tasks.return().catch(() => {})
  }
}
