/** Which block is meant, and what is known of it: through a light client, or a source that the caller trusts. */
import { GAS_PER_BLOB } from '../beacon/constants.ts'
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import { routes } from '../beacon/routes.ts'
import { MAX_FETCHED_ANCESTORS } from '../light-client/ancestors.ts'
import type { LightClient } from '../light-client/light-client.ts'
import type { TrustedHeader } from '../light-client/trusted-header.ts'
import { isHash } from '../util/hash.ts'
import { within } from '../util/timers.ts'
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import { provenanceOf } from '../verdict/provenance.ts'
import { readAnchor } from '../verifier/call.ts'
import { headerIn } from '../beacon/header-answer.ts'
import type { HeaderSource, Resolution, SampledHeader } from './options.ts'
import type { BlockId } from './report.ts'

export type Headers = LightClient | HeaderSource

/**
 * A source of headers was misused, or gave what is no header: a `TypeError` to callers, and told apart in here from those that
 * sources and platforms throw for reasons of their own, as `fetch` does where there is no network.
 */
export class MisuseError extends TypeError {
  override readonly name = 'TypeError'
}

/** A block's name, read. */
type Name = { readonly slot: number } | { readonly root: string } | 'head' | 'finalized'

/** Throws `TypeError` for what names no block. */
export function refuseNonBlock(id: unknown): void {
  nameOf(id)
}

function nameOf(id: unknown): Name {
  if (id === 'head' || id === 'finalized') return id
  if (isHash(id)) return { root: id.toLowerCase() }
  const slot = typeof id === 'string' && /^[0-9]{1,16}$/.test(id) ? Number(id) : id
  if (typeof slot === 'number' && Number.isSafeInteger(slot) && slot >= 0) return { slot }
  throw new TypeError("a block is 'head', 'finalized', a slot, or a root of 32 bytes as 0x hex")
}

/** Throws what the source of headers throws, and `MisuseError` for what is no answer. */
export async function resolveHeader(
  headers: Headers,
  endpoints: BeaconEndpoints,
  id: BlockId,
  signal: AbortSignal,
): Promise<Resolution> {
  if (!('resolve' in headers)) return await ofLightClient(headers, endpoints, nameOf(id), signal)
  const resolution = (await headers.resolve(id, { signal })) as Resolution | null | undefined
  if (resolution && STATUSES.includes(resolution.status)) return resolution
  throw new MisuseError(
    "a source of headers must resolve to an object whose status is 'found', 'no-block' or 'unknown'",
  )
}

const STATUSES: readonly Resolution['status'][] = ['found', 'no-block', 'unknown']

/**
 * As `resolveHeader`, within so many milliseconds: `unknown` where the header could not be had by then. Rejects with the signal's reason.
 * `until` is aborted with the signal, and at the deadline.
 */
export async function resolveInTime(
  { headers, endpoints }: { readonly headers: Headers; readonly endpoints: BeaconEndpoints },
  id: BlockId,
  terms: { readonly signal: AbortSignal | undefined; readonly until: AbortSignal; readonly ms: number },
): Promise<Resolution> {
  const { signal, until, ms } = terms
  try {
    // A race: a source of the caller's own may not know of signals.
    const late = (): Error => new DOMException('the deadline', 'TimeoutError')
    return await within(resolveHeader(headers, endpoints, id, until), ms, late, until)
  } catch (error) {
    signal?.throwIfAborted()
    if (!until.aborted && !(error instanceof DOMException && error.name === 'TimeoutError')) throw error
    return { status: 'unknown', detail: 'the header could not be had in time' }
  }
}

/** Throws `MisuseError` for what has no root and slot, and for a light client's header of another network. */
export function refuseNonHeader(header: SampledHeader, network: VettedNetwork): void {
  if (typeof header !== 'object' || header === null) throw new MisuseError('a source of headers gave none')
  if (isVouchedFor(header)) {
    try {
      return void readAnchor({ header }, network)
    } catch (error) {
      throw error instanceof TypeError ? new MisuseError(error.message, { cause: error }) : error
    }
  }
  const { root, slot } = header
  if (!isHash(root) || !Number.isSafeInteger(slot) || slot < 0)
    throw new MisuseError('a header needs its root, 32 bytes as 0x hex, and its slot')
}

/** Throws `MisuseError` where the block of a header turns out to be of another slot than the header says, as only a header on trust can. Null: not known. */
export function refuseOtherSlot(header: SampledHeader, slot: number | null): void {
  if (slot !== null && slot !== header.slot)
    throw new MisuseError(`a header of slot ${header.slot}, whose block is of slot ${slot}`)
}

async function ofLightClient(
  client: LightClient,
  endpoints: BeaconEndpoints,
  name: Name,
  signal: AbortSignal,
): Promise<Resolution> {
  const { finalized, optimistic } = client
  if (name === 'head') return { status: 'found', header: optimistic }
  if (name === 'finalized') return { status: 'found', header: finalized }
  if ('slot' in name) return await atSlot(client, name.slot, signal)
  const known = [finalized, optimistic].find(({ root }) => root === name.root)
  if (known !== undefined) return { status: 'found', header: known }
  // Where that block is, by its own header; that it is of the chain is what its parents' chain must show.
  const slot = await slotOf(endpoints, name.root, signal)
  if (typeof slot === 'string') return { status: 'unknown', detail: slot }
  const resolution = await atSlot(client, slot, signal)
  if (resolution.status === 'unknown') return resolution
  if (resolution.status === 'found' && resolution.header.root === name.root) return resolution
  // The slot may be empty, and there is a block of that root all the same.
  return { status: 'unknown', detail: 'the block is not of the chain that the light client follows' }
}

async function atSlot(client: LightClient, slot: number, signal: AbortSignal): Promise<Resolution> {
  const anchored = await client.headerAt(slot, { signal })
  if (anchored.status === 'anchored') return { status: 'found', header: anchored.header }
  if (anchored.reason === 'no-block') return { status: 'no-block' }
  const detail =
    anchored.reason === 'too-new'
      ? `slot ${slot} is newer than the newest header that the light client knows, of slot ${client.optimistic.slot}: it learns of a block from the one after it`
      : unanchoredInWords[anchored.reason]
  return { status: 'unknown', detail }
}

const unanchoredInWords = {
  'beyond-limit': `more than ${MAX_FETCHED_ANCESTORS} blocks lie between it and the next header that the light client knows: ask again, which goes on from there, or bring headers with trustAncestors`,
  unavailable: 'no endpoint gave all headers between it and the next one that the light client knows',
} as const

/** The slot in the header that has this root; else why there is none, in words. */
async function slotOf(
  endpoints: BeaconEndpoints,
  root: string,
  signal: AbortSignal,
): Promise<number | string> {
  try {
    return await endpoints.first(routes.header(root), async (answer) => slotIn(answer, root), signal)
  } catch (error) {
    if (!(error instanceof BeaconUnavailableError)) throw error
    const isDenied = error.failures.every(({ kind }) => kind === 'not-found')
    return isDenied ? 'no endpoint knows a block of that root' : error.message
  }
}

function slotIn(answer: BeaconAnswer, root: string): number {
  const header = headerIn(answer)
  if (header.root !== root) throw new BeaconFailure('invalid', 'another header than the one asked for')
  return header.slot
}

/**
 * How many blobs a block has by its execution header, where a light client proved that; else null. Only the very object
 * that it handed out counts, which is frozen: what looks like it is anybody's word.
 */
export function provenBlobs(header: SampledHeader): number | null {
  if (!isProven(header) || !('execution' in header)) return null
  const gas = header.execution?.blobGasUsed ?? null
  return gas === null || gas % GAS_PER_BLOB !== 0 ? null : gas / GAS_PER_BLOB
}

/** Whether a light client verified a header from its checkpoint: not what it took from a cache on trust, or by a forced update. */
export function isProven(header: SampledHeader): boolean {
  return provenanceOf(header)?.links.header === 'verified'
}

/** Whether a light client vouches for a header. */
export function isVouchedFor(header: SampledHeader): header is TrustedHeader {
  return provenanceOf(header) !== undefined
}
