/** Who is asked for which sidecars. */
import { type Endpoint, RETRY_DELAY_MS } from '../../beacon/endpoint.ts'
import { backOff } from '../../util/timers.ts'
import type { SidecarAttempts } from './attempts.ts'
import type { EndpointTally } from './tally.ts'

/** One request: which sidecars it asks an endpoint for, and how long to wait before it is sent. */
export interface Group {
  readonly endpoint: Endpoint
  readonly wanted: readonly number[]
  readonly pauseMs: number
}

/** What is known of endpoints and sidecars by now. */
export interface Known {
  /** Who serves the route. */
  readonly serving: readonly Endpoint[]
  attemptsOf(index: number): SidecarAttempts
  tallyOf(endpoint: Endpoint): EndpointTally | undefined
  /** Of whom something is under way, and which sidecars that is. */
  readonly busy: ReadonlySet<Endpoint>
  readonly asked: ReadonlySet<number>
  /** Whether there is time to ask again after so long. */
  isTime(waitMs: number): boolean
}

/** The states of endpoints, the best first. */
const ORDER = ['good', 'waiting', 'distrusted']

/**
 * Shares sidecars out among those of whom nothing is under way: each to an endpoint that works, if there is one, and as evenly as can be. What another
 * one is asked for already goes to one that works, or to nobody.
 */
export function shareOut(indices: readonly number[], known: Known): Group[] {
  const { attemptsOf, tallyOf, isTime } = known
  const shares = new Map<Endpoint, { wanted: number[]; tries: number }>()
  for (const index of indices) {
    const attempts = attemptsOf(index)
    const candidates = known.serving.flatMap((endpoint) => {
      const tries = attempts.triesOf(endpoint)
      if (tries === null || known.busy.has(endpoint)) return []
      const load = shares.get(endpoint)?.wanted.length ?? 0
      // Who lacked something of the block may lack this, too: one question to another is better than many.
      const lacks = Number(tallyOf(endpoint)?.isLacking === true)
      // Nor is anybody waited for who wants to be left alone, whatever its state, while another can be asked.
      const isLeft = Number(endpoint.waitMs > RETRY_DELAY_MS)
      const isWorking = endpoint.state === 'good' && tallyOf(endpoint)?.isFailing !== true
      if (known.asked.has(index) && (isLeft > 0 || !isWorking)) return []
      const rank = [isLeft, ORDER.indexOf(endpoint.state), tries, lacks, load, Math.random()]
      return [{ endpoint, tries, rank }]
    })
    const best = candidates.reduce<(typeof candidates)[number] | undefined>(
      (a, b) => (a === undefined || isBefore(b.rank, a.rank) ? b : a),
      undefined,
    )
    if (best === undefined) continue
    const share = shares.get(best.endpoint) ?? { wanted: [], tries: 0 }
    share.wanted.push(index)
    share.tries = Math.max(share.tries, best.tries)
    shares.set(best.endpoint, share)
  }
  const groups = Array.from(shares).flatMap(([endpoint, { wanted, tries }]) => {
    const backOffMs = tries === 0 ? 0 : backOff(tries, RETRY_DELAY_MS, Math.random)
    const waitMs = isTime(endpoint.waitMs) ? endpoint.waitMs : 0
    const pauseMs = Math.max(backOffMs, waitMs)
    return inParts(wanted, endpoint.mostValues).map((part) => ({ endpoint, wanted: part, pauseMs }))
  })
  // Nobody waits for those who want to be left alone while others can be asked: what is theirs is shared out anew.
  const soonest = Math.min(...groups.map(({ pauseMs }) => pauseMs))
  return groups.filter(({ pauseMs }) => pauseMs <= soonest + RETRY_DELAY_MS)
}

/** In parts of so many at most, each as long as the others or longer by one. */
function inParts(indices: readonly number[], most: number): (readonly number[])[] {
  const parts = Math.max(1, Math.ceil(indices.length / most))
  return Array.from({ length: parts }, (_, at) => indices.filter((_index, nth) => nth % parts === at))
}

/** Lexicographic. */
function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, place) => value !== b[place])
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0)
}
