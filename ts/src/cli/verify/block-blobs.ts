/** Which of the blobs that a block commits to were there: valid items alone do not say whether one is missing. */
import { createHash } from 'node:crypto'
import { loadBeacon } from '../../beacon/block/beacon.ts'
import type { BlockSource } from '../../beacon/block/source.ts'
import type { NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import type { Verdict } from '../../verdict/verdict.ts'
import type { Contents } from './input.ts'
import { blobIn } from './recognise.ts'

/** Of different blobs: those that are equal have one commitment, and count once. */
export interface BlobsOfBlock {
  readonly verified: number
  readonly committed: number
}

/** Remembers the blobs of files that were held against a block. */
export class BlobsSeen {
  readonly #block: BlockSource
  readonly #network: NetworkName | NetworkConfig
  /** Hashes of valid blobs. */
  readonly #hashes = new Set<string>()
  #isNone = true

  constructor(block: BlockSource, network: NetworkName | NetworkConfig) {
    this.#block = block
    this.#network = network
  }

  /** Columns and transactions are nothing of this, nor are items about which nothing could be found out. */
  add({ kind, items }: Contents, statuses: readonly Verdict['status'][]): void {
    if (kind !== 'blobs' && kind !== 'blob-sidecars') return
    for (const [at, status] of statuses.entries()) {
      if (status !== 'error') this.#isNone = false
      const blob = status === 'valid' ? blobIn(kind, items[at]) : null
      if (blob !== null) this.#hashes.add(createHash('sha256').update(blob).digest('hex'))
    }
  }

  /** How many of the block's blobs they are; null where none was looked at. The block is one that they could be held against. */
  async count(): Promise<BlobsOfBlock | null> {
    if (this.#isNone) return null
    const { commitments } = (await loadBeacon()).readBlock(this.#block, { network: this.#network })
    return { verified: this.#hashes.size, committed: new Set(commitments).size }
  }
}
