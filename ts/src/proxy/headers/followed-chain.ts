/** Headers of a light client that is started, followed and, where it fails, started again in the background. */
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import { headerAskedFor } from '../../beacon/header-answer.ts'
import { routes } from '../../beacon/routes.ts'
import { type Clock, lagInWords } from '../../light-client/clock.ts'
import { StaleCheckpointError } from '../../light-client/errors.ts'
import type { LightClient } from '../../light-client/light-client.ts'
import { messageOf } from '../../runtime/errors.ts'
import type { PlatformSignal } from '../../util/platform-types.ts'
import type { BlockId } from '../../block-data/report.ts'
import { MAX_TIMER_MS, sleep } from '../../util/timers.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { OnNews } from '../news.ts'
import { Ancestry } from './ancestry.ts'
import type { HeadersStatus, KnownHeaders, KnownResolution } from './known-header.ts'

/** Pauses between attempts to start, in milliseconds: the first, and the longest. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** Roots whose slots are remembered. */
const MAX_ROOTS = 65_536

/** Options of `FollowedChain`. */
export interface FollowedChainOptions {
  /** Starts a light client. */
  readonly start: (signal: AbortSignal) => Promise<LightClient>
  /** Where headers of old blocks are fetched from: endpoints, none of them trusted. */
  readonly endpoints: BeaconEndpoints
  readonly clock: Clock
  /** How many slots before the finalized header are followed back. */
  readonly history: number
  readonly onNews: OnNews
}

/** A chain that is followed from a checkpoint. */
export class FollowedChain implements KnownHeaders {
  readonly #options: FollowedChainOptions
  readonly #slots = new BoundedMap<string, number>(MAX_ROOTS)
  #hasStarted = false
  #client: LightClient | null = null
  #ancestry: Ancestry | null = null
  #trouble: string | null = 'the light client has not started yet'
  /** Whether `#trouble` is that the newest header is not of now, although endpoints answer. */
  #isBehind = false

  constructor(options: FollowedChainOptions) {
    this.#options = options
  }

  /**
   * Follows the chain until the signal ends it; then it resolves. Endpoints that fail do not end it. Rejects with what the user has to
   * mend: `StaleCheckpointError` at the first start, and `TypeError` for options that make no sense.
   */
  async follow(signal: AbortSignal): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await this.#followOnce(signal, () => (pauseMs = FIRST_PAUSE_MS))
      } catch (error) {
        if (signal.aborted) return
        if (!this.#hasStarted && (error instanceof StaleCheckpointError || error instanceof TypeError))
          throw error
        this.#tell(messageOf(error))
      } finally {
        this.#ancestry?.dispose()
        await this.#client?.dispose()
        this.#client = this.#ancestry = null
      }
      await sleep(pauseMs, signal).catch(() => {})
    }
  }

  async resolve(
    id: BlockId,
    { signal }: { readonly signal?: PlatformSignal | undefined },
  ): Promise<KnownResolution> {
    const client = this.#client
    const ancestry = this.#ancestry
    if (client === null || ancestry === null)
      return {
        status: 'unknown',
        reason: 'starting',
        detail: this.#trouble ?? 'the light client is starting',
      }
    const resolution = await this.#resolve(id, client, ancestry, signal)
    if (resolution.status === 'found') this.#slots.set(resolution.header.root, resolution.header.slot)
    return resolution
  }

  status(): HeadersStatus {
    const client = this.#client
    const { slot } = this.#options.clock
    return {
      currentSlot: slot,
      head: client?.optimistic ?? null,
      finalized: client?.finalized ?? null,
      links: client?.finalized.links ?? null,
      trouble: this.#trouble,
      endpoints: client?.report().endpoints ?? [],
    }
  }

  async #followOnce(signal: AbortSignal, onSuccess: () => void): Promise<void> {
    const client = await this.#options.start(signal)
    const ancestry = new Ancestry(client, this.#options)
    ancestry.note(client.finalized)
    this.#client = client
    this.#ancestry = ancestry
    this.#hasStarted = true
    let hasFailed = false
    const onError = (error: Error): void => {
      hasFailed = true
      this.#tell(error.message)
    }
    let newest: number | null = null
    // While nodes stand still the iterator says nothing. Another trouble says more than how old the newest header is.
    const look = (): void => {
      if (newest !== null && (this.#trouble === null || this.#isBehind)) this.#judge(newest)
    }
    const timer = setInterval(look, Math.min(this.#options.clock.secondsPerSlot * 1000, MAX_TIMER_MS))
    try {
      for await (const { slot } of client.headers({ signal, onError })) {
        ancestry.note(client.finalized)
        newest = slot
        // The first one comes whether or not there was an answer: what was kept from last time will do as well.
        this.#judge(slot, hasFailed)
        hasFailed = false
        onSuccess()
      }
    } finally {
      clearInterval(timer)
    }
  }

  /** Tells whether the newest header is of now; where it is not and polls failed, that is what there is to say. */
  #judge(slot: number, hasFailed: boolean = false): void {
    const { clock } = this.#options
    const lag = lagInWords(clock.slot - slot, clock.slotsPerEpoch)
    if (lag === null) this.#tell(null)
    else if (!hasFailed) this.#tellBehind(lag)
  }

  async #resolve(
    id: BlockId,
    client: LightClient,
    ancestry: Ancestry,
    signal: AbortSignal | undefined,
  ): Promise<KnownResolution> {
    const { finalized, optimistic } = client
    if (id === 'head') return { status: 'found', header: optimistic }
    if (id === 'finalized') return { status: 'found', header: finalized }
    if (typeof id === 'number' || /^\d+$/.test(id))
      return await this.#atSlot(Number(id), client, ancestry, signal)
    const root = id.toLowerCase()
    const known = [finalized, optimistic].find((header) => header.root === root)
    if (known !== undefined) return { status: 'found', header: known }
    // Where that block is, by its own header; that it is of the chain is what its children must show.
    const slot = this.#slots.get(root) ?? ancestry.slotOf(root) ?? (await this.#slotOf(root, signal))
    if (typeof slot !== 'number') return slot
    const resolution = await this.#atSlot(slot, client, ancestry, signal)
    if (resolution.status === 'unknown') return resolution
    if (resolution.status === 'found' && resolution.header.root === root) return resolution
    return notOfTheChain(
      `the block ${root} of slot ${slot} is not of the chain that the light client follows`,
    )
  }

  async #atSlot(
    slot: number,
    client: LightClient,
    ancestry: Ancestry,
    signal: AbortSignal | undefined,
  ): Promise<KnownResolution> {
    const newest = Math.max(client.optimistic.slot, client.finalized.slot)
    if (slot > newest)
      return {
        status: 'unknown',
        reason: 'too-new',
        detail: `slot ${slot} is newer than the newest header that is known, of slot ${newest}`,
      }
    try {
      const answer = await ancestry.at(slot, signal)
      if (answer.status === 'found' || answer.status === 'no-block') return answer
      return answer.status === 'too-old'
        ? {
            status: 'unknown',
            reason: 'too-old',
            detail: `slot ${slot} is more than ${this.#options.history} slots before the finalized header`,
          }
        : { status: 'unknown', reason: 'unreachable', detail: answer.detail }
    } catch (error) {
      if (!signal?.aborted) throw error
      const reached = ancestry.reached(slot)
      // The way back may be long. That it is not done yet is an answer, for whoever asks again.
      if (isDeadline(signal.reason))
        return {
          status: 'unknown',
          reason: 'following-back',
          detail: `headers are being followed back to slot ${slot}, and have come to slot ${reached}; ask again`,
        }
      throw error
    }
  }

  /** The slot in the header that has this root; else why there is none: no endpoint has such a header, or not all of them said so. */
  async #slotOf(root: string, signal: AbortSignal | undefined): Promise<number | KnownResolution> {
    const { endpoints, clock } = this.#options
    try {
      const { slot } = await endpoints.first(
        routes.header(root),
        async (answer) => headerAskedFor(answer, root, clock.slot),
        signal,
      )
      return slot
    } catch (error) {
      if (!(error instanceof BeaconUnavailableError)) throw error
      return error.failures.every(({ kind }) => kind === 'not-found')
        ? notOfTheChain(`no endpoint knows a block of the root ${root}`)
        : { status: 'unknown', reason: 'unreachable', detail: error.message }
    }
  }

  /** What keeps it from following; null where nothing does any more. */
  #tell(trouble: string | null): void {
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    this.#isBehind = false
    this.#options.onNews(trouble ?? 'in step with the chain', trouble !== null)
  }

  /** That the newest header is of long ago: told once, however the number of slots changes from header to header. */
  #tellBehind(lag: string): void {
    if (this.#isBehind) this.#trouble = lag
    else this.#tell(lag)
    this.#isBehind = true
  }
}

function notOfTheChain(detail: string): KnownResolution {
  return { status: 'unknown', reason: 'not-of-the-chain', detail }
}

const isDeadline = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError'
