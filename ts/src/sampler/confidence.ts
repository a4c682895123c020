/** How sure a report is, with the sentence that belongs to the number. */
import type { LinkState } from '../verdict/verdict.ts'
import { tail, toNumber } from './odds.ts'
import type { Confidence } from './report.ts'

/** What a single server shows, and what it does not. */
const SHOWN = 'that this server has them is shown, not that others can get them'
/** Some of the data was not verified here, as a cache says that an earlier session did. */
const CACHED = 'the verifier’s cache is right about the data that it says was verified before'

interface Shown {
  readonly samples: number
  readonly missing: number
  /** 1 where nothing was shown; 0 where the data itself was. */
  readonly maxError: number
  /** Names of the endpoints that delivered what was verified: of a sample, one for each column. */
  readonly endpoints: readonly string[]
  /** Columns that one server delivered and another one denied. */
  readonly contested: readonly number[]
  /** What an error is to be at most, whichever server lies, for `independent`. */
  readonly target: number
  /** What is known of it by KZG. */
  readonly kzg: LinkState
}

export function confidenceOf(shown: Shown): Confidence {
  const { samples, missing, maxError, endpoints, contested, target } = shown
  const servers = new Set(endpoints.map(serverOf)).size
  const maxErrorIfOneLies = servers < 2 ? 1 : Math.max(maxError, errorIfOneLies(shown))
  const independent = maxErrorIfOneLies < 1 && maxErrorIfOneLies <= target && contested.length === 0
  return {
    samples,
    missing,
    maxError,
    bits: maxError === 0 ? null : Math.max(0, -Math.log2(maxError)),
    certain: maxError === 0,
    servers,
    maxErrorIfOneLies,
    contested: [...contested],
    independent,
    assumption: assumptionOf(shown, servers, independent),
  }
}

/** Several endpoints of one origin are one server: their names differ in what follows `#`. */
export function serverOf(endpoint: string): string {
  return endpoint.replace(/#[0-9]+$/, '')
}

/**
 * The bound without the deliveries of the server that gave most. If that one shows us alone what it has, at least all that the
 * others delivered was published before it was drawn; that so much of a sample was, or more, has the probability of the tail in
 * which its columns count as missing: 0 where the others delivered half of all. The liar can choose at which size the sample ends:
 * each of them was a chance.
 */
function errorIfOneLies({ samples, missing, maxError, endpoints }: Shown): number {
  if (samples === 0 || maxError === 1) return 1
  const counts = new Map<string, number>()
  for (const name of endpoints.map(serverOf)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return Math.min(1, (missing + 1) * toNumber(tail(samples, missing + most)))
}

/** The data is here; of who else has it, as much is said as is known. */
function whose(servers: number): string {
  if (servers === 0) return '. No server answered: that others can get it is not shown'
  return servers === 1 ? `. One server answered: ${SHOWN}` : ''
}

function assumptionOf({ maxError, contested, kzg }: Shown, servers: number, independent: boolean): string {
  if (maxError === 1) return 'nothing was shown'
  const isCached = kzg === 'trusted'
  if (maxError === 0) {
    const here = 'enough of the data to rebuild all of it was here'
    return `${isCached ? `${CACHED}; ${here}` : `none: ${here}, and verified`}${whose(servers)}`
  }
  const drawn =
    `${isCached ? `${CACHED}; ` : ''}columns were drawn here, at random, after the block was made; nobody could know which, and hide ` +
    'the others, before what is published was fixed'
  if (contested.length > 0)
    return `${drawn}. ${contested.length} of the columns came from one server, and another one denied them: ${SHOWN}`
  if (servers < 2) return `${drawn}. One server answered: ${SHOWN}`
  return independent
    ? `${drawn}; whichever of the ${servers} servers shows this client alone what it has`
    : `${drawn}; none of the ${servers} servers shows this client what it hides from others`
}
