/** Why a chain cannot be followed: what happened, and what the visitor can do about it. */
import { type NetworkConfig, type NetworkName, networks } from 'blobcheck'
import { BeaconUnavailableError, StaleCheckpointError, UnsupportedForkError } from 'blobcheck/light-client'
import { errorWords } from '../shared/words.ts'
import { networkTitle } from './network.ts'

/**
 * `cors`: a server answers, and the browser may not show what it says; `silent`: nobody answers; `offline`: nor could anybody, since this device
 * has no network; `refusing`: what answers wants a key, or
 * payment; `not-a-node`: what answers is no Beacon API; `other-network`: the node is of another network; `unknown-checkpoint`: the node has
 * nothing for light clients of that block; `stale`: the checkpoint is too old; `other`: anything else.
 */
export type TroubleKind =
  | 'cors'
  | 'silent'
  | 'offline'
  | 'refusing'
  | 'not-a-node'
  | 'other-network'
  | 'unknown-checkpoint'
  | 'stale'
  | 'other'

export interface Trouble {
  readonly kind: TroubleKind
  /** Whole sentences: what happened, and what to do. */
  readonly text: string
  /** A command for a terminal that helps, null where there is none. */
  readonly command: string | null
}

/** A chain of one's own, from a server that pages may ask. */
export const SERVE = 'npx blobcheck serve --seconds-per-slot 6 --network-file network.json'

/** What was asked for. */
interface Attempt {
  readonly network: NetworkName | NetworkConfig
  readonly beacon: readonly string[]
  readonly signal: AbortSignal
}

/** Finds out what is behind an error of `followChain`. The first endpoint that failed may be asked once or twice for it. */
export async function troubleOf(error: unknown, { network, beacon, signal }: Attempt): Promise<Trouble> {
  if (error instanceof StaleCheckpointError)
    return {
      ...{ kind: 'stale', command: null },
      text: `The checkpoint is ${error.ageEpochs} epochs old, and beyond ${error.limitEpochs} epochs nothing shows that the chain from there on is the one that all follow. Take the root of a newer finalized block.`,
    }
  if (!(error instanceof BeaconUnavailableError))
    return { kind: 'other', text: errorWords(error), command: null }
  const first = firstFailure(beacon, error)
  if (first === null) return { kind: 'other', text: errorWords(error), command: null }
  const { endpoint, failure } = first
  const seen =
    failure.kind === 'network' ? await reach(endpoint, signal) : await genesisRoot(endpoint, signal)
  return troubleIn(seen, failure, network, endpoint, error)
}

type Failure = BeaconUnavailableError['failures'][number]

/** The first endpoint, in the visitor's order, that failed, and how; failures come in any order, each with its endpoint's name. */
function firstFailure(
  beacon: readonly string[],
  { failures }: BeaconUnavailableError,
): { readonly endpoint: string; readonly failure: Failure } | null {
  const counts = new Map<string, number>()
  for (const endpoint of beacon) {
    const { origin } = new URL(endpoint)
    const count = (counts.get(origin) ?? 0) + 1
    counts.set(origin, count)
    const name = count === 1 ? origin : `${origin}#${count}`
    const failure = failures.find((one) => one.endpoint === name)
    if (failure !== undefined) return { endpoint, failure }
  }
  return null
}

/** What an endpoint is found to be: who does not answer, does not let pages read or refuses, what is no node, or the root that its network has. */
type Seen =
  | { readonly kind: 'silent' | 'cors' | 'not-a-node' | 'unclear' }
  | { readonly kind: 'refusing'; readonly status: number }
  | { readonly kind: 'node'; readonly root: string }

function troubleIn(
  seen: Seen,
  failure: Failure,
  network: NetworkName | NetworkConfig,
  endpoint: string,
  error: BeaconUnavailableError,
): Trouble {
  const said = (kind: TroubleKind, text: string, command: string | null = null): Trouble => ({
    kind,
    text,
    command,
  })
  const what = `${failure.kind}: ${failure.detail}`
  switch (seen.kind) {
    case 'silent':
      // Of this machine it needs none. Where the browser does not say that there is none, there may be one.
      if (globalThis.navigator?.onLine === false && !isOfThisMachine(endpoint))
        return said(
          'offline',
          `There is no network: the browser says that this device is offline, and ${endpoint} is not on it. Start again once there is one.`,
        )
      return said(
        'silent',
        `Nobody answers at ${endpoint} (${what}). See whether the node runs and whether the port is right. If the browser asks whether this page may reach devices of your network, allow it.`,
      )
    case 'cors':
      return said(
        'cors',
        `${endpoint} answers, but it does not say that pages of other origins may read its answers (CORS), and so the browser keeps them from this page. Start the node with its option for that (in Lighthouse, --http --http-allow-origin ${pageOrigin()}), or ask another one. This command makes a chain on your machine, and serves it to pages:`,
        SERVE,
      )
    case 'refusing':
      return said(
        'refusing',
        `${endpoint} refuses the requests of this page (status ${seen.status}). See whether its address has a key that is valid, or ask another node.`,
      )
    case 'not-a-node':
      return said(
        'not-a-node',
        `${endpoint} answers, but not as a Beacon node does (${what}). The endpoint is the address of a consensus client’s HTTP API, without /eth/…; the JSON-RPC of an execution client is another one.`,
      )
    case 'node': {
      const expected = rootOf(network)
      if (expected !== seen.root.toLowerCase())
        return said(
          'other-network',
          `${endpoint} is a node of ${titleOfRoot(seen.root)}, and not of ${networkTitle(network)}. Choose the network of the node, with a checkpoint of that network, or name another endpoint.`,
        )
      if (failure.kind === 'not-found')
        return said(
          'unknown-checkpoint',
          `${endpoint} has nothing for light clients that begins with this checkpoint. The checkpoint is the root of a finalized block that begins an epoch, not too long ago; and some nodes serve light clients only when told to. Take a newer finalized root, from a source that you trust, or ask another node.`,
        )
      if (error instanceof UnsupportedForkError)
        return said(
          'other',
          `${endpoint} answers with objects of a fork that this version of blobcheck does not know.`,
        )
      break
    }
    case 'unclear':
  }
  return said(
    'other',
    `${endpoint} did not give what a light client needs (${what}). Try again, or ask another node.`,
  )
}

function isOfThisMachine(endpoint: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(endpoint).hostname)
}

function pageOrigin(): string {
  return globalThis.location?.origin ?? '*'
}

/** Whether anybody is there: an answer that the page may not read is one all the same. */
async function reach(endpoint: string, signal: AbortSignal): Promise<Seen> {
  try {
    await ask(endpoint, 'no-cors', signal)
  } catch {
    signal.throwIfAborted()
    return { kind: 'silent' }
  }
  const seen = await genesisRoot(endpoint, signal)
  return seen.kind === 'silent' ? { kind: 'cors' } : seen
}

/** Unauthorized, payment required, forbidden. */
const REFUSALS: readonly number[] = [401, 402, 403]

/** By the root that is under all of its signatures, a node says which network it is of. */
async function genesisRoot(endpoint: string, signal: AbortSignal): Promise<Seen> {
  let answer: { readonly status: number; readonly text: string }
  try {
    answer = await ask(endpoint, 'cors', signal)
  } catch {
    signal.throwIfAborted()
    return { kind: 'silent' }
  }
  const { status } = answer
  if (REFUSALS.includes(status)) return { kind: 'refusing', status }
  if (status === 429 || status >= 500) return { kind: 'unclear' }
  try {
    const { data } = JSON.parse(answer.text) as { data: { genesis_validators_root: unknown } }
    const { genesis_validators_root: root } = data
    return typeof root === 'string' ? { kind: 'node', root } : { kind: 'not-a-node' }
  } catch {
    return { kind: 'not-a-node' }
  }
}

const PATIENCE_MS = 10_000

/** An answer, of which nothing can be read in the mode `no-cors`. Rejects where there is none in time, or none for this mode. */
async function ask(
  endpoint: string,
  mode: 'cors' | 'no-cors',
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/eth/v1/beacon/genesis`
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  const timer = setTimeout(abort, PATIENCE_MS)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    const response = await fetch(url.href, {
      ...{ mode, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' },
      signal: controller.signal,
    })
    return { status: response.status, text: mode === 'cors' ? await response.text() : '' }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    controller.abort()
  }
}

function rootOf(network: NetworkName | NetworkConfig): string | undefined {
  const { signing } = typeof network === 'string' ? networks[network] : network
  return signing?.genesisValidatorsRoot.toLowerCase()
}

function titleOfRoot(root: string): string {
  const name = (Object.keys(networks) as NetworkName[]).find((known) => rootOf(known) === root.toLowerCase())
  return name === undefined
    ? `another network (genesis_validators_root ${root.slice(0, 66)})`
    : networkTitle(name)
}
