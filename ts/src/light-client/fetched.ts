/**
 * Headers that were fetched, by their roots, so that slots that are looked up one after the other share the way to them. That bytes
 * have this root is all that is known here; of which chain they are is for their children to say.
 */
import { abortable } from '../util/signals.ts'

type Ssz = Uint8Array<ArrayBuffer>

/** Some 300 bytes each with their root: as many as a way back can be long, for some heads at a time. */
const MAX_KEPT = 1024

export class FetchedHeaders {
  /** The oldest entries go first. */
  readonly #kept = new Map<string, Ssz>()
  readonly #underWay = new Map<string, Promise<Ssz>>()

  /**
   * The header that has this root: kept, or as `fetch` gives it, whose failure is passed on. Who asks while another one fetches
   * waits for that, and fetches where it came to nothing: the other one may have had less time.
   */
  async get(root: string, fetch: () => Promise<Ssz>, signal: AbortSignal | undefined): Promise<Ssz> {
    for (;;) {
      const kept = this.#kept.get(root)
      if (kept !== undefined) return kept
      const other = this.#underWay.get(root)
      if (other === undefined) break
      await abortable(signal, () => other.then(ignore, ignore), ignore)
    }
    const fetching = fetch()
    this.#underWay.set(root, fetching)
    try {
      const ssz = await fetching
      this.#keep(root, ssz)
      return ssz
    } finally {
      this.#underWay.delete(root)
    }
  }

  #keep(root: string, ssz: Ssz): void {
    this.#kept.set(root, ssz)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }
}

function ignore(): void {}
