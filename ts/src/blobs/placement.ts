/** Which beacon block an execution block belongs to, if any of the chain: by its slot, its header, and the hash of the payload in it. */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { fetchBlock } from '../block-data/fetch-block.ts'
import { isVouchedFor, MisuseError, refuseNonHeader, resolveInTime } from '../block-data/header.ts'
import type { SampledHeader } from '../block-data/options.ts'
import { payloadOf } from '../block-data/payload.ts'
import type { ProvenBlock } from '../block-data/proven-block.ts'
import type { PayloadReport } from '../block-data/report.ts'
import type { ExecutionHeader } from '../execution/execution.ts'
import { beaconBlockOfParent, isParentOf, slotOfHeader } from '../execution/relation.ts'
import { provenanceOf } from '../verdict/provenance.ts'
import type { LinkState } from '../verdict/verdict.ts'
import type { Call } from './context.ts'

/** What the caller says of the execution layer: the hash of a block that is of the chain, and its header, where it is at hand. */
export interface TrustedExecution {
  readonly hash: string
  readonly header: ExecutionHeader | null
}

/** Where an execution block is. */
export type Placement =
  | {
      readonly status: 'placed'
      /** The header of its beacon block; null where it is not known, and the execution block is on trust. */
      readonly header: SampledHeader | null
      readonly slot: number
      /** The beacon block, where it was fetched. */
      readonly block: ProvenBlock | null
      /** What became of a payload of Gloas, where that was found out. */
      readonly payload: PayloadReport | null
      readonly link: LinkState
    }
  | { readonly status: 'not-of-the-chain' | 'no-header'; readonly detail: string }

/** The part of the time that is left in which the header must be there, where the caller's word can take its place. */
const SHARE_OF_TIME = 1 / 2

/** Finds out where execution blocks are, each once. */
export class Placements {
  readonly #call: Call
  readonly #trusted: TrustedExecution | null
  readonly #lookUp: (hash: string) => Promise<ExecutionHeader | null>
  readonly #known = new Map<string, Promise<Placement>>()

  /** `lookUp` gives the header of an execution block, by its hash: null where there is none. */
  constructor(
    call: Call,
    trusted: TrustedExecution | null,
    lookUp: (hash: string) => Promise<ExecutionHeader | null>,
  ) {
    this.#call = call
    this.#trusted = trusted
    this.#lookUp = lookUp
  }

  /** Rejects with the signal's reason, and with what the source of headers or the verifier throws. */
  of(execution: ExecutionHeader): Promise<Placement> {
    const placed = this.#known.get(execution.hash) ?? this.#place(execution)
    this.#known.set(execution.hash, placed)
    return placed
  }

  async #place(execution: ExecutionHeader): Promise<Placement> {
    const { parts, signal, until } = this.#call
    const trusted = this.#trusted
    const isItself = trusted?.hash === execution.hash
    const anchored = trusted === null || isItself ? null : await this.#headerOf(trusted)
    const child = anchored !== null && isParentOf(execution, anchored) ? anchored : null
    if (trusted !== null && !isItself && child === null)
      return anchored === null
        ? { status: 'no-header', detail: 'no execution endpoint gave the header of the anchor' }
        : notOfChain('it is neither the block of the anchor nor the one before it')
    const slot = slotOfHeader(execution, parts.network)
    if (slot === null) return notOfChain(`its time, ${execution.timestamp}, is not that of a slot`)

    const left = Math.max(1, this.#call.endsAt - performance.now())
    const ms = trusted === null ? left : left * SHARE_OF_TIME
    const resolution = await resolveInTime(parts, slot, { signal, until, ms })
    signal?.throwIfAborted()
    if (resolution.status === 'no-block') return notOfChain(`there is no beacon block in its slot, ${slot}`)
    if (resolution.status === 'found') {
      refuseNonHeader(resolution.header, parts.network)
      const link = provenanceOf(resolution.header)?.links.header ?? 'trusted'
      return await this.#compare(execution, resolution.header, link, trusted !== null)
    }
    if (trusted === null) return { status: 'no-header', detail: resolution.detail }
    const named = child && beaconBlockOfParent(execution, child, parts.network)
    if (named) {
      // After a payload of Gloas that never came, that is the block of the latter: only where it is the very block does it help.
      const placed = await this.#compare(execution, named, 'trusted', true)
      if (placed.status === 'placed') return placed
    }
    return { status: 'placed', header: null, slot, block: null, payload: null, link: 'trusted' }
  }

  /** The anchor's header, which the caller may have given; null where it cannot be had. */
  async #headerOf({ hash, header }: TrustedExecution): Promise<ExecutionHeader | null> {
    try {
      return header ?? (await this.#lookUp(hash))
    } catch (error) {
      if (error instanceof BeaconUnavailableError) return null
      throw error
    }
  }

  /** Holds the execution block against the beacon block of a header. */
  async #compare(
    execution: ExecutionHeader,
    header: SampledHeader,
    link: LinkState,
    isTrusted: boolean,
  ): Promise<Placement> {
    const { slot } = header
    const weaker: LinkState = isTrusted ? 'trusted' : 'absent'
    const placed = (more: Partial<Placement & { status: 'placed' }>): Placement => ({
      ...{ status: 'placed', header, slot, block: null, payload: null, link },
      ...more,
    })
    const block = await this.#fetch(header)
    if (block === null) {
      const told = isVouchedFor(header) ? (header.execution?.blockHash ?? null) : null
      if (told === null) return placed({ link: weaker })
      return told === execution.hash ? placed({}) : notOfChain(another(slot, told))
    }
    if (block.slot !== slot) {
      if (isTrusted && !isVouchedFor(header)) return notOfChain(`the beacon block is of slot ${block.slot}`)
      throw new MisuseError(`a header of slot ${slot}, whose block is of slot ${block.slot}`)
    }
    const { bid, executionBlockHash } = block
    const hash = bid?.blockHash ?? executionBlockHash
    if (hash !== execution.hash) return notOfChain(another(slot, hash ?? 'none'))
    if (bid === null) return placed({ block })
    const { endsAt, parts, shares, signal, until } = this.#call
    const payload = await payloadOf(
      bid,
      { endsAt, header, parts, signal, until },
      shares.forThing('the next block'),
    )
    if (payload.status === 'empty') return notOfChain('its payload was not revealed in time')
    return placed({ block, payload, link: payload.status === 'full' ? link : weaker })
  }

  /** The block of a header; null where no endpoint gave it. */
  async #fetch(header: SampledHeader): Promise<ProvenBlock | null> {
    const { parts, shares, signal, until } = this.#call
    try {
      return await fetchBlock(parts, header, shares.forThing('block'), until)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof BeaconUnavailableError || until.aborted) return null
      throw error
    }
  }
}

const another = (slot: number, hash: string): string =>
  `the beacon block of slot ${slot} has another: ${hash}`

function notOfChain(detail: string): Placement {
  return { status: 'not-of-the-chain', detail }
}
