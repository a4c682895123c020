/** Where `blobcheck sample` has headers and columns from: endpoints and a checkpoint, endpoints alone, or a recorded block. */
import { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import { type NetworkConfig, type NetworkName, resolveNetwork } from '../../beacon/networks.ts'
import { type BeaconAnswer, platformFetch } from '../../beacon/request.ts'
import { routes } from '../../beacon/routes.ts'
import { readUrls } from '../../beacon/endpoints.ts'
import { Clock } from '../../light-client/clock.ts'
import { suspectClock } from '../../light-client/errors.ts'
import type { LightClient, LightClientReport } from '../../light-client/index.ts'
import { headerAskedFor, type AnsweredHeader } from '../../beacon/header-answer.ts'
import type { BlockId, HeaderSource, Resolution } from '../../sampler/index.ts'
import type { Chain } from '../../serve/index.ts'
import { MAX_TIMER_MS, sleep } from '../../util/timers.ts'
import { clockOf, type LightClientOptions, startLightClient } from '../options.ts'
import type { SamplePrinter } from './printers.ts'

/** Where headers and columns come from, and whose clock and schedule hold. */
export interface SampleSource {
  readonly headers: LightClient | HeaderSource
  readonly beacon: readonly string[]
  readonly network: NetworkName | NetworkConfig
  /** Milliseconds of Unix time. */
  readonly now: () => number
  /** What keeps headers from being known, as far as it is known, or null. */
  trouble(): string | null
  dispose(): Promise<void>
}

/** Follows the chain from the checkpoint to now. Throws what `LightClient` throws. */
export async function checkpointSource(
  options: LightClientOptions,
  printer: SamplePrinter,
  signal: AbortSignal,
): Promise<SampleSource> {
  printer.preparing('following the chain from your checkpoint')
  const client = await startLightClient(options, signal)
  try {
    await client.sync({ signal, onProgress: (progress) => printer.syncing(progress) })
  } catch (error) {
    await client.dispose()
    throw error
  }
  return {
    headers: client,
    beacon: options.beacon,
    network: options.network,
    now: clockOf(options),
    trouble: () => troubleOf(client.report()),
    dispose: () => client.dispose(),
  }
}

/** Endpoints that are of no use at present, and why. */
function troubleOf({ endpoints }: LightClientReport): string | null {
  const told = endpoints.flatMap(({ name, state, lastFailure }) =>
    state === 'good' || lastFailure === null ? [] : [`${name}: ${lastFailure.kind} (${lastFailure.detail})`],
  )
  return told.length === 0 ? null : told.join('; ')
}

/** Whose word is taken, and how long they have for it. */
export interface EndpointOptions {
  readonly beacon: readonly string[]
  readonly network: NetworkName | NetworkConfig
  /** For one answer. */
  readonly timeoutMs: number
  /** Seconds of Unix time, in place of the clock's. */
  readonly now?: number
}

/**
 * Headers on the endpoints' word, for `--trust-endpoint`: they agree with themselves, and that is all.
 * Throws `TypeError` for what are no URLs.
 */
export function endpointSource(options: EndpointOptions): SampleSource {
  const { beacon, network } = options
  const now = clockOf(options)
  let trouble: string | null = null
  const headers = endpointHeaders(options, now, (detail) => (trouble = detail))
  return { headers, beacon, network, now, trouble: () => trouble, dispose: () => Promise.resolve() }
}

/** Asks the endpoints which block is meant, one after the other. */
function endpointHeaders(
  options: EndpointOptions,
  now: () => number,
  onTrouble: (detail: string | null) => void,
): HeaderSource {
  const endpoints = new BeaconEndpoints(readUrls(options.beacon), {
    fetch: platformFetch,
    now,
    random: Math.random,
    timeoutMs: Math.min(options.timeoutMs, MAX_TIMER_MS),
  })
  const clock = new Clock(resolveNetwork(options.network), now)
  const ask = async (id: BlockId, signal: AbortSignal | undefined): Promise<AnsweredHeader> => {
    const test = async (answer: BeaconAnswer): Promise<AnsweredHeader> =>
      headerAskedFor(answer, id, clock.slot)
    return await endpoints.first(routes.header(String(id)), test, signal).catch((error: unknown) => {
      suspectClock(error)
      throw error
    })
  }
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

/** Computes the block's columns, and serves them on this machine alone. */
export async function recordedSource(printer: SamplePrinter, signal: AbortSignal): Promise<SampleSource> {
  const { realChain } = await import('../../serve/index.ts')
  const { readEmbeddedSidecars, serveBeacon } = await import('../../serve/node.ts')
  const sidecars = await readEmbeddedSidecars()
  const chain = await realChain({
    sidecars,
    signal,
    onProgress: ({ done, total }) =>
      printer.preparing('computing the columns of a recorded block', `${done} of ${total} blobs`),
  })
  const server = await serveBeacon({ chain })
  return {
    headers: recordedHeaders(chain),
    beacon: [server.url],
    network: chain.network,
    now: () => chain.now(),
    trouble: () => null,
    dispose: () => server.close(),
  }
}

/** The chain's own word, and it is this process that gives it. */
function recordedHeaders(chain: Chain): HeaderSource {
  const resolve = (id: BlockId): Resolution => {
    const block =
      id === 'head' || id === 'finalized'
        ? chain.head
        : /^0x/.test(String(id))
          ? chain.byRoot(String(id).toLowerCase())
          : chain.at(Number(id))
    return block === null
      ? { status: 'unknown', detail: 'the recorded block is another one' }
      : { status: 'found', header: { root: block.root, slot: block.slot } }
  }
  return { resolve: (id) => Promise.resolve(resolve(id)) }
}
