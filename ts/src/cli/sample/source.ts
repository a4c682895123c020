/** Where `blobcheck sample` has headers and columns from: endpoints and a checkpoint, endpoints alone, or a recorded block. */
import { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import { type HeaderOnTrust, headerOnTrust } from '../../beacon/header-on-trust.ts'
import type { NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import { resolveNetwork } from '../../beacon/vetted-network.ts'
import { readUrls } from '../../beacon/endpoints.ts'
import { Clock } from '../../light-client/clock.ts'
import { suspectClock } from '../../light-client/errors.ts'
import type { LightClient, LightClientReport } from '../../light-client/index.ts'
import type { AnsweredHeader } from '../../beacon/header-answer.ts'
import type { BlockId, HeaderSource, Resolution } from '../../sampler/index.ts'
import type { Chain } from '../../serve/index.ts'
import { MAX_TIMER_MS, sleep } from '../../util/timers.ts'
import { wordedFetch } from '../options/fetch.ts'
import { clockOf, startLightClient } from '../options/light-client.ts'
import type { CommandContext } from '../command.ts'
import { printWarning } from '../terminal/words.ts'
import type { SamplePrinter } from './printers.ts'
import { walkBack, type WayBack, type WayBackOptions } from './way-back.ts'

/** Where headers and columns come from, and whose clock and schedule hold. */
export interface SampleSource {
  readonly headers: LightClient | HeaderSource
  readonly beacon: readonly string[]
  readonly network: NetworkName | NetworkConfig
  /** Milliseconds of Unix time. */
  readonly now: () => number
  /** What keeps headers from being known, as far as it is known, or null. */
  trouble(): string | null
  /** On the endpoints' word: how old the head is that was taken last, and who is behind, where all of them are; else null. */
  oldHead(): string | null
  dispose(): Promise<void>
}

/** What is sampled from a checkpoint: a block, or slot after slot from the head on. */
export interface CheckpointOptions extends WayBackOptions {
  readonly follow: boolean
}

/** Follows the chain from the checkpoint to now, and from there back to the block. Throws what `LightClient` throws. */
export async function checkpointSource(
  options: CheckpointOptions,
  printer: SamplePrinter,
  { signal, stderr }: Pick<CommandContext, 'signal' | 'stderr'>,
): Promise<SampleSource> {
  printer.preparing('following the chain from your checkpoint')
  const client = await startLightClient(options, signal, (text) => printWarning(stderr, text))
  let wayBack: WayBack | null = null
  try {
    await client.sync({ signal, onProgress: (progress) => printer.syncing(progress) })
    if (!options.follow) wayBack = await walkBack(client, options, printer, signal)
  } catch (error) {
    await client.dispose()
    throw error
  }
  return {
    headers: wayBack?.headers ?? client,
    beacon: options.beacon,
    network: options.network,
    now: clockOf(options),
    trouble: () => (wayBack?.isExplained ? null : troubleOf(client.report())),
    oldHead: () => null,
    dispose: async () => {
      wayBack?.dispose()
      await client.dispose()
    },
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
  const heard: Heard = { trouble: null, oldHead: null }
  return {
    headers: endpointHeaders(options, now, heard),
    ...{ beacon, network, now },
    trouble: () => heard.trouble ?? heard.oldHead,
    oldHead: () => heard.oldHead,
    dispose: () => Promise.resolve(),
  }
}

/** What endpoints did when they were asked last, in words; null where there is nothing to say. */
interface Heard {
  /** Where none gave a header. */
  trouble: string | null
  /** Where each that gave a head gave an old one. */
  oldHead: string | null
}

/** Asks the endpoints which block is meant. */
function endpointHeaders(options: EndpointOptions, now: () => number, heard: Heard): HeaderSource {
  const endpoints = new BeaconEndpoints(readUrls(options.beacon), {
    fetch: wordedFetch,
    now,
    random: Math.random,
    timeoutMs: Math.min(options.timeoutMs, MAX_TIMER_MS),
  })
  const { network } = options
  const clock = new Clock(resolveNetwork(network), now)
  const ask = async (id: BlockId, signal: AbortSignal | undefined): Promise<HeaderOnTrust> => {
    try {
      const given = await headerOnTrust(endpoints, id, { currentSlot: clock.slot, network }, signal)
      if (id === 'head') heard.oldHead = given.oldHead
      return given
    } catch (error) {
      suspectClock(error)
      throw error
    }
  }
  return {
    async resolve(id, { signal }) {
      try {
        const { header, orphaned } = await ask(id, signal)
        if (orphaned === null) return { status: 'found', header }
        heard.trouble = orphaned
        return { status: 'unknown', detail: orphaned }
      } catch (error) {
        // Whether there is no such block or nobody tells: on trust these are the same.
        if (!(error instanceof BeaconUnavailableError)) throw error
        heard.trouble = error.message
        return { status: 'unknown', detail: error.message }
      }
    },
    async *headers({ signal }) {
      let last: AnsweredHeader | undefined
      for (; ; await sleep(clock.secondsPerSlot * 500, signal)) {
        try {
          const { header, orphaned } = await ask('head', signal)
          heard.trouble = orphaned
          if (orphaned !== null) continue
          // An old one that is older than the last is another endpoint's, and no reorganisation.
          const isNews =
            heard.oldHead === null ? header.root !== last?.root : header.slot > (last?.slot ?? -1)
          if (!isNews) continue
          last = header
          yield header
        } catch (error) {
          if (!(error instanceof BeaconUnavailableError)) throw error
          heard.trouble = error.message
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
    oldHead: () => null,
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
