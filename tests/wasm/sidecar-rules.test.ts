/** The rules of the network at a sidecar's slot: which kinds there are, how many blobs, which indices. */
import { createVerifier, type Verifier } from 'blobcheck'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invented, makeSidecars, slots } from '../support/blocks.ts'
import { toHex } from '../support/bytes.ts'
import { infinity, range } from '../support/make.ts'

const blobs = (count: number): number[] => range(count).map((at) => at + 1)

let verifier: Verifier
beforeAll(async () => {
  verifier = await createVerifier({ network: invented, cache: false })
})
afterAll(async () => await verifier.dispose())

async function said(call: Promise<readonly object[]>): Promise<string[]> {
  return (await call).map((verdict) =>
    Object.entries(verdict)
      .flatMap(([key, value]) => (key === 'status' || key === 'reason' ? [String(value)] : []))
      .join(' '),
  )
}

describe('blob sidecars', () => {
  it.each([
    ['Deneb', slots.deneb, 6],
    ['Electra', slots.electra, 9],
    ['the end of Electra', slots.fulu - 1n, 9],
    ['Fulu', slots.fulu, 9],
    ['the schedule of Fulu', slots.scheduled, 12],
    ['the slot before it', slots.scheduled - 1n, 9],
  ] as const)('of %s have indices below the maximum of their epoch', async (_, slot, most) => {
    const { sidecars } = await makeSidecars(slot, blobs(most + 1))
    const expected = [...range(most).map(() => 'valid'), 'malformed blob-index']
    expect(await said(verifier.verifyBlobSidecars(sidecars))).toEqual(expected)
  })

  it('are unknown from Gloas on, and to the last slot of all', async () => {
    for (const slot of [slots.gloas, 2n ** 64n - 1n]) {
      const { sidecars } = await makeSidecars(slot, [1])
      expect(await said(verifier.verifyBlobSidecars(sidecars))).toEqual(['malformed unsupported-fork'])
    }
  })
})

it.each([
  ['with Gloas', 290],
  ['before Gloas has a date', Infinity],
])('sidecars of a fork that only the config knows are of an unsupported one, %s', async (_, gloas) => {
  const forkEpochs = { ...invented.forkEpochs, gloas, heze: 290 }
  const knowing = await createVerifier({ network: { ...invented, forkEpochs }, cache: false, workers: 0 })
  const last = await makeSidecars(290n * 32n - 1n, [1])
  const first = await makeSidecars(290n * 32n, [1])
  expect(await said(knowing.verifyBlobSidecars([...last.sidecars, ...first.sidecars]))).toEqual([
    'valid',
    'malformed unsupported-fork',
  ])
  expect(await said(knowing.verifyDataColumnSidecars([last.column(3), first.column(3)]))).toEqual([
    'valid',
    'malformed unsupported-fork',
  ])
  await knowing.dispose()
})

describe('data column sidecars', () => {
  const judge = async (slot: bigint, count: number): Promise<string[]> =>
    await said(verifier.verifyDataColumnSidecars([(await makeSidecars(slot, blobs(count))).column(3)]))

  it('are of Fulu, from its first slot to its last', async () => {
    expect(await judge(slots.fulu - 1n, 1)).toEqual(['malformed unsupported-fork'])
    expect(await judge(slots.fulu, 1)).toEqual(['valid'])
    expect(await judge(slots.gloas - 1n, 1)).toEqual(['valid'])
    expect(await judge(slots.gloas, 1)).toEqual(['malformed unsupported-fork'])
  })

  it('have at most as many rows as their epoch allows, and at least one', async () => {
    expect(await judge(slots.fulu, 9)).toEqual(['valid'])
    expect(await judge(slots.fulu, 10)).toEqual(['malformed too-many-blobs'])
    expect(await judge(slots.scheduled - 1n, 10)).toEqual(['malformed too-many-blobs'])
    expect(await judge(slots.scheduled, 12)).toEqual(['valid'])
    expect(await judge(slots.scheduled, 13)).toEqual(['malformed too-many-blobs'])
    expect(await judge(slots.fulu, 0)).toEqual(['malformed column-empty'])
  })

  it('have an index below 128, and as many cells and proofs as commitments', async () => {
    const column = (await makeSidecars(slots.fulu, blobs(3))).column(127)
    const bad = [
      { ...column, index: '128' },
      { ...column, index: '18446744073709551615' },
      { ...column, column: column.column.slice(1) },
      { ...column, kzg_proofs: [...column.kzg_proofs, toHex(infinity)] },
      { ...column, kzg_commitments: column.kzg_commitments.slice(1) },
    ]
    expect(await said(verifier.verifyDataColumnSidecars([column, ...bad]))).toEqual([
      'valid',
      'malformed column-index',
      'malformed column-index',
      'malformed column-lengths',
      'malformed column-lengths',
      'malformed column-lengths',
    ])
  })

  it('are valid or not as a whole, by each of their rows', async () => {
    const column = (await makeSidecars(slots.fulu, blobs(3))).column(5)
    const others = (await makeSidecars(slots.fulu, blobs(4))).column(5)
    const bad = range(3).map((row) => ({ ...column, column: column.column.with(row, others.column[3]!) }))
    expect(await said(verifier.verifyDataColumnSidecars([column, ...bad, column]))).toEqual([
      'valid',
      ...bad.map(() => 'invalid proof-mismatch'),
      'valid',
    ])
  })
})
