/** The last station: from what the checks and KZG found to what the caller reads. */
import type { Landing } from './dedup/flight.ts'
import type { Refusal } from '../verdict/verdict.ts'
import { type Links, noLinks, type TransactionVerdict, type Verdict } from '../verdict/verdict.ts'

export function refused(refusal: Refusal, links: Links, sources: readonly string[]): Verdict {
  return { ...refusal, sources, links: { ...links } }
}

/** `first`: whether the delivery started the flight, or joined it. */
export function landed(
  { outcome, via, sources }: Landing,
  first: boolean,
  digest: string,
  links: Links,
): Verdict {
  if (outcome === 'valid') {
    return {
      status: 'valid',
      via: via === 'cache' ? 'cache' : first ? 'kzg' : 'duplicate',
      digest,
      links: { ...links, kzg: 'verified' },
    }
  }
  return outcome.status === 'error' ? { ...outcome, links: { ...links } } : refused(outcome, links, sources)
}

export function unchecked(links: Links): Verdict {
  return { status: 'unchecked', stage: 'kzg', links: { ...links } }
}

export function crashed(): Verdict {
  return { status: 'error', reason: 'worker-crashed', links: { ...noLinks } }
}

/** How much a blob's verdict says against its transaction, most first. */
const GRAVITY: readonly Verdict['status'][] = ['malformed', 'invalid', 'error', 'unchecked', 'valid']

/** A transaction is what the worst of its blobs is. Its links are those that all of its blobs have. */
export function ofTransaction(blobs: readonly Verdict[], digest: string): TransactionVerdict {
  const worst = GRAVITY.map((status) => blobs.find((blob) => blob.status === status)).find(
    (blob) => blob !== undefined,
  )
  const links = Object.fromEntries(
    Object.keys(noLinks).map((name) => {
      const link = name as keyof Links
      const states = new Set(blobs.map((blob) => blob.links[link]))
      return [link, states.size === 1 ? [...states][0] : 'absent']
    }),
  ) as unknown as Links
  if (worst === undefined) return { ...crashed(), blobs }
  if (worst.status !== 'valid') return { ...worst, links, blobs }
  const vias = blobs.flatMap((blob) => (blob.status === 'valid' ? [blob.via] : []))
  const via = vias.includes('kzg') ? 'kzg' : vias.includes('duplicate') ? 'duplicate' : 'cache'
  return { status: 'valid', via, digest, links, blobs }
}
