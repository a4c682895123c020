/** The execution layer of a made chain: those of its payloads that were revealed. */
import { keccakHex } from '../../execution/keccak.ts'
import type { ChainExecution, ExecutionBlock } from '../chain.ts'
import type { MadeBlock } from './block.ts'
import { CHAIN_ID } from './transactions.ts'

/** What is asked of the chain. */
interface ChainAccess {
  head(): MadeBlock
  /** The newest block that is safe. */
  safe(): MadeBlock
  /** The newest block that is final. */
  finalized(): MadeBlock
}

interface Place {
  readonly block: ExecutionBlock
  readonly index: number
}

export class MadeExecution implements ChainExecution {
  readonly chainId: number = CHAIN_ID
  readonly #chain: ChainAccess
  /** In order: the number of a block is its place. */
  readonly #blocks: ExecutionBlock[] = []
  /** By hash, as far as somebody has asked for one. */
  readonly #byHash = new Map<string, ExecutionBlock>()
  readonly #places = new Map<string, Place>()
  #hashed = 0
  #listed = 0

  constructor(chain: ChainAccess) {
    this.#chain = chain
  }

  /** Takes note of a block’s payload, unless that is never revealed. */
  add({ execution }: MadeBlock): void {
    if (execution !== null) this.#blocks.push(execution)
  }

  get head(): ExecutionBlock {
    return this.#chain.head().latestPayload.block
  }

  get safe(): ExecutionBlock {
    return this.#chain.safe().settledPayload.block
  }

  get finalized(): ExecutionBlock {
    return this.#chain.finalized().settledPayload.block
  }

  byNumber(number: number): ExecutionBlock | null {
    return this.#grown()[number] ?? null
  }

  byHash(hash: string): ExecutionBlock | null {
    for (const block of this.#grown().slice(this.#hashed)) this.#byHash.set(block.hash, block)
    this.#hashed = this.#blocks.length
    return this.#byHash.get(hash) ?? null
  }

  transaction(hash: string): Place | null {
    for (const block of this.#grown().slice(this.#listed))
      block.transactions.forEach((bytes, index) => this.#places.set(keccakHex(bytes), { block, index }))
    this.#listed = this.#blocks.length
    return this.#places.get(hash) ?? null
  }

  /** Up to the head. */
  #grown(): readonly ExecutionBlock[] {
    this.#chain.head()
    return this.#blocks
  }
}
