/** What a verifier remembers of what it refused, by itself: whom it names, and that there is an end to it. */
import { expect, it } from 'vitest'
import { Refusals } from '../../dist/verifier/dedup/refusals.js'
import { range } from '../support/make.ts'

const refusal = { status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' } as const
const sourcesOf = (refusals: Refusals, digest: string): string[] | undefined => {
  const remembered = refusals.recall(digest, [])
  return remembered && [...remembered.sources]
}

it('names everyone who delivered the same bytes, whenever', () => {
  const refusals = new Refusals()
  refusals.remember('one', refusal, ['first'])
  refusals.remember('other', refusal, [])
  expect(refusals.recall('one', ['second', 'first'])?.refusal).toBe(refusal)
  refusals.recall('one', ['third'])
  expect(sourcesOf(refusals, 'one')).toEqual(['first', 'second', 'third'])
  expect(sourcesOf(refusals, 'other')).toEqual([])
  expect(refusals.recall('unknown', ['first'])).toBeUndefined()
})

it('names 256 of them at the most, in the order in which they came', () => {
  const refusals = new Refusals()
  const many = range(300).map(String)
  refusals.remember('one', refusal, many.slice(0, 200))
  refusals.recall('one', many)
  expect(sourcesOf(refusals, 'one')).toEqual(many.slice(0, 256))
})

it('remembers the last 1,024, and forgets the oldest', () => {
  const refusals = new Refusals()
  for (const at of range(1_024)) refusals.remember(`${at}`, refusal, [])
  expect(sourcesOf(refusals, '0')).toEqual([])
  refusals.remember('1024', refusal, [])
  expect(range(1_025).filter((at) => sourcesOf(refusals, `${at}`) === undefined)).toEqual([0])
})
