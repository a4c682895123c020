/** The blobs that a call wants, which of them are here, and what all that are here rest on. */
import { versionedHash } from '../beacon/hashes.ts'
import { decodeHex, encodeHex } from '../util/hex.ts'
import type { ByteArray } from '../util/platform-types.ts'
import { inCommon } from '../verdict/links.ts'
import type { Links } from '../verdict/verdict.ts'
import type { BlobsVia, VerifiedBlob } from './result.ts'

/** One blob that is wanted: known by its versioned hash, or, until its commitment is known, by its place in the block. */
export interface WantedBlob {
  readonly index: number | null
  /** 0x hex. */
  readonly commitment: string | null
  /** Lower-case 0x hex. */
  readonly versionedHash: string | null
}

/** A blob that was verified, whoever gave it. */
export interface FoundBlob extends WantedBlob {
  readonly blob: ByteArray
  readonly via: BlobsVia
  readonly links: Links
}

/** `kzg_commitment_to_versioned_hash` (specs/deneb/beacon-chain.md) of a commitment in 0x hex. */
export function hashOfCommitment(commitment: string): string {
  return `0x${encodeHex(versionedHash(decodeHex(commitment)!))}`
}

/** All blobs of a block, by its commitments. */
export function allOf(commitments: readonly string[]): WantedBlob[] {
  return commitments.map((commitment, index) => ({
    ...{ index, commitment },
    versionedHash: hashOfCommitment(commitment),
  }))
}

/**
 * Those of these hashes, in their order; of a block with these blobs, where they are known. Of a blob that the block has several times, each hash takes a
 * place of its own, from the place `first` on: there the blobs of a transaction begin.
 */
export function ofHashes(
  hashes: readonly string[],
  all: readonly WantedBlob[] | null,
  first: number = 0,
): WantedBlob[] {
  const left = all === null ? [] : [...all.slice(first), ...all.slice(0, first)]
  return hashes.map((hash) => {
    const isMeant = ({ versionedHash }: WantedBlob): boolean => versionedHash === hash
    const at = left.findIndex(isMeant)
    // Whoever names it more often than the block has it gets it all the same.
    const found = at < 0 ? all?.find(isMeant) : left.splice(at, 1)[0]
    return found ?? { ...{ index: null, commitment: null }, versionedHash: hash }
  })
}

/**
 * Whether a block with so many blobs can have these hashes of a transaction, by those of the block's own that are `known`, each by its place: a block
 * has the blobs of its transactions one after the other, in their order (`is_valid_versioned_hashes`, EIP-4844). `first`: the place of the first of
 * them; null where it is not known.
 */
export function canHave(
  count: number,
  known: ReadonlyMap<number, string>,
  hashes: readonly string[],
  first: number | null,
): boolean {
  const last = count - hashes.length
  const starts = first === null ? Array.from({ length: Math.max(0, last + 1) }, (_, at) => at) : [first]
  return starts.some(
    (start) => start <= last && hashes.every((hash, nth) => (known.get(start + nth) ?? hash) === hash),
  )
}

/** The blobs that a call wants, in the order of its answer. */
export class WantedBlobs {
  readonly #wanted: WantedBlob[]
  readonly #found: (FoundBlob | null)[]
  readonly #onFound: (blobs: WantedBlobs) => void

  /** `onFound` is called as blobs come. */
  constructor(wanted: readonly WantedBlob[], onFound: (blobs: WantedBlobs) => void) {
    this.#wanted = [...wanted]
    this.#found = wanted.map(() => null)
    this.#onFound = onFound
  }

  get count(): number {
    return this.#wanted.length
  }

  get foundCount(): number {
    return this.#found.filter((found) => found !== null).length
  }

  get isComplete(): boolean {
    return this.#found.every((found) => found !== null)
  }

  /** Those that are not here yet; one that is wanted several times is here once. */
  get missing(): WantedBlob[] {
    const seen = new Set<string>()
    return this.#wanted.filter((wanted, at) => {
      const key = wanted.versionedHash ?? `${wanted.index}`
      if (this.#found[at] !== null || seen.has(key)) return false
      seen.add(key)
      return true
    })
  }

  /**
   * Takes a verified blob wherever it is wanted and not here yet: its places in the block, or where no block is known in the answer; none
   * where nobody wants it.
   */
  take(found: FoundBlob): number[] {
    const hash = found.commitment === null ? found.versionedHash : hashOfCommitment(found.commitment)
    const places: number[] = []
    for (const [at, wanted] of this.#wanted.entries()) {
      const isMeant =
        wanted.versionedHash === null ? wanted.index === found.index : wanted.versionedHash === hash
      if (!isMeant || this.#found[at] !== null) continue
      // Where the block has it several times, nobody knows the other places without its list.
      const index = wanted.index ?? (places.length === 0 ? found.index : null)
      // Each place has memory of its own: who gets them may transfer one.
      const blob = places.length === 0 ? found.blob : new Uint8Array(found.blob)
      places.push(index ?? at)
      this.#found[at] = {
        ...found,
        ...{ blob, index },
        commitment: wanted.commitment ?? found.commitment,
        versionedHash: hash,
      }
    }
    if (places.length > 0) this.#onFound(this)
    return places
  }

  /** Those that are here, as they came. */
  get found(): FoundBlob[] {
    return this.#found.filter((found) => found !== null)
  }

  /** Those that are here, in order. */
  get blobs(): VerifiedBlob[] {
    return this.#found.flatMap((found) =>
      found === null
        ? []
        : [
            {
              index: found.index,
              blob: found.blob,
              commitment: found.commitment,
              versionedHash: found.versionedHash ?? '',
            },
          ],
    )
  }

  /** In which forms they came. */
  get via(): BlobsVia[] {
    return [...new Set(this.#found.flatMap((found) => (found === null ? [] : [found.via])))]
  }

  /** What all that are here have in common; null where none is. */
  get links(): Links | null {
    const { found } = this
    return found.length === 0 ? null : inCommon(found.map(({ links }) => links))
  }
}
