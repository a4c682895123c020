/**
 * Blocks older than a trusted header: a header names its parent by its root, so that whoever trusts the child trusts the
 * parent. Each header on the way is fetched and hashed.
 */
import { encodeHex } from '../util/hex.ts'
import { WasmUnavailableError } from '../runtime/errors.ts'
import { headerBytes } from '../beacon/header.ts'
import type { Header } from '../beacon/header.ts'
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import { routes } from '../beacon/routes.ts'
import type { Engine } from './engine.ts'
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { abortable } from '../util/signals.ts'
import type { Anchored } from './options.ts'
import type { TrustedHeader, Vouched, VouchedHeaders } from './trusted-header.ts'
import type { ByteArray, PlatformSignal } from '../util/platform-types.ts'

/** How many headers `LightClient.headerAt` fetches at most, from the nearest one that is trusted back: one request for each block. */
export const MAX_FETCHED_ANCESTORS = 256
/** How many headers `LightClient.trustAncestors` takes at most: 27 hours of blocks. */
export const MAX_ANCESTORS = 8192
/** Final headers that are remembered, some 1 KB each. */
const MAX_KNOWN = 1024

/** @internal */
export class Ancestors {
  readonly #engine: Engine
  readonly #endpoints: BeaconEndpoints
  readonly #vouched: VouchedHeaders
  /** Final headers by slot, of this era; the oldest entries go first. */
  readonly #known = new Map<number, TrustedHeader>()
  #era = 0
  readonly #fetched = new FetchedHeaders()

  constructor(engine: Engine, endpoints: BeaconEndpoints, vouched: VouchedHeaders) {
    this.#engine = engine
    this.#endpoints = endpoints
    this.#vouched = vouched
  }

  /** The header of the block in a slot, by way of parents from the nearest header that is trusted. */
  async at(
    slot: number,
    heads: readonly TrustedHeader[],
    signal: PlatformSignal | undefined,
  ): Promise<Anchored> {
    this.#forgetDisowned()
    const later = [...heads, ...this.#known.values()].filter((header) => header.slot >= slot)
    const nearest = later.sort((a, b) => a.slot - b.slot)[0]
    if (nearest === undefined) return { status: 'unanchored', reason: 'too-new' }
    let header = nearest
    let fetched = 0
    while (header.slot > slot) {
      // What an earlier call fetched is no part of it, so that the next one comes further.
      if (fetched === MAX_FETCHED_ANCESTORS) return { status: 'unanchored', reason: 'beyond-limit' }
      try {
        header = await this.#parent(header, signal, () => fetched++)
      } catch (error) {
        if (!(error instanceof BeaconUnavailableError)) throw error
        return { status: 'unanchored', reason: 'unavailable' }
      }
    }
    return header.slot === slot
      ? { status: 'anchored', header }
      : { status: 'unanchored', reason: 'no-block' }
  }

  /**
   * Headers that a caller brings, each the parent of the one before it, the first that of `from`; or null. `from` must be a
   * header of this light client: `TypeError`. Only what is on record of it counts, not what the object says.
   */
  async of(from: TrustedHeader, headers: readonly Header[]): Promise<TrustedHeader[] | null> {
    const child = this.#vouched.recordOf(from)
    if (child === undefined) throw new TypeError('from must be a header of this light client')
    const bytes = Array.from(headers, (header, at) => wholeHeader(header, `headers[${at}]`)) // a hole is no header, either
    if (bytes.length === 0) return []
    try {
      const roots = await this.#engine.ancestors(child.ssz, bytes)
      return bytes.map((ssz, at) => this.#vouch(child, ssz, rootAt(roots, at)))
    } catch (error) {
      if (!(error instanceof BeaconFailure)) throw error
      if (error.kind === 'crashed') throw new WasmUnavailableError(error.message) // nothing is known
      return null
    }
  }

  async #parent(
    header: TrustedHeader,
    signal: PlatformSignal | undefined,
    onFetch: () => void,
  ): Promise<TrustedHeader> {
    const child = this.#vouched.recordOf(header)
    if (child === undefined) throw new TypeError('not a header of this light client')
    const root = child.ssz.subarray(16, 48)
    const name = `0x${encodeHex(root)}`
    const fetch = (): Promise<ByteArray> => {
      onFetch()
      return this.#endpoints.first(
        routes.header(name),
        async (answer) => {
          const ssz = await this.#engine.header(answer)
          rootAt(await this.#engine.ancestors(child.ssz, [ssz]), 0)
          return ssz
        },
        signal,
      )
    }
    return this.#vouch(child, await this.#fetched.get(name, fetch, signal), root)
  }

  /** As much is known of a parent as of its child. */
  #vouch(child: Vouched, ssz: Uint8Array, root: Uint8Array): TrustedHeader {
    const slot = Number(new DataView(ssz.buffer, ssz.byteOffset).getBigUint64(0, true))
    const view = {
      ssz: new Uint8Array(ssz),
      root: new Uint8Array(root),
      slot,
      execution: null,
      parentExecutionBlockHash: null,
    }
    this.#forgetDisowned()
    // A caller may still have a header that was disowned: what leads back from that is for this caller alone.
    const isDisowned = child.era < this.#era
    const known = this.#known.get(slot)
    if (!isDisowned && known?.root === `0x${encodeHex(root)}`) return known
    const header = this.#vouched.vouch(view, child.finalized, child.links, child.era)
    if (!header.finalized || isDisowned) return header
    this.#known.set(slot, header)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
    return header
  }

  #forgetDisowned(): void {
    if (this.#era === this.#vouched.era) return
    this.#era = this.#vouched.era
    this.#known.clear()
  }
}

function wholeHeader(header: Header, name: string): Uint8Array {
  const bytes = headerBytes(header, name)
  if (bytes.length !== 112) throw new TypeError(`${name} must be a whole header, not its root`)
  return bytes
}

/** The module gives a root for each header; were one lacking, nothing could be said of that header. */
function rootAt(roots: readonly Uint8Array[], at: number): Uint8Array {
  const root = roots[at]
  if (root?.length !== 32) throw new BeaconFailure('crashed', 'a header without a root')
  return root
}

type Ssz = ByteArray

/** Some 300 bytes each with their root: as many as a way back can be long where nothing is final for a day, or one call would undo what the one before has come to. */
const MAX_KEPT = MAX_ANCESTORS

/**
 * Headers that were fetched, by their roots, so that slots that are looked up one after the other share the way to them. That bytes have
 * this root is all that is known here; of which chain they are is for their children to say.
 */
export class FetchedHeaders {
  /** The oldest entries go first. */
  readonly #kept = new Map<string, Ssz>()
  readonly #underWay = new Map<string, Promise<Ssz>>()

  /**
   * The header that has this root: kept, or as `fetch` gives it, whose failure is passed on. Who asks while another one fetches
   * waits for that, and fetches where it came to nothing: the other one may have had less time.
   */
  async get(root: string, fetch: () => Promise<Ssz>, signal: PlatformSignal | undefined): Promise<Ssz> {
    for (;;) {
      const kept = this.#kept.get(root)
      if (kept !== undefined) return kept
      const other = this.#underWay.get(root)
      if (other === undefined) break
      await abortable(signal, () => other.then(ignore, ignore))
    }
    const fetching = fetch()
    this.#underWay.set(root, fetching)
    try {
      const ssz = await fetching
      this.#keep(root, ssz)
      return ssz
    } finally {
      this.#underWay.delete(root)
    }
  }

  #keep(root: string, ssz: Ssz): void {
    this.#kept.set(root, ssz)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }
}

function ignore(): void {}
