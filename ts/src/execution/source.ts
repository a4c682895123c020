/** The execution layer by JSON-RPC endpoints, none of them trusted: each answer is proven by hashes, and the first that is proven is taken. */
import type { Endpoint, EndpointOptions, Reply } from '../beacon/endpoint.ts'
import { BeaconEndpoints } from '../beacon/endpoints.ts'
import { BeaconFailure, BeaconUnavailableError } from '../beacon/failure.ts'
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
      const found = await firstProven(
        endpoints,
        terms,
        ofHash(hash, async (endpoint, wanted) => {
          const reply = await askTransaction(endpoint, wanted, withoutProofs)
          return 'value' in reply ? await ofChain(reply.endpoint, reply.value, terms, open) : reply
        }),
      )
      // A chain has a transaction once.
      for (const [endpoint, named] of open)
        if (found !== null && named !== found.header.hash) tellOfOther(endpoint, named, terms)
      return found
    },
  }
}

/** A transaction as a reply, where its block is of the chain. `open` is given those endpoints, with the block's hash, of which that is not known. */
async function ofChain(
  endpoint: Endpoint,
  value: ProvenTransaction,
  terms: ExecutionTerms,
  open: Map<Endpoint, string>,
): Promise<Reply<ProvenTransaction>> {
  const { hash } = value.header
  const isOfChain = (await terms.isOfChain?.(value)) ?? 'yes'
  if (isOfChain === 'yes') return { endpoint, value }
  if (isOfChain === 'no') return { endpoint, failure: tellOfOther(endpoint, hash, terms) }
  open.set(endpoint, hash)
  return { endpoint, failure: new BeaconFailure('behind', `block ${hash} may be none of the chain`) }
}

function tellOfOther(endpoint: Endpoint, hash: string, { tally }: ExecutionTerms): BeaconFailure {
  const failure = new BeaconFailure('behind', `block ${hash} is none of the chain`)
  endpoint.failed(failure)
  tally.failed(endpoint.name, failure)
  return failure
}

/** Asks one endpoint. */
type AskOne<T> = (endpoint: Conversation) => Promise<Reply<T>>

function ofHash<T>(
  hash: string,
  ask: (endpoint: Conversation, hash: string) => Promise<Reply<T>>,
): AskOne<T> {
  const wanted = hash.toLowerCase()
  if (!/^0x[0-9a-f]{64}$/.test(wanted)) throw new TypeError('a hash must be 32 bytes as 0x hex')
  return (endpoint) => ask(endpoint, wanted)
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
      (endpoint, _inTurn, until) => ask(new Conversation(endpoint, until, tally)),
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
