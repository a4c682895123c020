/** One simulated chain with its two nodes, and the state from which it is the same again where its host was ended. */
import {
  type BeaconApp,
  createBeaconApp,
  type Faults,
  type MadeChain,
  makeChain,
  type ProvedBlob,
} from 'blobcheck/serve'
import { toHex } from '../../shared/bytes.ts'
import type { ChainAddress, NodeName } from './address.ts'
import { forging } from './forge.ts'
import { chainOptions, type NodeFaults } from './settings.ts'

/** JSON. */
export interface ChainState {
  readonly faults: NodeFaults
  /** From which slots on payloads are withheld, or revealed again, in ascending order; before the first of them they are revealed. */
  readonly payloads: readonly { readonly from: number; readonly areWithheld: boolean }[]
}

export const noFaults: NodeFaults = { rules: [], forgery: null, payloadsWithheld: false }

/** Slots that are made in some twenty seconds: what is older is not made again. */
const MOST_SLOTS = 10_000

export class ServedChain {
  readonly #chain: MadeChain
  readonly #apps: Readonly<Record<NodeName, BeaconApp>>
  /** What the app reads at each request. */
  readonly #served: Faults
  #state: ChainState

  private constructor(chain: MadeChain, state: ChainState) {
    this.#chain = chain
    this.#state = state
    this.#served = { rules: state.faults.rules }
    this.#apps = {
      node: createBeaconApp({
        chain: forging(chain, () => this.#state.faults.forgery),
        faults: this.#served,
      }),
      honest: createBeaconApp({ chain }),
    }
  }

  /** Null where the chain is of the future, or too old. */
  static async make(
    address: ChainAddress,
    firstBlob: ProvedBlob,
    state: ChainState,
  ): Promise<ServedChain | null> {
    const { genesisTime, secondsPerSlot } = address
    const options = chainOptions(address)
    const now = Math.floor((Date.now() / 1000 - genesisTime) / secondsPerSlot)
    const slots = now - options.firstSlot + 1
    if (slots < options.slots || slots > MOST_SLOTS) return null
    let served: ServedChain | null = null
    const chain = await makeChain({
      // All slots that have begun: so others get a turn between them.
      ...{ ...options, slots, genesisTime, firstBlob },
      // Of a block that was made once the answer is the same whenever it is made again.
      isPayloadWithheld: (slot) => isWithheld(served === null ? state : served.#state, slot),
    })
    served = new ServedChain(chain, state)
    return served
  }

  get state(): ChainState {
    return this.#state
  }

  /** What somebody needs to follow it. */
  get about(): object {
    const { network, checkpoint, proposerKey } = this.#chain
    return { network, checkpoint, proposerKey: toHex(proposerKey) }
  }

  /** From the next answer, and the next block, on. */
  set(faults: NodeFaults): void {
    const { payloads } = this.#state
    const from = this.#chain.head.slot + 1 // which makes all blocks until now, as it was set before
    const areWithheld = faults.payloadsWithheld
    const isNew = areWithheld !== isWithheld(this.#state, from)
    this.#state = { faults, payloads: isNew ? [...payloads, { from, areWithheld }] : payloads }
    this.#served.rules = faults.rules
  }

  async ask(node: NodeName, request: Request): Promise<Response> {
    return await this.#apps[node].fetch(request)
  }
}

function isWithheld({ payloads }: ChainState, slot: number): boolean {
  return payloads.filter(({ from }) => from <= slot).at(-1)?.areWithheld ?? false
}
