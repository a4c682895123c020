/** Headers of a light client by any name: also those that are further back than it follows by itself. */
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import { headerAskedFor } from '../../beacon/header-answer.ts'
import { routes } from '../../beacon/routes.ts'
import type { BlockId } from '../../block-data/report.ts'
import type { Clock } from '../../light-client/clock.ts'
import type { LightClient } from '../../light-client/light-client.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { Ancestry } from './ancestry.ts'
import type { KnownResolution } from './known-header.ts'

/** Roots whose slots are remembered. */
const MAX_ROOTS = 65_536

/** Options of `ClientHeaders`. */
export interface ClientHeadersOptions {
  /** Where headers of old blocks are fetched from: endpoints, none of them trusted. */
  readonly endpoints: BeaconEndpoints
  readonly clock: Clock
  /** How many slots before the finalized header are followed back, and before the one that the light client began with. */
  readonly history: number
}

/** The headers of one light client, from its newest back. */
export class ClientHeaders {
  readonly #client: LightClient
  readonly #ancestry: Ancestry
  readonly #options: ClientHeadersOptions
  readonly #slots = new BoundedMap<string, number>(MAX_ROOTS)

  constructor(client: LightClient, options: ClientHeadersOptions) {
    this.#client = client
    this.#options = options
    this.#ancestry = new Ancestry(client, options)
    this.noteFinalized()
  }

  /** Takes note of what is final now, so that the way from there need not be walked from a newer header. */
  noteFinalized(): void {
    this.#ancestry.note(this.#client.finalized)
  }

  /** The slot of a block, and how far the way to it has come: the slot of the nearest header at or above it. Null where its slot is not known. */
  wayTo(id: BlockId): { readonly slot: number; readonly reached: number } | null {
    const slot = isSlot(id) ? Number(id) : this.#slots.get(String(id).toLowerCase())
    return slot === undefined ? null : { slot, reached: this.#ancestry.reached(slot) }
  }

  /** How many headers have come so far. */
  get fetched(): number {
    return this.#ancestry.fetched
  }

  /** Ends what is under way. */
  dispose(): void {
    this.#ancestry.dispose()
  }

  /** Which block is meant. Rejects with the signal's reason, but for a deadline's, which is an answer: how far the way back has come. */
  async resolve(id: BlockId, signal: AbortSignal | undefined): Promise<KnownResolution> {
    const resolution = await this.#resolve(id, signal)
    if (resolution.status === 'found') this.#slots.set(resolution.header.root, resolution.header.slot)
    return resolution
  }

  async #resolve(id: BlockId, signal: AbortSignal | undefined): Promise<KnownResolution> {
    const { finalized, optimistic, first } = this.#client
    if (id === 'head') return { status: 'found', header: optimistic }
    if (id === 'finalized') return { status: 'found', header: finalized }
    if (isSlot(id)) return await this.#atSlot(Number(id), signal)
    const root = String(id).toLowerCase()
    const known = [finalized, optimistic, first].find((header) => header.root === root)
    if (known !== undefined) return { status: 'found', header: known }
    // Where that block is, by its own header; that it is of the chain is what its children must show.
    const slot = this.#slots.get(root) ?? this.#ancestry.slotOf(root) ?? (await this.#slotOf(root, signal))
    if (typeof slot !== 'number') return slot
    this.#slots.set(root, slot)
    const resolution = await this.#atSlot(slot, signal)
    if (resolution.status === 'unknown') return resolution
    if (resolution.status === 'found' && resolution.header.root === root) return resolution
    return notOfTheChain(
      `the block ${root} of slot ${slot} is not of the chain that the light client follows`,
    )
  }

  async #atSlot(slot: number, signal: AbortSignal | undefined): Promise<KnownResolution> {
    const newest = Math.max(this.#client.optimistic.slot, this.#client.finalized.slot)
    if (slot > newest)
      return {
        status: 'unknown',
        reason: 'too-new',
        detail: `slot ${slot} is newer than the newest header that the light client knows, of slot ${newest}: it learns of a block from the one after it`,
      }
    try {
      const answer = await this.#ancestry.at(slot, signal)
      if (answer.status === 'found' || answer.status === 'no-block') return answer
      return answer.status === 'too-old'
        ? {
            status: 'unknown',
            reason: 'too-old',
            detail: `slot ${slot} is more than ${this.#options.history} slots before the finalized header`,
          }
        : { status: 'unknown', reason: 'unreachable', detail: answer.detail }
    } catch (error) {
      if (!signal?.aborted) throw error
      const reached = this.#ancestry.reached(slot)
      // The way back may be long. That it is not done yet is an answer, for whoever asks again.
      if (isDeadline(signal.reason))
        return {
          status: 'unknown',
          reason: 'following-back',
          detail: `headers are being followed back to slot ${slot}, and have come to slot ${reached}; ask again`,
        }
      throw error
    }
  }

  /** The slot in the header that has this root; else why there is none: no endpoint has such a header, or not all of them said so. */
  async #slotOf(root: string, signal: AbortSignal | undefined): Promise<number | KnownResolution> {
    const { endpoints, clock } = this.#options
    try {
      const { slot } = await endpoints.first(
        routes.header(root),
        async (answer) => headerAskedFor(answer, root, clock.slot),
        signal,
      )
      return slot
    } catch (error) {
      if (!(error instanceof BeaconUnavailableError)) throw error
      return error.failures.every(({ kind }) => kind === 'not-found')
        ? notOfTheChain('no endpoint knows a block of that root')
        : { status: 'unknown', reason: 'unreachable', detail: error.message }
    }
  }
}

const isSlot = (id: BlockId): boolean => /^\d+$/.test(String(id))

function notOfTheChain(detail: string): KnownResolution {
  return { status: 'unknown', reason: 'not-of-the-chain', detail }
}

const isDeadline = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError'
