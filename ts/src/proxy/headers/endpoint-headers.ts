/** Headers on the endpoints' word, for `--trust-endpoint`: they agree with themselves, and that is all. */
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import { type HeaderOnTrust, headerOnTrust, type TrustTerms } from '../../beacon/header-on-trust.ts'
import type { Clock } from '../../light-client/clock.ts'
import { suspectClock } from '../../light-client/errors.ts'
import type { BlockId } from '../../block-data/report.ts'
import type { PlatformSignal } from '../../util/platform-types.ts'
import { sleep } from '../../util/timers.ts'
import type { OnNews } from '../news.ts'
import type { HeadersStatus, KnownHeader, KnownHeaders, KnownResolution } from './known-header.ts'

/** Headers that nobody has verified. */
export class EndpointHeaders implements KnownHeaders {
  readonly #endpoints: BeaconEndpoints
  readonly #clock: Clock
  readonly #network: TrustTerms['network']
  readonly #onNews: OnNews
  #head: KnownHeader | null = null
  #finalized: KnownHeader | null = null
  /** What keeps the newest headers from being known, by which of them was asked for. Others somebody asked for, and there may be none. */
  readonly #troubles: Record<Newest, string | null> = { head: null, finalized: null }

  /** `network` is that of the clock. `onNews` is told when the newest headers cannot be known any more, and when they can again. */
  constructor(endpoints: BeaconEndpoints, clock: Clock, network: TrustTerms['network'], onNews: OnNews) {
    this.#endpoints = endpoints
    this.#clock = clock
    this.#network = network
    this.#onNews = onNews
  }

  /** Asks for the newest headers in each slot, until the signal ends it; then it resolves. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.resolve('finalized', { signal }).catch(() => {})
      await this.resolve('head', { signal }).catch(() => {})
      await sleep(this.#clock.secondsPerSlot * 500, signal).catch(() => {})
    }
  }

  /**
   * An endpoint's word for it that there is no block proves nothing: that is `unknown`. So is a block of which the endpoints that know it say that
   * it is none of the chain; its header is given beside that.
   */
  async resolve(
    id: BlockId,
    { signal }: { readonly signal?: PlatformSignal | undefined },
  ): Promise<KnownResolution> {
    try {
      const given = await headerOnTrust(
        this.#endpoints,
        id,
        { currentSlot: this.#clock.slot, network: this.#network },
        signal,
      )
      const { oldHead, orphaned } = given
      if (isNewest(id)) this.#tell(id, oldHead ?? orphaned)
      const header = this.#known(given, id === 'finalized')
      if (orphaned !== null)
        return { status: 'unknown', reason: 'not-of-the-chain', detail: orphaned, header }
      if (id === 'finalized') this.#finalized = header
      if (id !== 'head') return { status: 'found', header }
      // An old one that is older than the last is another endpoint's, and no reorganisation.
      if (oldHead === null || header.slot > (this.#head?.slot ?? -1)) this.#head = header
      return { status: 'found', header: this.#head ?? header }
    } catch (error) {
      if (!(error instanceof BeaconUnavailableError)) throw error
      suspectClock(error)
      if (isNewest(id)) this.#tell(id, error.message)
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
      storeFailures: 0,
    }
  }

  get #trouble(): string | null {
    return this.#troubles.head ?? this.#troubles.finalized
  }

  /** Of a trouble that lasts nobody is told again, however its words change. */
  #tell(id: Newest, trouble: string | null): void {
    const before = this.#trouble
    this.#troubles[id] = trouble
    const after = this.#trouble
    if ((before === null) !== (after === null))
      this.#onNews(after ?? 'endpoints give new headers again', after !== null)
  }

  /** An endpoint that does not say whether a block is final is taken to mean what the slot of the finalized one says. */
  #known({ header, standing }: HeaderOnTrust, isFinal: boolean): KnownHeader {
    const canonical = isFinal || standing.canonical !== false
    const finalized = isFinal || (standing.finalized ?? header.slot <= (this.#finalized?.slot ?? -1))
    return { ...header, canonical, finalized: canonical && finalized }
  }
}

type Newest = 'head' | 'finalized'

const isNewest = (id: BlockId): id is Newest => id === 'head' || id === 'finalized'
