/** The sync committees of a made chain, each made when it is wanted first. */
import type { NetworkConfig } from '../../beacon/networks.ts'
import { SyncAggregate, SyncCommittee } from '../ssz/sync-committee.ts'
import { signingRoot } from './domain.ts'
import { emptyAggregate, makeCommittee, signByCommittee } from './signing.ts'

export interface RootedCommittee {
  readonly committee: SyncCommittee
  readonly root: Uint8Array
}

export class Committees {
  readonly size: number
  /** The aggregate in bodies, that nobody took part in: the signatures that count are made when light clients ask for them. */
  readonly nobody: SyncAggregate
  readonly #network: NetworkConfig
  readonly #known = new Map<number, RootedCommittee>()

  constructor(network: NetworkConfig, size: number) {
    this.#network = network
    this.size = size
    this.nobody = emptyAggregate(size)
  }

  of(period: number): RootedCommittee {
    const known = this.#known.get(period)
    if (known !== undefined) return known
    const committee = makeCommittee(this.size, period)
    const made = { committee, root: SyncCommittee(this.size).root(committee) }
    this.#known.set(period, made)
    return made
  }

  /** A whole committee's aggregate over a header's root. */
  sign(period: number, root: Uint8Array): SyncAggregate {
    return signByCommittee(this.size, period, signingRoot(this.#network, 7, root))
  }
}
