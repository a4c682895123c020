/**
 * The signatures of proposers, which nobody can check on a real chain without the state: here the key of every proposer is known. Checked are
 * the very answers that the sampler gets. From Gloas on columns bring no signed header, and there is nothing to check.
 */
import { createVerifier, type Verdict, type Verifier } from 'blobcheck'
import type { Fetch } from 'blobcheck/sampler'
import { watched } from '../../follow/watched.ts'
import type { MadeChain } from './simulated-node.ts'

const COLUMNS = /\/data_column_sidecars\/(0x[0-9a-f]{64})/

/** What is known of the signature of a block’s header; `from` is whoever sent a false one. */
export type Signature =
  | { readonly state: 'verified' }
  | { readonly state: 'refused'; readonly reason: string; readonly from: string }

export function forgedBy(from: string): string {
  return `The signature that ${from} sent is not that of the proposer.`
}

/** Blocks whose signatures are kept: more than the ribbon has slots. */
const KEPT = 64

export class Proposer {
  readonly #made: MadeChain
  readonly #signal: AbortSignal
  readonly #verifier: Promise<Verifier>
  /** What was found in each answer with columns of a block; null where it tells nothing. */
  readonly #found = new Map<string, Promise<Signature | null>[]>()

  constructor(made: MadeChain, signal: AbortSignal) {
    this.#made = made
    this.#signal = signal
    this.#verifier = createVerifier({ network: made.network, workers: 1, cache: false })
    this.#verifier.catch(() => {}) // without it nothing is known of signatures, and nothing is said of them
    const dispose = (): void => void this.#verifier.then((verifier) => verifier.dispose()).catch(() => {})
    if (signal.aborted) dispose()
    signal.addEventListener('abort', dispose)
  }

  /** A `fetch` whose answers with columns are looked at as well. */
  watching(fetch: Fetch): Fetch {
    return async (url, init) => {
      const response = await fetch(url, init)
      const root = COLUMNS.exec(url)?.[1]
      if (root === undefined || !response.ok) return response
      return watched(response, (body) => this.#look(root, body, new URL(url).host))
    }
  }

  #look(root: string, body: Uint8Array, from: string): void {
    // What is no list of sidecars, or comes when all is over, tells nothing of the signature.
    const found = this.#check(body, from).catch(() => null)
    const known = this.#found.get(root)
    if (known === undefined) this.#found.set(root, [found])
    else known.push(found)
    const [oldest] = this.#found.keys()
    if (this.#found.size > KEPT && oldest !== undefined) this.#found.delete(oldest)
  }

  /** What is known of the signature of a block: a false one counts, whoever else sent the right one. Null where nothing is known. */
  async of(root: string): Promise<Signature | null> {
    const found = await Promise.all(this.#found.get(root) ?? [])
    return found.find((one) => one?.state === 'refused') ?? found.find((one) => one !== null) ?? null
  }

  async #check(sidecars: Uint8Array, from: string): Promise<Signature | null> {
    const verifier = await this.#verifier
    const verdicts = await verifier.verifyDataColumnSidecars(sidecars, {
      proposerKey: this.#made.proposerKey,
      // The sampler’s own verifier sees to the cells.
      mode: 'cheap',
      signal: this.#signal,
    })
    const refused = verdicts.find(isForged)
    if (refused !== undefined) return { state: 'refused', reason: refused.reason, from }
    return verdicts.some(({ links }) => links.signature === 'verified') ? { state: 'verified' } : null
  }
}

type Forged = Extract<Verdict, { status: 'invalid' }>

function isForged(verdict: Verdict): verdict is Forged {
  return verdict.status === 'invalid' && verdict.stage === 'signature'
}
