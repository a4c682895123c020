/**
 * Bad items: each kind is `malformed` with its documented reason, in its place. Nothing throws, nothing that is no item
 * is `valid`, and no neighbour is affected.
 */
import fc from 'fast-check'
import {
  createVerifier,
  fromSource,
  type BlobItem,
  type CellItem,
  type Verdict,
  type Verifier,
} from 'blobcheck'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { badHex, everyForm, notBytes, notIndices, notItems } from '../support/hostile.ts'
import { concat, toHex } from '../support/bytes.ts'
import { readText } from '../support/files.ts'
import { makeBlob, makeCell, range } from '../support/make.ts'

const blob = makeBlob(1) as { blob: Uint8Array; commitment: Uint8Array; proof: Uint8Array }
const cell = makeCell(1, 3) as {
  commitment: Uint8Array
  cellIndex: number
  cell: Uint8Array
  proof: Uint8Array
}
const { data: sidecars } = JSON.parse(await readText('data/holesky_1409759_blob_sidecars.json')) as {
  data: Record<string, unknown>[]
}
const [sidecar] = sidecars
if (sidecar === undefined) throw new Error('the real block has no sidecars')

/** What a verdict says, and of a malformed one why. */
const said = (verdict: Verdict): string =>
  verdict.status === 'malformed' ? `${verdict.status} ${verdict.stage} ${verdict.reason}` : verdict.status

const refusedFor = (reason: string, stage = 'structure'): string => `malformed ${stage} ${reason}`

describe.each([0, 2])('with %i workers', (workers) => {
  let verifier: Verifier
  beforeAll(async () => {
    verifier = await createVerifier({ network: 'holesky', workers, cache: false })
  })
  afterAll(async () => await verifier.dispose())

  const blobs = async (items: readonly unknown[]): Promise<string[]> =>
    (await verifier.verifyBlobs(items as BlobItem[])).map(said)
  const cells = async (items: readonly unknown[]): Promise<string[]> =>
    (await verifier.verifyCells(items as CellItem[])).map(said)
  const blobSidecars = async (items: readonly unknown[]): Promise<string[]> =>
    (await verifier.verifyBlobSidecars(items as object[])).map(said)
  const columns = async (items: readonly unknown[]): Promise<string[]> =>
    (await verifier.verifyDataColumnSidecars(items as object[])).map(said)

  /** Verdicts on variants of a valid item, each between two valid neighbours, which must not notice. */
  async function among(
    verify: (items: readonly unknown[]) => Promise<string[]>,
    good: unknown,
    bad: readonly unknown[],
  ): Promise<string[]> {
    const verdicts = await verify(bad.flatMap((item) => [good, item]).concat([good]))
    expect(verdicts.filter((_, at) => at % 2 === 0)).toEqual(Array(bad.length + 1).fill('valid'))
    return verdicts.filter((_, at) => at % 2 === 1)
  }

  it('empty batches have no verdicts', async () => {
    expect(await verifier.verifyBlobs([])).toEqual([])
    expect(await verifier.verifyCells([])).toEqual([])
    expect(await verifier.verifyBlobSidecars([])).toEqual([])
    expect(await verifier.verifyBlobSidecars({ data: [] })).toEqual([])
    expect(await verifier.verifyBlobSidecars(new Uint8Array(0))).toEqual([])
    expect(await verifier.verifyDataColumnSidecars([])).toEqual([])
    expect(await verifier.verifyDataColumnSidecars(new Uint8Array(0))).toEqual([])
  })

  it('every form of bytes, and hex, makes a valid item', async () => {
    for (const field of ['blob', 'commitment', 'proof'] as const) {
      const items = everyForm(blob[field]).map(([, form]) => ({ ...blob, [field]: form }))
      expect(await blobs([...items, { ...blob, [field]: toHex(blob[field]) }])).toEqual(
        Array(items.length + 1).fill('valid'),
      )
    }
    for (const field of ['cell', 'commitment', 'proof'] as const) {
      const items = everyForm(cell[field]).map(([, form]) => ({ ...cell, [field]: form }))
      expect(await cells([...items, { ...cell, [field]: toHex(cell[field]) }])).toEqual(
        Array(items.length + 1).fill('valid'),
      )
    }
  })

  it('not-bytes: whatever is none, in every field', async () => {
    for (const field of ['blob', 'commitment', 'proof']) {
      // A proof that is undefined is none: the blob is held against its commitment.
      const values = notBytes().filter(([, value]) => field !== 'proof' || value !== undefined)
      const bad = values.map(([, value]) => ({ ...blob, [field]: value }))
      expect(await among(blobs, blob, bad)).toEqual(bad.map(() => refusedFor('not-bytes')))
    }
    for (const field of ['cell', 'commitment', 'proof']) {
      const bad = notBytes().map(([, value]) => ({ ...cell, [field]: value }))
      expect(await among(cells, cell, bad)).toEqual(bad.map(() => refusedFor('not-bytes')))
    }
  })

  it('not-bytes: a field that is missing; and one that throws makes the item none', async () => {
    const throwing = Object.defineProperty({ ...blob }, 'proof', {
      get: () => {
        throw new Error('no proof')
      },
    })
    const { commitment: _, ...without } = blob
    expect(await among(blobs, blob, [without, throwing])).toEqual([
      refusedFor('not-bytes'),
      // Who knows what else it would do: nothing of it is read.
      refusedFor('not-an-item'),
    ])
  })

  it('not-bytes: sidecars in which what has to be bytes is missing, null or of another type', async () => {
    const bad = ['blob', 'kzg_commitment', 'kzg_proof'].flatMap((field) =>
      [undefined, null, 7, []].map((value) => ({ ...sidecar, [field]: value })),
    )
    expect(await among(blobSidecars, sidecar, bad)).toEqual(bad.map(() => refusedFor('not-bytes')))
  })

  it('bad-hex', async () => {
    for (const field of ['blob', 'commitment', 'proof', 'versionedHash']) {
      const bad = badHex.map((text) => ({ ...blob, [field]: text }))
      expect(await among(blobs, blob, bad)).toEqual(bad.map(() => refusedFor('bad-hex')))
    }
    const bad = badHex.map((text) => ({ ...sidecar, kzg_proof: text }))
    expect(await blobSidecars(bad)).toEqual(bad.map(() => refusedFor('bad-hex')))
  })

  it('lengths off by one, and none at all', async () => {
    const wrong = (bytes: Uint8Array): unknown[] => [
      '0x',
      new Uint8Array(0),
      bytes.subarray(1),
      concat(bytes, Uint8Array.of(0)),
      toHex(bytes.subarray(1)),
      `${toHex(bytes)}00`,
    ]
    for (const field of ['blob', 'commitment', 'proof'] as const) {
      const bad = wrong(blob[field]).map((value) => ({ ...blob, [field]: value }))
      expect(await among(blobs, blob, bad)).toEqual(bad.map(() => refusedFor(`${field}-length`)))
    }
    for (const field of ['cell', 'commitment', 'proof'] as const) {
      const bad = wrong(cell[field]).map((value) => ({ ...cell, [field]: value }))
      expect(await among(cells, cell, bad)).toEqual(bad.map(() => refusedFor(`${field}-length`)))
    }
    const bad = wrong(new Uint8Array(32)).map((versionedHash) => ({ ...blob, versionedHash }))
    expect(await among(blobs, blob, bad)).toEqual(bad.map(() => refusedFor('versioned-hash-length')))
  })

  it('cell-index', async () => {
    const bad = notIndices.map((cellIndex) => ({ ...cell, cellIndex }))
    expect(await among(cells, cell, bad)).toEqual(bad.map(() => refusedFor('cell-index')))
  })

  it('encodings: scalars and points', async () => {
    const large = new Uint8Array(blob.blob).fill(0xff, 32, 64)
    const offCurve = new Uint8Array(48).fill(0x80, 0, 1).fill(1, 47)
    const offSubgroup = new Uint8Array(48).fill(0x80, 0, 1)
    const bad = [
      { ...blob, blob: large },
      ...['commitment', 'proof'].flatMap((field) =>
        [new Uint8Array(48), offCurve, offSubgroup].map((point) => ({ ...blob, [field]: point })),
      ),
    ]
    expect(await among(blobs, blob, bad)).toEqual(
      [
        'scalar-not-canonical',
        ...['commitment', 'proof'].flatMap((kind) => [
          `${kind}-encoding`,
          `${kind}-not-on-curve`,
          `${kind}-not-in-subgroup`,
        ]),
      ].map((reason) => refusedFor(reason, 'encoding')),
    )
  })

  it('not-an-item: what is no record; nothing that is none is valid, and nothing throws', async () => {
    for (const verify of [blobs, cells]) {
      const good = verify === blobs ? blob : cell
      const bad = notItems().map(([, value]) => value)
      for (const verdict of await among(verify, good, bad))
        expect(verdict).toMatch(/^malformed structure (not-an-item|not-bytes|commitment-missing)$/)
      const none = [
        undefined,
        null,
        0,
        'blob',
        '',
        true,
        [],
        [blob],
        () => blob,
        Symbol('blob'),
        new Uint8Array(9),
      ]
      expect(await among(verify, good, none)).toEqual(none.map(() => refusedFor('not-an-item')))
    }
  })

  it('sidecars that are none', async () => {
    const bad = notItems().map(([, value]) => value)
    for (const verdict of await among(blobSidecars, sidecar, bad))
      expect(verdict).toMatch(/^malformed structure /)
    for (const verdict of await columns(bad)) expect(verdict).toMatch(/^malformed structure /)
  })

  it('holes are items that are missing', async () => {
    const items: unknown[] = [blob]
    items[3] = blob
    expect(await blobs(items)).toEqual([
      'valid',
      refusedFor('not-an-item'),
      refusedFor('not-an-item'),
      'valid',
    ])
  })

  it('bad-json: sidecars with a field that is missing or of another type', async () => {
    const header = sidecar['signed_block_header'] as { message: Record<string, unknown>; signature: string }
    const branch = sidecar['kzg_commitment_inclusion_proof'] as string[]
    const withMessage = (change: Record<string, unknown>): unknown => ({
      ...sidecar,
      signed_block_header: { ...header, message: { ...header.message, ...change } },
    })
    const notUint64 = [
      '-1',
      '01',
      '1.0',
      '0x1',
      '',
      ' 1',
      '1e3',
      '18446744073709551616',
      -1,
      1.5,
      2 ** 53,
      Number.NaN,
      -1n,
      2n ** 64n,
      null,
      [],
      {},
    ]
    const bad = [
      ...notUint64.flatMap((value) => [
        { ...sidecar, index: value },
        withMessage({ slot: value }),
        withMessage({ proposer_index: value }),
      ]),
      { ...sidecar, signed_block_header: undefined },
      { ...sidecar, signed_block_header: { ...header, message: null } },
      { ...sidecar, signed_block_header: { ...header, signature: `${header.signature}00` } },
      ...['parent_root', 'state_root', 'body_root'].map((field) => withMessage({ [field]: '0x00' })),
      { ...sidecar, kzg_commitment_inclusion_proof: branch.slice(1) },
      { ...sidecar, kzg_commitment_inclusion_proof: [...branch, branch[0]] },
      { ...sidecar, kzg_commitment_inclusion_proof: branch.with(5, '0x00') },
      { ...sidecar, kzg_commitment_inclusion_proof: 'branch' },
    ]
    expect(await among(blobSidecars, sidecar, bad)).toEqual(bad.map(() => refusedFor('bad-json')))
    const lengths = [
      ['blob', 'blob-length'],
      ['kzg_commitment', 'commitment-length'],
      ['kzg_proof', 'proof-length'],
    ] as const
    for (const [field, reason] of lengths) {
      const short = ['0x', `${String(sidecar[field])}00`].map((value) => ({ ...sidecar, [field]: value }))
      expect(await among(blobSidecars, sidecar, short)).toEqual(short.map(() => refusedFor(reason)))
    }
  })

  it('sidecar-length, sidecar-offsets: SSZ that is none', async () => {
    const size = 131_928
    const bad = [0, 1, size - 1, size + 1, 2 * size].map((length) => new Uint8Array(length))
    expect(await blobSidecars(bad)).toEqual(bad.map(() => refusedFor('sidecar-length')))
    expect(await columns([0, 1, 355].map((length) => new Uint8Array(length)))).toEqual(
      Array(3).fill(refusedFor('sidecar-length')),
    )
    expect(await columns([356, 5_000].map((length) => new Uint8Array(length)))).toEqual(
      Array(2).fill(refusedFor('sidecar-offsets')),
    )
    // As a list: what cannot be split is one item.
    expect((await verifier.verifyBlobSidecars(new Uint8Array(size + 1))).map(said)).toEqual([
      refusedFor('sidecar-length'),
    ])
    for (const length of [1, 3, 4, 400, 5_000]) {
      const [verdict, ...more] = await verifier.verifyDataColumnSidecars(new Uint8Array(length).fill(0xff))
      expect(more).toEqual([])
      expect(said(verdict!)).toMatch(/^malformed structure sidecar-(length|offsets)$/)
    }
  })

  it('SSZ is as long as it is, whatever it says of itself', async () => {
    const says = (length: number, said: number): Uint8Array =>
      Object.defineProperty(new Uint8Array(length).fill(0xff), 'length', { value: said })
    expect(await verifier.verifyBlobSidecars(says(2 * 131_928, 0))).toHaveLength(2)
    expect(await verifier.verifyBlobSidecars(says(131_928, 3 * 131_928))).toHaveLength(1)
    for (const said of [0, 4, 2 ** 40])
      expect(await verifier.verifyDataColumnSidecars(says(400, said))).toHaveLength(1)
  })

  it('huge counts: in a record, in a list, and of items', async () => {
    const wide = Object.fromEntries(range(100_000).map((key) => [`key${key}`, key]))
    expect(await blobs([wide])).toEqual([refusedFor('commitment-missing')])
    const long = { ...sidecar, kzg_commitment_inclusion_proof: new Array(2 ** 32 - 1) }
    expect(await blobSidecars([long])).toEqual([refusedFor('bad-json')])
    const column = { index: '0', column: range(5_000).map(() => '0x'), kzg_commitments: [], kzg_proofs: [] }
    expect(await columns([column])).toEqual([refusedFor('bad-json')])
    expect(new Set(await blobs(new Array(20_000)))).toEqual(new Set([refusedFor('not-an-item')]))
  })

  it('a key named __proto__ is a key, and lends an item nothing', async () => {
    const item: unknown = JSON.parse(`{ "__proto__": { "commitment": "${toHex(blob.commitment)}" } }`)
    Object.assign(item as object, { blob: blob.blob, proof: blob.proof })
    expect(await among(blobs, blob, [item])).toEqual([refusedFor('not-bytes')])
  })

  it('an answer that lists nothing is one bad item, as text and parsed', async () => {
    const answers = [{}, { code: 404, message: 'not found' }, null, 5, true, { data: {} }, { data: null }]
    for (const answer of answers) {
      for (const form of [answer, JSON.stringify(answer)] as never[]) {
        expect((await verifier.verifyBlobSidecars(form)).map(said)).toEqual([refusedFor('bad-json')])
        expect((await verifier.verifyDataColumnSidecars(form)).map(said)).toEqual([refusedFor('bad-json')])
      }
    }
  })

  it('a text that lists more than any block has is one bad item', async () => {
    for (const [entries, items] of [
      [4_096, 4_096],
      [4_097, 1],
      [500_000, 1],
    ] as const) {
      const text = JSON.stringify({ data: Array(entries).fill(0) })
      expect(await verifier.verifyBlobSidecars(text)).toHaveLength(items)
    }
  })

  it('an answer names no source, whatever is in it', async () => {
    const source = 'honest'
    const bad = { ...sidecar, kzg_proof: sidecars[1]!['kzg_proof'] }
    const entries = [
      { sidecar, source },
      { sidecar: bad, source },
      { ...bad, source },
      { ...bad, blob: '0x', source },
    ]
    const verdicts = [
      await verifier.verifyBlobSidecars({ data: entries }),
      await verifier.verifyBlobSidecars(JSON.stringify({ data: entries })),
      await verifier.verifyBlobSidecars(JSON.stringify(entries)),
    ]
    for (const answer of verdicts) {
      expect(answer.map(({ status }) => status)).toEqual(['malformed', 'malformed', 'invalid', 'malformed'])
      for (const verdict of answer) expect(verdict).toMatchObject({ sources: [] })
    }
    // Nor does the list of entries by itself, which callers hand over as an array: no record is taken for a name of the caller's.
    const { data } = JSON.parse(JSON.stringify({ data: entries })) as { data: object[] }
    expect((await verifier.verifyBlobSidecars(data)).map(({ status }) => status)).toEqual([
      'malformed',
      'malformed',
      'invalid',
      'malformed',
    ])
    for (const verdict of await verifier.verifyBlobSidecars(data))
      expect(verdict).toMatchObject({ sources: [] })
    // And nobody else comes by the name later.
    expect(await verifier.verifyBlobSidecars([fromSource(bad, 'liar')])).toMatchObject([
      { sources: ['liar'] },
    ])
    expect(() => fromSource(bad, 7 as never)).toThrow(TypeError)
  })

  it('the source of a bad item is named, and nobody else', async () => {
    const verdicts = await verifier.verifyBlobs([
      { ...blob, source: 'honest' },
      { ...blob, proof: '0x', source: 'careless' },
      { ...blob, proof: '0x' },
      { ...blob, proof: '0x', source: 7 as unknown as string },
    ])
    expect(verdicts.map((verdict) => ('sources' in verdict ? verdict.sources : null))).toEqual([
      null,
      ['careless'],
      [],
      [],
    ])
  })

  it('transactions that are none are malformed, each for its reason', async () => {
    const verify = async (bytes: unknown): Promise<string> => {
      const verdict = await verifier.verifyBlobTransaction(bytes as string, { fork: 'cancun' })
      expect(verdict.blobs).toEqual([])
      return said(verdict)
    }
    for (const [, value] of notBytes()) expect(await verify(value)).toBe(refusedFor('not-bytes'))
    for (const text of badHex) expect(await verify(text)).toBe(refusedFor('bad-hex'))
    expect(await verify('0x')).toBe(refusedFor('transaction-type'))
    expect(await verify('0x02c0')).toBe(refusedFor('transaction-type'))
    expect(await verify('0x03')).toBe(refusedFor('rlp', 'encoding'))
    expect(await verify('0x0380')).toBe(refusedFor('transaction-fields'))
    expect(await verify('0x03c0')).toBe(refusedFor('transaction-fields'))
    expect(await verify('0x03c101')).toBe(refusedFor('not-network-form'))
    expect(await verify('0x03ffffffffffffffffff')).toBe(refusedFor('rlp', 'encoding'))
    expect(await verify(new Uint8Array(1 << 20).fill(3))).toBe(refusedFor('rlp', 'encoding'))
  })

  it('whatever is handed in, no call throws, each item has a verdict, and none is valid', async () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withBoxedValues: true,
    })
    const record = (good: object): fc.Arbitrary<object> => {
      const fields = Object.entries(good).map(
        ([name, value]) => [name, fc.oneof(fc.constant(value), anything)] as const,
      )
      return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
    }
    const entries = fc.array(
      fc.oneof(anything, record(sidecar), fc.record({ sidecar: anything, source: anything })),
      { maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(entries, fc.constantFrom(blobs, cells, columns), async (items, verify) => {
        const verdicts = await verify(items)
        expect(verdicts).toHaveLength(items.length)
        for (const verdict of verdicts) expect(verdict).toMatch(/^malformed /)
      }),
      { numRuns: 150 },
    )
    // As a bigint, too: decoders of SSZ give those.
    const isCellIndex = (value: unknown): boolean =>
      range(128).some((index) => index === value || BigInt(index) === value)
    // Among records of a good blob's and cell's fields one may come out good as it was; then it is valid, and right.
    for (const [good, verify] of [
      [blob, blobs],
      [cell, cells],
    ] as const) {
      await fc.assert(
        fc.asyncProperty(record(good), async (item) => {
          const isGood = Object.entries(good).every(([name, value]) => {
            const given = (item as Record<string, unknown>)[name]
            // The cell is a constant polynomial's, and so the same in each column; a blob needs no proof.
            const isSpared = name === 'proof' && good === blob && given === undefined
            return given === value || isSpared || (name === 'cellIndex' && isCellIndex(given))
          })
          const [verdict] = await verify([item])
          expect(verdict === 'valid').toBe(isGood)
          if (!isGood) expect(verdict).toMatch(/^(malformed|invalid)/)
        }),
        { numRuns: 60, examples: [[good], [{ ...good, cellIndex: 0 }], [{ ...good, cellIndex: -0 }]] },
      )
    }
  })
})
