/** How well links are known of several verdicts at once. */
import type { Links } from 'blobcheck'
import { expect, it } from 'vitest'
import { inCommon } from '../../dist/verdict/links.js'
import { noLinks } from '../../dist/verdict/verdict.js'

const states = ['absent', 'trusted', 'verified'] as const
const names = Object.keys(noLinks) as (keyof Links)[]

it('each link is as it is in the one of which least is known, whichever that is', () => {
  for (const name of names)
    for (const [at, state] of states.entries())
      for (const other of states.slice(at)) {
        const [little, more] = [state, other].map((known) => ({ ...noLinks, [name]: known }))
        expect(inCommon([little!, more!])).toEqual(little)
        expect(inCommon([more!, little!, more!])).toEqual(little)
      }
})

it('links of one are its own, of none are absent, and what is given stays as it was', () => {
  const one: Links = { ...noLinks, kzg: 'verified', header: 'trusted' }
  expect(inCommon([one])).toEqual(one)
  expect(inCommon([])).toEqual(noLinks)
  expect(inCommon([one, noLinks])).toEqual(noLinks)
  expect(one.kzg).toBe('verified')
})
