/** Slots, epochs and periods by the wall clock. */
import { SECONDS_PER_SLOT, SLOTS_PER_EPOCH } from '../beacon/constants.ts'
import type { NetworkConfig } from '../beacon/networks.ts'

/** Clocks of honest nodes may differ by this much (MAXIMUM_GOSSIP_CLOCK_DISPARITY, specs/phase0/p2p-interface.md). */
const DISPARITY_MS = 500

export class Clock {
  readonly slotsPerEpoch: number
  readonly slotsPerPeriod: number
  readonly secondsPerSlot: number
  readonly #genesisTime: number
  readonly #now: () => number

  /** `now`: milliseconds of Unix time. */
  constructor(network: NetworkConfig, now: () => number) {
    this.slotsPerEpoch = network.slotsPerEpoch ?? SLOTS_PER_EPOCH
    this.slotsPerPeriod = this.slotsPerEpoch * (network.epochsPerSyncCommitteePeriod ?? 256)
    this.secondsPerSlot = network.secondsPerSlot ?? SECONDS_PER_SLOT
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
