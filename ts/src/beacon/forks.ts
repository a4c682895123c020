/** Forks of the consensus layer: their names, their order, and when they begin. Source: the file fork.md of each fork in consensus-specs. */

/** The forks in the order in which they are, each not before the one before it. */
export const FORKS = ['altair', 'bellatrix', 'capella', 'deneb', 'electra', 'fulu', 'gloas'] as const

/** A fork with light clients, by its name in `Eth-Consensus-Version`. */
export type Fork = (typeof FORKS)[number]

/** When a network's forks begin. */
export interface ForkSchedule {
  /** The first epoch of each; `Infinity` for one that is not scheduled. */
  readonly forkEpochs: { readonly [fork in Fork]: number }
  /** The first epoch of a fork that this version does not know; `Infinity` where there is none. */
  readonly unsupportedForkEpoch: number
}
