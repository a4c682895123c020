/** Runs an audit: from headers to jobs, from jobs to results, in whatever order they come. */
import { notify, refuseNonListener } from '../util/notify.ts'
import { joinSignals } from '../util/signals.ts'
import type { RangeHeaders, SlotHeader } from './headers.ts'
import type { AuditJob } from './job.ts'
import { nameOf, piecesOf, SLOTS_PER_JOB } from './ranges.ts'
import type { AuditProgress, RangeResult, SlotRange } from './result.ts'

/** Whoever does the jobs: this process, or others. */
export interface JobRunner {
  /** How many jobs are wanted at the same time. */
  readonly jobsAtOnce: number
  /**
   * Does a job. `onSlot` is called as slots get done, as far as that shows. What it rejects with ends the audit, so that what concerns one
   * job alone has to be in its result.
   */
  run(
    job: AuditJob,
    terms: { readonly signal: AbortSignal; readonly onSlot: () => void },
  ): Promise<RangeResult>
}

/** What is audited, with what, and what has been done before. */
export interface RunOptions {
  readonly range: SlotRange
  readonly headers: RangeHeaders
  readonly runner: JobRunner
  /** Whether a piece of the range, by its name, has its result already. */
  readonly isDone?: (name: string) => boolean
  /** Told of each result, one after the other: the next one waits. What it throws ends the audit. */
  readonly onResult: (result: RangeResult) => void | Promise<void>
  /** Called with how far the audit is. */
  readonly onProgress?: ((progress: AuditProgress) => void) | undefined
  /** Ends the audit, which rejects with the signal's reason. */
  readonly signal: AbortSignal
}

/**
 * Audits a range of slots, in pieces of `SLOTS_PER_JOB`, from its end to its start, as headers lead. Each piece that was not done before
 * gets a result. Rejects with the signal's reason, and with what the runner or `onResult` throws; then nothing goes on.
 */
export async function runAudit(options: RunOptions): Promise<void> {
  const { range, headers, runner, isDone = () => false, onResult, onProgress } = options
  refuseNonListener(onProgress, 'onProgress')
  const pending = piecesOf(range).filter((piece) => !isDone(nameOf(piece)))
  const [first, last] = [pending[0], pending.at(-1)]
  if (first === undefined || last === undefined) return
  const total = pending.reduce((slots, { from, to }) => slots + to - from + 1, 0)
  let done = 0
  const end = new AbortController()
  const { either: signal, release } = joinSignals([options.signal, end.signal])
  const running = new Set<Promise<void>>()
  let written = Promise.resolve()
  const start = (job: AuditJob): void => {
    let seen = 0
    const onSlot = (): void => {
      seen++
      notify(onProgress, { stage: 'slots', done: ++done, total }, signal)
    }
    const work = (async (): Promise<void> => {
      const result = await runner.run(job, { signal, onSlot })
      done += result.slots.length - seen
      notify(onProgress, { stage: 'slots', done, total }, signal)
      written = written.then(() => onResult(result))
      await written
    })()
    const tracked = work
      .catch((error: unknown) => {
        end.abort(error)
      })
      .finally(() => running.delete(tracked))
    running.add(tracked)
  }
  try {
    signal.throwIfAborted()
    const wanted = new Set(pending.map(nameOf))
    const onStep = (steps: number, of: number): void =>
      notify(onProgress, { stage: 'headers', done: steps, total: of }, signal)
    const walk = headers.walk({ from: first.from, to: last.to }, { signal, onStep })
    for await (const job of jobsOf(walk, last, headers.trust)) {
      if (!wanted.has(nameOf(job))) continue
      while (running.size >= runner.jobsAtOnce) await Promise.race(running)
      signal.throwIfAborted()
      start(job)
    }
    while (running.size > 0) await Promise.race(running)
    signal.throwIfAborted()
  } catch (error) {
    end.abort(error)
    await Promise.all(running)
    throw options.signal.aborted ? options.signal.reason : end.signal.reason
  } finally {
    release()
  }
}

/** Slots that come from the last one down, put into pieces of which the first one to come is `last`. */
async function* jobsOf(
  slots: AsyncIterable<SlotHeader>,
  last: SlotRange,
  trust: AuditJob['trust'],
): AsyncGenerator<AuditJob, void, void> {
  const length = SLOTS_PER_JOB
  let piece = last
  let collected: SlotHeader[] = []
  let next: SlotHeader | null = null
  for await (const slot of slots) {
    if (slot.slot > last.to) {
      next = slot
      continue
    }
    collected.push(slot)
    if (slot.slot > piece.from) continue
    collected.reverse()
    yield { ...piece, trust, slots: collected, next }
    next = collected.find((one) => 'header' in one && one.header !== null) ?? next
    collected = []
    piece = { from: piece.from - length, to: piece.from - 1 }
  }
}
