/**
 * The proposer’s signature of a block of Fulu, which nobody can check on a real chain without the state: here the key of every proposer is known.
 * From Gloas on columns bring no signed header.
 */
import { createVerifier, type Verdict, type Verifier } from 'blobcheck'
import type { Fetch } from 'blobcheck/sampler'
import type { MadeNode } from './messages.ts'

export interface ProposerOptions {
  readonly made: MadeNode
  readonly beacon: string
  readonly fetch: Fetch
  readonly signal: AbortSignal
}

export class Proposer {
  readonly #options: ProposerOptions
  readonly #verifier: Promise<Verifier>

  constructor(options: ProposerOptions) {
    this.#options = options
    this.#verifier = createVerifier({ network: options.made.network, workers: 1, cache: false })
    this.#verifier.catch(() => {}) // whoever asks for a verdict is told
    options.signal.addEventListener('abort', () => {
      this.#verifier.then((verifier) => verifier.dispose()).catch(() => {})
    })
  }

  /** The verdict on one of the columns that were delivered, with the signature of its header. Rejects where the column does not come. */
  async check(root: string, column: number): Promise<Verdict> {
    const { made, beacon, fetch, signal } = this.#options
    const { proposerKey } = made
    const response = await fetch(
      `${beacon}/eth/v1/debug/beacon/data_column_sidecars/${root}?indices=${column}`,
      {
        headers: { accept: 'application/octet-stream' },
        ...{ credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store', redirect: 'error' },
        signal,
      },
    )
    const sidecars = new Uint8Array(await response.arrayBuffer())
    const verifier = await this.#verifier
    const [verdict] = await verifier.verifyDataColumnSidecars(sidecars, { proposerKey, signal })
    if (verdict === undefined) throw new Error('the column did not come')
    return verdict
  }
}
