/**
 * What this session has refused, by digest: the same bytes are as bad the second time, and whoever sends them again must
 * not cost KZG again. In memory and bounded, oldest out; never stored, and never about other bytes than those refused.
 */
import type { Refusal } from '../../verdict/verdict.ts'

interface Remembered {
  readonly refusal: Refusal
  readonly sources: Set<string>
}

/** Refused units, and sources of each: a hundred bytes apiece, so that whoever fills both fills some 25 MB. */
const CAPACITY = 1_024
const MAX_SOURCES = 256

/** The refused units of this session. */
export class Refusals {
  /** In order of insertion, as maps are. */
  readonly #byDigest = new Map<string, Remembered>()

  /** What is remembered of these bytes, with more sources of them added. */
  recall(digest: string, sources: Iterable<string>): Remembered | undefined {
    const remembered = this.#byDigest.get(digest)
    if (remembered !== undefined) add(remembered.sources, sources)
    return remembered
  }

  remember(digest: string, refusal: Refusal, sources: Iterable<string>): void {
    const remembered = { refusal, sources: new Set<string>() }
    add(remembered.sources, sources)
    this.#byDigest.set(digest, remembered)
    if (this.#byDigest.size > CAPACITY) {
      const oldest = this.#byDigest.keys().next()
      if (!oldest.done) this.#byDigest.delete(oldest.value)
    }
  }
}

function add(to: Set<string>, sources: Iterable<string>): void {
  for (const source of sources) if (to.size < MAX_SOURCES) to.add(source)
}
