/** Headers on the endpoints' word, for who says `--trust-endpoint`. They agree with themselves, and that is all. */
import { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../../beacon/errors.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import { routes } from '../../beacon/routes.ts'
import { readUrls } from '../../beacon/urls.ts'
import { type NetworkConfig, type NetworkName, resolveNetwork } from '../../beacon/networks.ts'
import { headerIn, type ToldHeader } from '../../sampler/header-answer.ts'
import type { BlockId, HeaderSource } from '../../sampler/index.ts'
import { Clock } from '../../light-client/clock.ts'
import { MAX_TIMER_MS, sleep } from '../../util/timers.ts'
import { clockOf } from '../light-client/terms.ts'
import type { Ground } from './ground.ts'

/** Whose word is taken, and how long they have for it. */
export interface EndpointTerms {
  readonly beacon: readonly string[]
  readonly network: NetworkName | NetworkConfig
  /** For one answer. */
  readonly timeoutMs: number
  /** Seconds of Unix time, in place of the clock's. */
  readonly now?: number
}

/** A ground that is as firm as their word. Throws `TypeError` for what are no URLs. */
export function onEndpointsWord(terms: EndpointTerms): Ground {
  const { beacon, network } = terms
  const now = clockOf(terms)
  let trouble: string | null = null
  const headers = headersOf(terms, now, (detail) => (trouble = detail))
  return { headers, beacon, network, now, trouble: () => trouble, dispose: () => Promise.resolve() }
}

/** Asks the endpoints which block is meant, one after the other. */
function headersOf(
  options: EndpointTerms,
  now: () => number,
  onTrouble: (detail: string | null) => void,
): HeaderSource {
  const endpoints = new BeaconEndpoints(readUrls(options.beacon), {
    fetch: (url, init) => globalThis.fetch(url, init),
    now,
    random: Math.random,
    timeoutMs: Math.min(options.timeoutMs, MAX_TIMER_MS),
  })
  const clock = new Clock(resolveNetwork(options.network), now)
  const ask = async (id: BlockId, signal: AbortSignal | undefined): Promise<ToldHeader> =>
    await endpoints.first(routes.header(String(id)), async (answer) => wantedIn(answer, id, clock), signal)
  return {
    async resolve(id, { signal }) {
      try {
        return { status: 'found', header: await ask(id, signal) }
      } catch (error) {
        // Whether there is no such block or nobody tells: on trust these are the same.
        if (!(error instanceof BeaconUnavailableError)) throw error
        onTrouble(error.message)
        return { status: 'unknown', detail: error.message }
      }
    },
    async *headers({ signal }) {
      for (let last = ''; ; await sleep(clock.secondsPerSlot * 500, signal)) {
        try {
          const header = await ask('head', signal)
          onTrouble(null)
          if (header.root !== last) yield header
          last = header.root
        } catch (error) {
          if (!(error instanceof BeaconUnavailableError)) throw error
          onTrouble(error.message)
        }
      }
    },
  }
}

/** The header in an answer: it is the one asked for, and its slot has come, or is the next one. */
function wantedIn(answer: BeaconAnswer, id: BlockId, clock: Clock): ToldHeader {
  const header = headerIn(answer)
  const { root, slot } = header
  const asked = String(id).toLowerCase()
  if (asked.startsWith('0x') ? asked !== root : /^\d/.test(asked) && Number(asked) !== slot)
    throw new BeaconFailure('invalid', 'another header than the one asked for')
  if (slot > clock.slot + 1)
    throw new BeaconFailure(
      'invalid',
      `a header of slot ${slot}, where by the clock it is slot ${clock.slot}`,
    )
  return header
}
