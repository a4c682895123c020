/**
 * The proposer's signature under the headers that sidecars bring along, where the caller knows the proposer's key: one
 * look at each header, however many sidecars bring it.
 */
import { startProposerSignatures } from '#verifier-parts'
import { encodeHex } from '../util/hex.ts'
import { has } from '../util/has.ts'
import type { Checked } from './checks/protocol.ts'
import type { ProposerOptions, ProposerSignatures } from '../light-client/proposer.ts'
import { OnDemand } from '../runtime/on-demand.ts'
import type { Refusal } from '../verdict/verdict.ts'

const unsigned: Refusal = { status: 'invalid', stage: 'signature', reason: 'proposer-signature' }

/** What looks at signatures, and is loaded when it is wanted first. */
export class SignatureCheck {
  readonly #signatures: OnDemand<ProposerSignatures>

  constructor(options: ProposerOptions) {
    this.#signatures = new OnDemand(() => startProposerSignatures(options))
  }

  /** What the checks found, with the link `signature` or a refusal; null where nothing could be learnt. */
  async of(checked: readonly (Checked | null)[], proposerKey: Uint8Array): Promise<(Checked | null)[]> {
    const headers = new Map<string, Uint8Array>()
    for (const entry of checked) {
      const header = headerOf(entry)
      if (header !== undefined) headers.set(encodeHex(header), header)
    }
    if (headers.size === 0) return [...checked]
    const answers = await (await this.#signatures.get()).verify(proposerKey, [...headers.values()])
    const isSigned = new Map([...headers.keys()].map((key, at) => [key, answers?.[at]]))
    return checked.map((entry) => {
      const header = headerOf(entry)
      if (entry === null || header === undefined) return entry
      const signed = isSigned.get(encodeHex(header))
      if (signed === undefined) return null
      return signed
        ? { ...entry, links: { ...entry.links, signature: 'verified' } }
        : { links: entry.links, refusal: unsigned }
    })
  }

  dispose(): void {
    this.#signatures.dispose()
  }
}

const headerOf = (entry: Checked | null): Uint8Array | undefined =>
  entry !== null && has(entry, 'unit') ? entry.signedHeader : undefined
