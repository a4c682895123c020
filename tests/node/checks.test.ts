/** The cheap checks by themselves: what they answer, and what of it a message holds once. */
import { beforeAll, expect, it } from 'vitest'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { networkWords } from '../../dist/beacon/network-words.js'
import { check } from '../../dist/verifier/checks/check.js'
import { isBare, TRANSACTION } from '../../dist/verifier/checks/protocol.js'
import type { Anchor, Checked, CheckRequest, UncheckedItem } from '../../dist/verifier/checks/protocol.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import {
  commitmentOf,
  invented,
  makeParts,
  makeSidecars,
  slots,
  transactionOf,
  versionedHashOf,
} from '../support/blocks.ts'
import { toHex } from '../support/bytes.ts'
import { startCore } from '../support/internals.ts'
import { makeBlob, makeCell } from '../support/make.ts'

let core: Awaited<ReturnType<typeof startCore>>
beforeAll(async () => {
  core = await startCore()
})

/** Items by kind and value, checked in one request. */
async function answers(
  items: readonly (readonly [kind: UncheckedItem['kind'], item: object])[],
  more: Partial<CheckRequest> = {},
  by = core,
): Promise<Checked[]> {
  return await check(by, {
    items: items.map(([kind, item], at) => ({ kind, at, item: item as UncheckedItem['item'] })),
    ...{ count: items.length, buffer: null, taken: [], unitBuffer: new ArrayBuffer(1 << 14) },
    ...{
      anchor: { kind: 'none' },
      network: networkWords(resolveNetwork(invented)),
      fork: 1,
      wantsHeaders: false,
    },
    ...more,
  })
}

const reasonOf = (answer: Checked): string | null => ('refusal' in answer ? answer.refusal.reason : null)
const digits = (c: number): string => toHex(commitmentOf(c)).slice(2)

it('links that are equal are one object, and others are not', async () => {
  const named = { ...makeBlob(1), versionedHash: await versionedHashOf(commitmentOf(1)) }
  const [first, second, third, refused, last] = await answers([
    ['cell', makeCell(1, 1)],
    ['cell', makeCell(2, 2)],
    ['blob', named],
    ['cell', { ...makeCell(3, 3), cellIndex: 128 }],
    ['blob', named],
  ])
  expect(first!.links).toEqual(noLinks)
  expect(second!.links).toBe(first!.links)
  expect(reasonOf(refused!)).toBe('cell-index')
  expect(refused!.links).toBe(first!.links)
  expect(third!.links).toEqual({ ...noLinks, 'versioned-hash': 'verified' })
  expect(last!.links).toBe(third!.links)
})

it('an index of a cell is an integer from 0 to 127, as a number or a bigint', async () => {
  const indices = [
    0,
    127,
    5n,
    127n,
    -1,
    128,
    -1n,
    128n,
    1.5,
    Number.NaN,
    Infinity,
    '5',
    null,
    undefined,
    true,
  ]
  const checked = await answers(indices.map((cellIndex) => ['cell', { ...makeCell(1, 1), cellIndex }]))
  const isRight = (at: number): boolean => at < 4
  expect(checked.map(reasonOf)).toEqual(indices.map((_, at) => (isRight(at) ? null : 'cell-index')))
})

it('blobs and cells must be in the list of an anchor, and need not be all of it', async () => {
  const items = [
    ['cell', makeCell(1, 1)],
    ['cell', makeCell(3, 1)],
    ['blob', makeBlob(2)],
    ['blob', makeBlob(3)],
  ] as const
  const links = { header: 'verified', inclusion: 'verified', 'sync-committee': 'verified' } as const
  const block = { header: new Uint8Array(32), links: { ...noLinks, ...links } }
  const commitments = [digits(1), digits(2)]
  const hashes = await Promise.all(
    [1, 2].map(async (c) => toHex(await versionedHashOf(commitmentOf(c))).slice(2)),
  )
  for (const [anchor, own] of [
    [{ kind: 'commitments', commitments }, noLinks],
    [{ kind: 'commitments', commitments, block }, block.links],
    [
      { kind: 'versioned-hashes', hashes },
      { ...noLinks, 'versioned-hash': 'verified' },
    ],
  ] as [Anchor, object][]) {
    const checked = await answers(items, { anchor })
    const refused =
      anchor.kind === 'commitments' ? 'commitment-not-in-anchor' : 'versioned-hash-not-in-anchor'
    expect(checked.map(reasonOf)).toEqual([null, refused, null, refused])
    expect([checked[0]!.links, checked[2]!.links]).toEqual([own, own])
  }
})

it('what is in a block if it is in its list has its links where KZG finds it there', async () => {
  const links = { ...noLinks, header: 'verified', inclusion: 'verified' } as const
  const block = { header: new Uint8Array(32), links }
  const anchor = { kind: 'commitments', commitments: [digits(1), digits(2)], block } as const
  const { blob } = makeBlob(1)
  // Of three blobs nobody knows which of the two entries each is.
  const [bare] = await answers([['blob', { blob }]], { anchor, count: 3 })
  expect(bare).toMatchObject({ links: noLinks, linksIfValid: links })
  const [known] = await answers([['blob', { blob }]], { anchor, count: 2 })
  expect(known!.links).toEqual(links)
  expect(Object.keys(known!)).toEqual(['links', 'unit'])
})

it('a transaction has an answer for each of its blobs, and one of all of them', async () => {
  const transaction = transactionOf(await makeParts([1, 2], 4844))
  const [single, whole] = await answers([
    ['blob', makeBlob(1)],
    ['transaction', transaction],
  ])
  if (!('blobs' in whole!)) return expect.unreachable()
  expect(whole.digest).toMatch(/^[0-9a-f]{64}$/)
  expect(whole.blobs).toHaveLength(2)
  const digests = [single!, ...whole.blobs].map((one) => 'unit' in one && one.unit.digest)
  expect(digests[1]).toBe(digests[0])
  expect(digests[2]).not.toBe(digests[0])
})

it('a transaction of a fork that is not known is not read by the rules of another', async () => {
  const transaction = transactionOf(await makeParts([1], 7594))
  for (const item of [transaction, toHex(transaction), new Uint8Array(9)]) {
    const [answer] = await answers([['transaction', item as object]], { fork: null })
    expect(answer).toMatchObject({
      refusal: { status: 'malformed', stage: 'structure', reason: 'unsupported-fork' },
    })
  }
})

it('what is no refusal is thrown', async () => {
  const trap = new WebAssembly.RuntimeError('unreachable')
  const trapping = { ...core, refusal: () => expect.unreachable(), exports: { ...core.exports } }
  trapping.exports.cellUnit = () => {
    throw trap
  }
  await expect(answers([['cell', makeCell(1, 1)]], {}, trapping)).rejects.toBe(trap)
})

it('a signed header is sent back where it is wanted, and nowhere else', async () => {
  const { sidecars } = await makeSidecars(slots.deneb, [1])
  for (const wantsHeaders of [false, true]) {
    const [answer] = await answers([['blob-sidecar', sidecars[0]!]], { wantsHeaders })
    expect(Object.keys(answer!)).toEqual(['links', 'unit', ...(wantsHeaders ? ['signedHeader'] : [])])
  }
})

it('a transaction’s digest begins with a kind that is no unit’s', async () => {
  const units = await answers([
    ['blob', makeBlob(1)],
    ['cell', makeCell(1, 1)],
  ])
  const kinds = units.map((answer) => ('unit' in answer ? answer.unit.kind : NaN))
  expect(kinds).toEqual([1, 2])
  expect([...kinds, 3]).not.toContain(TRANSACTION)
  expect(isBare(TRANSACTION)).toBe(false)
})
