/** The verifier of the embedded block: made before all else, and another one in its place where it failed, is overdue, or is to forget. */
import { createVerifier, IndexedDbCache, type TraceEvent, type Verifier } from 'blobcheck'

export class Supply {
  readonly #onTrace: (span: TraceEvent) => void
  #making: Promise<Verifier>
  #isBroken = false

  constructor(onTrace: (span: TraceEvent) => void) {
    this.#onTrace = onTrace
    this.#making = this.#make()
  }

  /** The present one. */
  get verifier(): Promise<Verifier> {
    return this.#making
  }

  /** It failed or is overdue: the next run needs another one. */
  break(): void {
    this.#isBroken = true
  }

  /** One that was overdue is there after all. */
  mend(): void {
    this.#isBroken = false
  }

  /** Another verifier in the place of a broken one. */
  renew(): void {
    if (!this.#isBroken) return
    this.#isBroken = false
    this.#making.then((verifier) => verifier.dispose()).catch(() => {})
    this.#making = this.#make()
  }

  /** Forgets what this visit and earlier ones verified: a new verifier, and an empty store. */
  forget(): void {
    const former = this.#making
    this.#making = (async () => {
      await former.then((verifier) => verifier.dispose()).catch(() => {})
      const store = new IndexedDbCache()
      await store.clear().catch(() => {}) // where IndexedDB is refused, nothing was stored
      await store.close().catch(() => {})
      return await this.#make()
    })()
  }

  #make(): Promise<Verifier> {
    const making = createVerifier({ network: 'holesky', onTrace: this.#onTrace })
    making.catch(() => {}) // the run that waits for it says so
    return making
  }
}
