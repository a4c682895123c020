/** The execution layer by JSON-RPC endpoints, none of them trusted: each answer is proven by hashes, and the first that is proven is taken. */
import type { Endpoint, EndpointOptions, Reply } from '../beacon/endpoint.ts'
import { BeaconEndpoints } from '../beacon/endpoints.ts'
import { BeaconFailure, BeaconUnavailableError } from '../beacon/failure.ts'
import { isHash } from '../util/hash.ts'
import { abortable } from '../util/signals.ts'
import { askHeader } from './ask-header.ts'
import { askTransaction } from './ask-transaction.ts'
import { Conversation } from './conversation.ts'
import type { ExecutionSource, ExecutionTerms, ProvenTransaction } from './execution.ts'
import { NothingThere } from './json-rpc.ts'

/**
 * A source that asks these endpoints, each by POST to its URL as it is. Endpoints that work are asked before those that failed, and those
 * that have said what is false last; the next one is asked where one fails, or is silent for a second.
 */
export function createExecutionSource(urls: readonly URL[], options: EndpointOptions): ExecutionSource {
  const endpoints = new BeaconEndpoints(urls, options)
  const withoutProofs = new WeakSet<Endpoint>()
  return {
    header: async (hash, terms) => await firstProven(endpoints, terms, ofHash(hash, askHeader)),
    async transaction(hash, terms) {
      const open = new Map<Endpoint, string>()
      let isPending = false
      const found = await firstProven(
        endpoints,
        terms,
        ofHash(hash, async (endpoint, wanted, until) => {
          const reply = await askTransaction(endpoint, wanted, withoutProofs)
          if ('value' in reply) return await ofChain(reply.endpoint, reply.value, terms, open, until)
          isPending ||= reply.failure instanceof NothingThere && reply.failure.isPending
          return reply
        }),
      )
      // A chain has a transaction once.
      for (const [endpoint, named] of open)
        if (found !== null && named !== found.header.hash) tellOfOther(endpoint, named, terms)
      return found ?? (isPending ? 'pending' : null)
    },
  }
}

/** A transaction as a reply, where its block is of the chain. `open` is given those endpoints, with the block's hash, of which that is not known. */
async function ofChain(
  endpoint: Endpoint,
  value: ProvenTransaction,
  terms: ExecutionTerms,
  open: Map<Endpoint, string>,
  until: AbortSignal | undefined,
): Promise<Reply<ProvenTransaction>> {
  const { hash } = value.header
  // Until it is known, as where another endpoint has the answer meanwhile.
  open.set(endpoint, hash)
  const refute = (): BeaconFailure => tellOfOther(endpoint, hash, terms)
  const isOfChain = await whileAsked(value, refute, terms, until)
  if (isOfChain === 'unknown')
    return { endpoint, failure: new BeaconFailure('behind', `block ${hash} may be none of the chain`) }
  open.delete(endpoint)
  if (isOfChain === 'yes') return { endpoint, value }
  return { endpoint, failure: refute() }
}

/**
 * Whether its block is of the chain, as long as the endpoint that named it is asked: to find that out may take long, and nobody waits for it
 * once another endpoint has the answer. Where the time of the whole question is over, what is known by then counts.
 */
async function whileAsked(
  value: ProvenTransaction,
  refute: () => void,
  { isOfChain = async () => 'yes', signal }: ExecutionTerms,
  until: AbortSignal | undefined,
): Promise<'yes' | 'no' | 'unknown'> {
  let found: ReturnType<typeof isOfChain> | undefined
  try {
    return await abortable(until, () => (found = isOfChain(value, refute)))
  } catch (error) {
    if (found === undefined || !signal.aborted) throw error
    return await found
  }
}

function tellOfOther(endpoint: Endpoint, hash: string, { tally }: ExecutionTerms): BeaconFailure {
  const failure = new BeaconFailure('behind', `block ${hash} is none of the chain`)
  endpoint.failed(failure)
  tally.failed(endpoint.name, failure)
  return failure
}

/** Asks one endpoint, until the signal is aborted. */
type AskOne<T> = (endpoint: Conversation, until: AbortSignal | undefined) => Promise<Reply<T>>

function ofHash<T>(
  hash: string,
  ask: (endpoint: Conversation, hash: string, until: AbortSignal | undefined) => Promise<Reply<T>>,
): AskOne<T> {
  if (!isHash(hash)) throw new TypeError('a hash must be 32 bytes as 0x hex')
  const wanted = hash.toLowerCase()
  return (endpoint, until) => ask(endpoint, wanted, until)
}

/** What the first endpoint says that is proven, or null where each says that there is nothing. */
async function firstProven<T>(
  endpoints: BeaconEndpoints,
  { signal, tally }: ExecutionTerms,
  ask: AskOne<T>,
): Promise<T | null> {
  const denying = new Set<string>()
  try {
    return await endpoints.firstBy<T>(
      (endpoint, _inTurn, until) => ask(new Conversation(endpoint, until, tally), until),
      signal,
      ({ name }, failure) => {
        if (failure instanceof NothingThere) denying.add(name)
        else denying.delete(name)
      },
    )
  } catch (error) {
    if (!(error instanceof BeaconUnavailableError)) throw error
    if (error.failures.length > 0 && error.failures.every(({ endpoint }) => denying.has(endpoint)))
      return null
    throw new BeaconUnavailableError(error.failures, 'execution')
  }
}
