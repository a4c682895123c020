/** Headers on the word of endpoints: they agree with themselves, and that is all. */
import type { BeaconEndpoints } from './endpoints.ts'
import { BeaconFailure, BeaconUnavailableError, failuresInWords } from './failure.ts'
import { type AnsweredHeader, headerAskedFor, type HeaderStanding, standingIn } from './header-answer.ts'
import type { NetworkConfig, NetworkName } from './networks.ts'
import type { BeaconAnswer } from './request.ts'
import { routes } from './routes.ts'

/** A header that nobody has verified. */
export interface HeaderOnTrust {
  readonly header: AnsweredHeader
  /** What the endpoint says of it. */
  readonly standing: HeaderStanding
  /** Where the head was asked for, and each endpoint that gave one gave an old one: how old it is, and who is behind, in words; else null. */
  readonly oldHead: string | null
  /** Where nobody says that the block is of the chain, and each endpoint that gave its header says that it is not: what they say, in words; else null. */
  readonly orphaned: string | null
}

/**
 * So many slots behind the clock the head of a node that keeps up may be: one whose block is still under way, and two after one another without
 * blocks. A network that misses more has old heads for a while, of which the newest is taken.
 */
const MAX_LAG_SLOTS = 3

/** From so many slots behind the clock on, a head may be of a network that began at another time: a day of mainnet. */
const LONG_AGO_SLOTS = 7_200

/** What a header is held against. */
export interface TrustTerms {
  /** The slot that it is by the clock. */
  readonly currentSlot: number
  /** Whose chain it is: what is said where endpoints seem to be of another names it. */
  readonly network: NetworkName | NetworkConfig
}

/**
 * Asks the endpoints for the header of a block (`head`, `finalized`, a slot, or a root), one after the other; the next one also where one says of
 * its own header that the block is none of the chain, and for the head, where it is an old one by the clock. Throws
 * `BeaconUnavailableError` where none gives it, and the signal's reason.
 */
export async function headerOnTrust(
  endpoints: BeaconEndpoints,
  id: string | number,
  { currentSlot, network }: TrustTerms,
  signal: AbortSignal | undefined,
): Promise<HeaderOnTrust> {
  let newest: HeaderOnTrust | undefined
  let orphan: HeaderOnTrust | undefined
  const test = async (answer: BeaconAnswer): Promise<HeaderOnTrust> => {
    const header = headerAskedFor(answer, id, currentSlot)
    const given = { header, standing: standingIn(answer), oldHead: null, orphaned: null }
    // What is final is of the chain.
    if (id !== 'finalized' && given.standing.canonical === false) {
      orphan ??= given
      throw new BeaconFailure('behind', 'by its own word, the block is none of the chain')
    }
    const { slot } = header
    if (id !== 'head' || slot >= currentSlot - MAX_LAG_SLOTS) return given
    if (newest === undefined || slot > newest.header.slot) newest = given
    throw new BeaconFailure('behind', `a head of slot ${slot}, where by the clock it is slot ${currentSlot}`)
  }
  try {
    return await endpoints.first(routes.header(String(id)), test, signal)
  } catch (error) {
    if (!(error instanceof BeaconUnavailableError)) throw error
    if (newest === undefined) {
      if (orphan === undefined) throw error
      const said = failuresInWords(error.failures)
      return { ...orphan, orphaned: `no endpoint says that the block is of the chain: ${said}` }
    }
    // Nobody gave a newer one: the network may stand still, or miss some slots.
    const lag = currentSlot - newest.header.slot
    const another =
      lag < LONG_AGO_SLOTS
        ? ''
        : `or of another network than ${typeof network === 'string' ? network : 'that of your config'}, `
    const oldHead =
      `the newest head is ${lag} slots behind the clock ` +
      `(the endpoints are behind, ${another}or this machine's clock is fast): ${failuresInWords(error.failures)}`
    return { ...newest, oldHead }
  }
}
