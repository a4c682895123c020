/** Headers that are waited for while they are on their way. */
import type { HeaderSource } from '../../block-data/options.ts'
import { type KnownHeaders, type KnownResolution, LASTING } from '../../proxy/headers/known-header.ts'
import { sleep } from '../../util/timers.ts'
import { namingHistory } from '../options/light-client.ts'

/** The pause before a header that is not there yet is looked for again, in milliseconds. */
const PAUSE_MS = 200

type Resolve = KnownHeaders['resolve']

/**
 * A light client that has not started yet has no header, and is a slot behind the chain when it has: who asks for blobs once, and not again as a
 * client of the proxy does, waits for both until the call's time is up.
 */
export class PatientHeaders implements HeaderSource {
  readonly #headers: KnownHeaders
  readonly #onWaiting: (what: string) => void
  #waitsFor: string | null = null
  #last: KnownResolution | null = null

  /** `onWaiting` is told what is waited for, in words for people, whenever that changes. */
  constructor(headers: KnownHeaders, onWaiting: (what: string) => void) {
    this.#headers = headers
    this.#onWaiting = onWaiting
  }

  async resolve(...[id, { signal }]: Parameters<Resolve>): Promise<KnownResolution> {
    for (;;) {
      const resolution = namingHistory(await this.#headers.resolve(id, { signal }))
      this.#last = resolution
      const lacks = this.#lacks(id, resolution)
      if (lacks === null) return resolution
      if (lacks !== this.#waitsFor) this.#onWaiting(lacks)
      this.#waitsFor = lacks
      await sleep(PAUSE_MS, signal)
    }
  }

  /** What kept the header that was asked for last from being known, where that may pass; else null. */
  get trouble(): string | null {
    const last = this.#last
    return last?.status === 'unknown' && LASTING.has(last.reason) ? null : this.#headers.status().trouble
  }

  /** What is waited for; null where the answer stands. */
  #lacks(id: string | number, resolution: KnownResolution): string | null {
    const { trouble, currentSlot, links } = this.#headers.status()
    // The newest header of a light client that has just started is that of the checkpoint. On the endpoints' word, all of them were just asked for it.
    if (resolution.status === 'found')
      return (id === 'head' || id === 'finalized') && links?.header === 'verified' ? trouble : null
    if (resolution.status === 'no-block') return null
    const { reason, detail } = resolution
    // A slot that has not come yet is nothing to wait for. Of a root the endpoints have a header, of a slot that has come.
    const isToCome = typeof id === 'number' && id > currentSlot
    return reason === 'starting' || (reason === 'too-new' && !isToCome) ? detail : null
  }
}
