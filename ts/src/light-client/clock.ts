/** Slots, epochs and periods by the wall clock, and how old what a light client trusts may be by it. */
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import { StaleCheckpointError } from './errors.ts'

/** Clocks of honest nodes may differ by this much (MAXIMUM_GOSSIP_CLOCK_DISPARITY, specs/phase0/p2p-interface.md). */
const DISPARITY_MS = 500

export class Clock {
  readonly slotsPerEpoch: number
  readonly slotsPerPeriod: number
  readonly secondsPerSlot: number
  /** That of a later fork where the network's config has one without a date of Gloas, which comes before it; `Infinity` where it has neither. */
  readonly gloasEpoch: number
  /** The first epoch of a fork that this version does not know; `Infinity` where the network's config has none. */
  readonly unsupportedForkEpoch: number
  readonly #genesisTime: number
  readonly #now: () => number

  /** `now`: milliseconds of Unix time. */
  constructor(network: VettedNetwork, now: () => number) {
    this.slotsPerEpoch = network.slotsPerEpoch
    this.slotsPerPeriod = this.slotsPerEpoch * network.epochsPerSyncCommitteePeriod
    this.secondsPerSlot = network.secondsPerSlot
    this.gloasEpoch = Math.min(network.forkEpochs.gloas, network.unsupportedForkEpoch)
    this.unsupportedForkEpoch = network.unsupportedForkEpoch
    this.#genesisTime = network.genesisTime
    this.#now = now
  }

  /** The latest slot that has begun by some honest clock; 0 before genesis. */
  get slot(): number {
    const seconds = (this.#now() + DISPARITY_MS) / 1000 - this.#genesisTime
    return Math.max(0, Math.floor(seconds / this.secondsPerSlot))
  }

  /** Milliseconds until a time within a slot, given in thirds of it: 0 where it has passed. */
  msUntil(slot: number, thirds: number): number {
    const at = (this.#genesisTime + (slot + thirds / 3) * this.secondsPerSlot) * 1000
    return Math.max(0, at - this.#now())
  }

  epochOf(slot: number): number {
    return Math.floor(slot / this.slotsPerEpoch)
  }

  periodOf(slot: number): number {
    return Math.floor(slot / this.slotsPerPeriod)
  }
}

/** That the newest header that is known is of long ago, in words for people; null where it is of the last epoch. */
export function lagInWords(slots: number, slotsPerEpoch: number): string | null {
  if (slots <= slotsPerEpoch) return null
  return `the newest header is ${slots} slots behind the clock: the endpoints are behind, or this machine's clock is fast`
}

/**
 * The weak-subjectivity period with 8.4 million ETH staked, in epochs: some 15.7 days (specs/electra/weak-subjectivity.md), and 6 days from
 * Gloas on, where validators may leave faster (EIP-8061, specs/gloas/weak-subjectivity.md). With more at stake it is no shorter.
 */
const WEAK_SUBJECTIVITY_EPOCHS = { electra: 3532, gloas: 1348 }

/** How old what is trusted may be, in epochs: a number of the user's own, or the weak-subjectivity period of the clock's fork. */
export type AgeLimit = number | 'weak-subjectivity-period'

/** Whether a block is older than that by the clock. */
export function isStale(slot: number, clock: Clock, limit: AgeLimit): boolean {
  return ageOf(slot, clock) > epochsOf(limit, clock)
}

/** Throws `StaleCheckpointError` where a block is older than that by the clock. */
export function refuseStale(slot: number, clock: Clock, limit: AgeLimit): void {
  if (isStale(slot, clock, limit)) throw new StaleCheckpointError(ageOf(slot, clock), epochsOf(limit, clock))
}

/** A checkpoint of before Gloas is held to the shorter period from the fork on: those who leave after it leave faster. */
function epochsOf(limit: AgeLimit, clock: Clock): number {
  if (limit !== 'weak-subjectivity-period') return limit
  return WEAK_SUBJECTIVITY_EPOCHS[clock.epochOf(clock.slot) < clock.gloasEpoch ? 'electra' : 'gloas']
}

/** In epochs. */
function ageOf(slot: number, clock: Clock): number {
  return clock.epochOf(clock.slot) - clock.epochOf(slot)
}
