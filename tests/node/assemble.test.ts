/** The last step of the verifier, on verdicts that no chain of calls brings about together: each rule of it, by itself. */
import type { Links, Verdict } from 'blobcheck'
import { describe, expect, it } from 'vitest'
import { crashed, ofOutcome, ofTransaction } from '../../dist/verifier/assemble.js'

const absent: Links = {
  kzg: 'absent',
  'versioned-hash': 'absent',
  inclusion: 'absent',
  header: 'absent',
  signature: 'absent',
  'sync-committee': 'absent',
  checkpoint: 'absent',
}
const links: Links = { ...absent, kzg: 'verified', 'versioned-hash': 'verified' }

type Via = Extract<Verdict, { readonly status: 'valid' }>['via']
const valid = (via: Via, more: Partial<Links> = {}): Verdict => ({
  status: 'valid',
  via,
  digest: '00',
  links: { ...links, ...more },
})
const [malformed, invalid, error, unchecked]: readonly Verdict[] = [
  { status: 'malformed', stage: 'encoding', reason: 'proof-encoding', sources: ['a'], links: absent },
  { status: 'invalid', stage: 'kzg', reason: 'proof-mismatch', sources: ['b'], links },
  { status: 'error', reason: 'worker-crashed', links: absent },
  { status: 'unchecked', reason: 'cheap-mode', stage: 'kzg', links },
]

it('of what two workers ended at nothing is known', () => {
  expect(crashed()).toEqual({ status: 'error', reason: 'worker-crashed', links: absent })
  // A transaction has one blob at least, or was refused before.
  expect(ofTransaction([], 'ff')).toEqual({ ...crashed(), blobs: [] })
})

it.each([
  ['kzg', 'verified'],
  ['session', 'verified'],
  ['storage', 'trusted'],
] as const)('what makes a blob its block’s shows like KZG: by %s, it is %s', (origin, expected) => {
  const unit = { digest: '00', kind: 5, bytes: new Uint8Array(4) }
  const inclusion = 'verified'
  const outcome = { outcome: 'valid', origin, sources: [] } as const
  const block = { header: 'verified', inclusion } as const
  expect(ofOutcome(outcome, true, { unit, links: absent, linksIfValid: block }).links).toEqual({
    ...absent,
    ...{ kzg: expected, inclusion: expected, header: 'verified' },
  })
  const named = { 'versioned-hash': 'verified' } as const
  expect(ofOutcome(outcome, true, { unit, links: absent, linksIfValid: named }).links).toEqual({
    ...absent,
    ...{ kzg: expected, 'versioned-hash': expected },
  })
  expect(ofOutcome(outcome, true, { unit, links: { ...absent, inclusion } }).links).toEqual({
    ...absent,
    ...{ kzg: expected, inclusion },
  })
})

describe('a transaction', () => {
  it('is what the worst of its blobs is, wherever that stands', () => {
    const byGravity = [malformed!, invalid!, error!, unchecked!, valid('kzg')]
    byGravity.forEach((worst, at) => {
      const others = byGravity.slice(at + 1)
      for (const blobs of [
        [worst, ...others],
        [...others, worst],
      ]) {
        const { links: _, ...said } = ofTransaction(blobs, '00')
        const { links: __, ...expected } = worst
        expect(said).toEqual({ ...expected, blobs })
      }
    })
  })

  it('has each link as the blob has it of which least is known', () => {
    const trusted = { 'versioned-hash': 'trusted' } as const
    for (const [blobs, expected] of [
      [[valid('kzg')], links],
      [[valid('kzg', trusted), valid('kzg', trusted)], { ...links, ...trusted }],
      [[valid('kzg'), valid('kzg', trusted)], { ...links, ...trusted }],
      [[valid('kzg', trusted), valid('kzg')], { ...links, ...trusted }],
      [[valid('kzg'), malformed!], absent],
      [[valid('kzg'), invalid!], links],
    ] as const)
      expect(ofTransaction(blobs, '00').links).toEqual(expected)
  })

  it('was verified here if one of its blobs was', () => {
    const via = (...vias: Via[]): unknown =>
      ofTransaction(
        vias.map((one) => valid(one)),
        'ff',
      )
    for (const [vias, expected] of [
      [['cache', 'duplicate', 'kzg'], 'kzg'],
      [['kzg', 'cache'], 'kzg'],
      [['cache', 'duplicate'], 'duplicate'],
      [['duplicate', 'duplicate'], 'duplicate'],
      [['cache', 'cache'], 'cache'],
    ] as const)
      expect(via(...vias)).toMatchObject({ status: 'valid', via: expected, digest: 'ff', links })
  })
})
