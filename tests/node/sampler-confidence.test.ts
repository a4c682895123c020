/** How sure a report is: what several servers add to it, and the sentence that goes with the number. */
import { describe, expect, it } from 'vitest'
import { confidenceOf, serverOf } from '../../dist/sampler/confidence.js'
import { tail, toNumber } from '../../dist/sampler/odds.js'
import { range } from '../support/make.ts'

type Shown = Parameters<typeof confidenceOf>[0]

/** So many deliveries of each of the servers. */
const from = (...deliveries: readonly number[]): string[] =>
  deliveries.flatMap((count, at) => range(count).map(() => `https://${at}.example`))

/** A sample of which everything came, unless something else is said. */
const confidence = (shown: Partial<Shown>) => {
  const { endpoints = [], missing = 0 } = shown
  const samples = endpoints.length + missing
  const terms = { samples, missing, maxError: 2 ** -30, endpoints, contested: [], target: 1 }
  return confidenceOf({ ...terms, kzg: 'verified', ...shown })
}

describe('the error that one lying server leaves', () => {
  it('is none where the others have delivered half of all columns', () => {
    expect(confidence({ endpoints: from(64, 64), maxError: 0 })).toMatchObject({
      ...{ servers: 2, maxErrorIfOneLies: 0, independent: true },
    })
    const less = confidence({ endpoints: from(64, 63), maxError: 0 })
    expect(less.maxErrorIfOneLies).toBeGreaterThan(0)
  })

  it('takes what the server that gave most has delivered for missing, at each size that the sample had', () => {
    expect(confidence({ endpoints: from(8, 9, 7), missing: 1 }).maxErrorIfOneLies).toBe(
      2 * toNumber(tail(25, 10)),
    )
  })

  it('is a probability, however little was delivered', () => {
    expect(confidence({ endpoints: from(1, 1), missing: 1, maxError: 0.9 }).maxErrorIfOneLies).toBe(1)
  })

  it('is never less than that of the sample', () => {
    expect(confidence({ endpoints: from(64, 64), maxError: 0.25 }).maxErrorIfOneLies).toBe(0.25)
  })

  it('is certain where one server gave it all, and where nobody did', () => {
    for (const endpoints of [from(128), ['https://a.example', 'https://a.example#2'], []])
      expect(confidence({ samples: 128, endpoints, maxError: 0 })).toMatchObject({
        ...{ maxErrorIfOneLies: 1, independent: false },
      })
  })

  it('is certain of whole blobs, however many: no column was drawn that a liar could not foresee', () => {
    expect(confidence({ samples: 0, endpoints: from(64, 64), maxError: 0 })).toMatchObject({
      ...{ servers: 2, maxErrorIfOneLies: 1, independent: false },
    })
  })
})

describe('servers are independent', () => {
  const shown = { endpoints: from(9, 9, 9) }
  const { maxErrorIfOneLies } = confidence(shown)

  it('where the error that is left is one that was asked for', () => {
    expect(confidence({ ...shown, target: maxErrorIfOneLies }).independent).toBe(true)
    expect(confidence({ ...shown, target: maxErrorIfOneLies / 2 }).independent).toBe(false)
  })

  it('unless one of them has denied what another one delivered', () => {
    const contested = [7]
    const said = confidence({ ...shown, contested })
    expect(said).toMatchObject({ contested: [7], independent: false })
    contested.push(8)
    expect(said.contested).toEqual([7])
  })

  it('where their origins differ: what follows # tells endpoints of one origin apart', () => {
    const names = ['https://a.example', 'https://a.example#2', 'https://a.example#17', 'https://b.example/#x']
    expect(names.map(serverOf)).toEqual([
      ...['https://a.example', 'https://a.example', 'https://a.example', 'https://b.example/#x'],
    ])
    expect(confidence({ endpoints: names }).servers).toBe(2)
  })
})

describe('a probability in bits', () => {
  it.each([
    [2 ** -30, 30, false],
    [0.5, 1, false],
    [1, 0, false],
    [0, null, true],
  ])('%d: %j, certain: %j', (maxError, bits, certain) => {
    expect(confidence({ endpoints: from(9), maxError })).toMatchObject({ bits, certain })
  })
})

describe('the sentence', () => {
  const drawn =
    /^columns were drawn here, at random, after the block was made; .* before what is published was fixed/
  const one = /One server answered: that this server has them is shown, not that others can get them$/

  it.each<[string, Partial<Shown>, RegExp]>([
    ['nothing', { endpoints: from(9, 9), maxError: 1 }, /^nothing was shown$/],
    ['one server', { endpoints: from(9) }, one],
    [
      'two servers',
      { endpoints: from(9, 9), target: 0 },
      /; none of the 2 servers shows this client what it hides/,
    ],
    [
      'independent ones',
      { endpoints: from(9, 9, 9) },
      /; whichever of the 3 servers shows this client alone/,
    ],
    [
      'one denial',
      { endpoints: from(9, 9), contested: [3] },
      /\. 1 of the columns came from one server, and another/,
    ],
  ])('of a sample says what it rests on: %s', (_, shown, expected) => {
    const { assumption } = confidence(shown)
    expect(assumption).toMatch(expected)
    if (shown.maxError !== 1) expect(assumption).toMatch(drawn)
  })

  it('of data that is here says so, and who is known to have it', () => {
    const sentences = [from(64, 64), from(128), []].map(
      (endpoints) => confidence({ endpoints, maxError: 0 }).assumption,
    )
    const here = 'none: enough of the data to rebuild all of it was here, and verified'
    expect(sentences[0]).toBe(here)
    expect(sentences[1]).toMatch(one)
    expect(sentences[2]).toMatch(/\. No server answered: that others can get it is not shown$/)
    for (const sentence of sentences) expect(sentence.startsWith(here)).toBe(true)
  })

  it.each([0, 2 ** -30])('says what it takes where a cache vouches for some of it: %d', (maxError) => {
    const known = { endpoints: from(64), maxError }
    const { assumption, ...figures } = confidence({ ...known, kzg: 'trusted' })
    expect(assumption).toMatch(
      /^the verifier’s cache is right about the data that it says was verified before; /,
    )
    expect(assumption).not.toContain('none')
    expect(assumption).not.toContain('and verified')
    expect(assumption).toMatch(one)
    expect(confidence(known)).toMatchObject(figures)
  })
})
