/** Which beacon block an execution block belongs to, if any of the chain: by its slot, its header, and the hash of the payload in it. */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { fetchBlock } from '../block-data/fetch-block.ts'
import { isVouchedFor, refuseNonHeader, refuseOtherSlot, resolveInTime } from '../block-data/header.ts'
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

/** What the beacon block of a header has to show, since nothing has shown it yet. */
export interface Claim {
  /** The hash of the execution block that must be its own: 32 bytes as lower-case 0x hex. */
  readonly hash: string
  /** Whether the caller vouches for the execution block. */
  readonly isTrusted: boolean
  /** Whether the header may be that of a later beacon block. In Gloas the header of a child names a later one where payloads in between were not revealed. */
  readonly mayBeLater: boolean
}

/** Whether nothing has shown yet that a beacon block is the one of a claim, and nobody vouches for that either. */
export function isOpen(claim: Claim | null | undefined): boolean {
  return claim?.isTrusted === false
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
      /** Null where the header, or the block, has shown that it is the one; and where there is no header. */
      readonly claim: Claim | null
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
      const claim = { hash: execution.hash, isTrusted: trusted !== null, mayBeLater: false }
      return await this.#compare(resolution.header, link, claim)
    }
    if (trusted === null) return { status: 'no-header', detail: resolution.detail }
    const named = child && beaconBlockOfParent(execution, child, parts.network)
    if (named) {
      // After a payload of Gloas that never came, that is the block of the latter: only where it is the very block does it help.
      const claim = { hash: execution.hash, isTrusted: true, mayBeLater: child.slotNumber !== null }
      const placed = await this.#compare(named, 'trusted', claim)
      if (placed.status === 'placed') return placed
    }
    return { status: 'placed', header: null, slot, block: null, payload: null, claim: null, link: 'trusted' }
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
  async #compare(header: SampledHeader, link: LinkState, claim: Claim): Promise<Placement> {
    const { slot } = header
    const weaker: LinkState = claim.isTrusted ? 'trusted' : 'absent'
    const placed = (more: Partial<Placement & { status: 'placed' }>): Placement => ({
      ...{ status: 'placed', header, slot, block: null, payload: null, claim: null, link },
      ...more,
    })
    const block = await this.#fetch(header)
    if (block === null) {
      const told = isVouchedFor(header) ? (header.execution?.blockHash ?? null) : null
      if (told === null) return placed({ claim, link: weaker })
      return told === claim.hash ? placed({}) : notOfChain(another(slot, told))
    }
    const why = whyAnother(block, header, claim)
    if (why !== null) return notOfChain(why)
    const { bid } = block
    if (bid === null) return placed({ block })
    const { endsAt, parts, shares, signal, until } = this.#call
    const payload = await payloadOf(
      bid,
      { endsAt, header, parts, signal, until },
      shares.forThing('the next block'),
    )
    if (payload.status === 'empty') return notOfChain(NOT_REVEALED)
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

/** Of an execution block whose beacon block is not known, for people. */
export const WITHOUT_HEADER =
  'without the beacon block’s header nothing says which blobs the execution block has'

/** Of an execution block that never became one of the chain. */
export const NOT_REVEALED = 'its payload was not revealed in time'

/**
 * Why the block of a header does not have the execution block of a claim, for people; null where it has. Throws `MisuseError` where the slot
 * of a header is not that of its block, and nobody but the source of headers can be wrong about it.
 */
export function whyAnother(
  { bid, executionBlockHash, slot }: ProvenBlock,
  header: SampledHeader,
  { hash, isTrusted }: Pick<Claim, 'hash' | 'isTrusted'>,
): string | null {
  if (slot !== header.slot && isTrusted && !isVouchedFor(header)) return `the beacon block is of slot ${slot}`
  refuseOtherSlot(header, slot)
  const own = bid?.blockHash ?? executionBlockHash
  return own === hash ? null : another(slot, own ?? 'none')
}

const another = (slot: number, hash: string): string =>
  `the beacon block of slot ${slot} has another: ${hash}`

function notOfChain(detail: string): Placement {
  return { status: 'not-of-the-chain', detail }
}
