/** Headers on the endpoints' word, for `--trust-endpoint`: they agree with themselves, and that is all. */
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import {
  type AnsweredHeader,
  headerAskedFor,
  type HeaderStanding,
  standingIn,
} from '../../beacon/header-answer.ts'
import { routes } from '../../beacon/routes.ts'
import type { Clock } from '../../light-client/clock.ts'
import { suspectClock } from '../../light-client/errors.ts'
import type { BlockId } from '../../block-data/report.ts'
import type { PlatformSignal } from '../../util/platform-types.ts'
import { sleep } from '../../util/timers.ts'
import type { HeadersStatus, KnownHeader, KnownHeaders, KnownResolution } from './known-header.ts'

/** Headers that nobody has verified. */
export class EndpointHeaders implements KnownHeaders {
  readonly #endpoints: BeaconEndpoints
  readonly #clock: Clock
  #head: KnownHeader | null = null
  #finalized: KnownHeader | null = null
  /** What keeps the newest headers from being known. Others somebody asked for, and there may be none. */
  #trouble: string | null = null

  constructor(endpoints: BeaconEndpoints, clock: Clock) {
    this.#endpoints = endpoints
    this.#clock = clock
  }

  /** Asks for the newest headers in each slot, until the signal ends it; then it resolves. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.resolve('finalized', { signal }).catch(() => {})
      await this.resolve('head', { signal }).catch(() => {})
      await sleep(this.#clock.secondsPerSlot * 500, signal).catch(() => {})
    }
  }

  /** An endpoint's word for it that there is no block proves nothing: that is `unknown`. */
  async resolve(
    id: BlockId,
    { signal }: { readonly signal?: PlatformSignal | undefined },
  ): Promise<KnownResolution> {
    try {
      const given = await this.#endpoints.first(
        routes.header(String(id)),
        async (answer) => ({
          header: headerAskedFor(answer, id, this.#clock.slot),
          standing: standingIn(answer),
        }),
        signal,
      )
      if (isNewest(id)) this.#trouble = null
      const header = this.#known(given.header, given.standing, id === 'finalized')
      if (id === 'head') this.#head = header
      if (id === 'finalized') this.#finalized = header
      return { status: 'found', header }
    } catch (error) {
      if (!(error instanceof BeaconUnavailableError)) throw error
      suspectClock(error)
      if (isNewest(id)) this.#trouble = error.message
      return { status: 'unknown', reason: 'unreachable', detail: error.message }
    }
  }

  status(): HeadersStatus {
    return {
      currentSlot: this.#clock.slot,
      head: this.#head,
      finalized: this.#finalized,
      links: { header: 'trusted', 'sync-committee': 'absent', checkpoint: 'absent' },
      trouble: this.#trouble,
      endpoints: [],
    }
  }

  /** An endpoint that does not say whether a block is final is taken to mean what the slot of the finalized one says. */
  #known(header: AnsweredHeader, said: HeaderStanding, isFinal: boolean): KnownHeader {
    const canonical = isFinal || said.canonical !== false
    const finalized = isFinal || (said.finalized ?? header.slot <= (this.#finalized?.slot ?? -1))
    return { ...header, canonical, finalized: canonical && finalized }
  }
}

const isNewest = (id: BlockId): boolean => id === 'head' || id === 'finalized'
