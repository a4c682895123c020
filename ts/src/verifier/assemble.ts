/** The last step: verdicts, from what the checks and KZG found. */
import { type Checked, isBare } from './checks/protocol.ts'
import type { SharedOutcome } from './dedup/pending-verifications.ts'
import { inCommon } from '../verdict/links.ts'
import { crashedOutcome, type Links, noLinks } from '../verdict/verdict.ts'
import type { Refusal, TransactionVerdict, Verdict } from '../verdict/verdict.ts'

/** What the checks found of an item that passed them. */
type CheckedUnit = Extract<Checked, { readonly unit: unknown }>

/** The verdict on what was refused; `sources` are all who delivered it, in a list that is frozen, since verdicts of other calls may have it, too. */
export function refused(refusal: Refusal, links: Links, sources: readonly string[]): Verdict {
  return { ...refusal, sources: Object.freeze(sources), links: { ...links } }
}

/**
 * The verdict on an item whose unit was looked up or verified. `isFirst`: whether the item started the verification, or joined it. Where
 * only storage says that the unit is valid, which other scripts of the origin can write to, nothing was computed here: then the link `kzg`
 * is `trusted`.
 */
export function ofOutcome(
  { outcome, origin, sources }: SharedOutcome,
  isFirst: boolean,
  { unit: { digest, kind }, links, linksIfValid = {} }: CheckedUnit,
): Verdict {
  if (outcome === 'valid') {
    const kzg = origin === 'storage' ? 'trusted' : 'verified'
    const computed = isBare(kind) ? 'commitment' : 'kzg'
    return {
      status: 'valid',
      via: origin === 'session' || origin === 'storage' ? 'cache' : isFirst ? computed : 'duplicate',
      digest,
      // That a versioned hash is the blob's is known once its commitment has been computed, and not before.
      links: {
        ...{ ...links, ...linksIfValid, kzg },
        ...(linksIfValid['versioned-hash'] === 'verified' && { 'versioned-hash': kzg }),
        ...(linksIfValid.inclusion === 'verified' && { inclusion: kzg }),
      },
    }
  }
  return outcome.status === 'error' ? { ...outcome, links: { ...links } } : refused(outcome, links, sources)
}

/** The verdict of the mode `cheap` on what passed the checks. */
export function unchecked(links: Links): Verdict {
  return { status: 'unchecked', reason: 'cheap-mode', stage: 'kzg', links: { ...links } }
}

/** The verdict on an item that two workers in a row ended at, of which nothing is known. */
export function crashed(): Verdict {
  return { ...crashedOutcome, links: { ...noLinks } }
}

/** How much a blob's verdict says against its transaction, most first. */
const GRAVITY: readonly Verdict['status'][] = ['malformed', 'invalid', 'error', 'unchecked', 'valid']

/** A transaction is what the worst of its blobs is. Each of its links is as well known as that of the blob of which least is known. */
export function ofTransaction(blobs: readonly Verdict[], digest: string): TransactionVerdict {
  const worst = GRAVITY.map((status) => blobs.find((blob) => blob.status === status)).find(
    (blob) => blob !== undefined,
  )
  const links = inCommon(blobs.map((blob) => blob.links))
  if (worst === undefined) return { ...crashed(), blobs }
  if (worst.status !== 'valid') return { ...worst, links, blobs }
  const vias = blobs.flatMap((blob) => (blob.status === 'valid' ? [blob.via] : []))
  const via = vias.includes('kzg') ? 'kzg' : vias.includes('duplicate') ? 'duplicate' : 'cache'
  return { status: 'valid', via, digest, links, blobs }
}
