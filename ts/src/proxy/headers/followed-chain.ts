/** Headers of a light client that is started, followed and, where it fails, started again in the background. */
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import { lagInWords } from '../../light-client/clock.ts'
import { StaleCheckpointError } from '../../light-client/errors.ts'
import type { LightClient } from '../../light-client/light-client.ts'
import { messageOf } from '../../runtime/errors.ts'
import type { PlatformSignal } from '../../util/platform-types.ts'
import type { BlockId } from '../../block-data/report.ts'
import { MAX_TIMER_MS, sleep } from '../../util/timers.ts'
import type { OnNews } from '../news.ts'
import { ClientHeaders, type ClientHeadersOptions } from './client-headers.ts'
import { added, countsOfFailures } from './endpoint-counts.ts'
import type { HeadersStatus, KnownHeaders, KnownResolution } from './known-header.ts'

/** Pauses between attempts to start, in milliseconds: the first, and the longest. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** What there is to say before the first header of now, until something goes wrong. */
const NOT_STARTED = 'the light client has not started yet'
const ON_ITS_WAY = 'the light client is on its way to the newest header'

/** Options of `FollowedChain`. */
export interface FollowedChainOptions extends ClientHeadersOptions {
  /** Starts a light client. */
  readonly start: (signal: AbortSignal) => Promise<LightClient>
  readonly onNews: OnNews
}

/** A chain that is followed from a checkpoint. */
export class FollowedChain implements KnownHeaders {
  readonly #options: FollowedChainOptions
  #hasStarted = false
  #client: LightClient | null = null
  #headers: ClientHeaders | null = null
  /** What is counted of the light clients before this one, and of those that could not be started. */
  #before: Pick<HeadersStatus, 'endpoints' | 'storeFailures'> = { endpoints: [], storeFailures: 0 }
  #trouble: string | null = NOT_STARTED
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
        if (this.#client === null && error instanceof BeaconUnavailableError)
          this.#count({ endpoints: countsOfFailures(error.failures), storeFailures: 0 })
        this.#tell(messageOf(error))
      } finally {
        this.#headers?.dispose()
        const client = this.#client
        await client?.dispose()
        this.#client = this.#headers = null
        if (client !== null) this.#count(client.report())
      }
      await sleep(pauseMs, signal).catch(() => {})
    }
  }

  async resolve(
    id: BlockId,
    { signal }: { readonly signal?: PlatformSignal | undefined },
  ): Promise<KnownResolution> {
    if (this.#headers === null)
      return {
        status: 'unknown',
        reason: 'starting',
        detail: this.#trouble ?? 'the light client is starting',
      }
    return await this.#headers.resolve(id, signal)
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
      endpoints: added(this.#before.endpoints, client?.report().endpoints ?? []),
      storeFailures: this.#before.storeFailures + (client?.report().storeFailures ?? 0),
    }
  }

  async #followOnce(signal: AbortSignal, onSuccess: () => void): Promise<void> {
    const client = await this.#options.start(signal)
    const headers = new ClientHeaders(client, this.#options)
    this.#client = client
    this.#headers = headers
    this.#hasStarted = true
    if (this.#trouble === NOT_STARTED) this.#trouble = ON_ITS_WAY
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
        headers.noteFinalized()
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

  #count({ endpoints, storeFailures }: Pick<HeadersStatus, 'endpoints' | 'storeFailures'>): void {
    const before = this.#before
    this.#before = {
      endpoints: added(before.endpoints, endpoints),
      storeFailures: before.storeFailures + storeFailures,
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
