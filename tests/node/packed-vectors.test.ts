/** The committed vectors are what they were packed from: every file, what it holds, and how many there are. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { digestOf, originals, pack, readOriginals, readPacked, sets } from '../../scripts/pack-vectors.mjs'
import { openPack } from '../vectors/pack.mjs'

/** The files of each folder at the second level, by set: cases for `kzg` and `bls`. */
const COUNTS: Record<string, Record<string, number>> = {
  blocks: {
    'mainnet-deneb': 25,
    'mainnet-electra': 35,
    'mainnet-fulu': 34,
    'mainnet-gloas': 85,
    'minimal-deneb': 37,
    'minimal-electra': 49,
    'minimal-fulu': 48,
    'minimal-gloas': 73,
  },
  bls: {
    deserialization_G1: 13,
    deserialization_G2: 15,
    fast_aggregate_verify: 12,
    hash_to_G2: 4,
    verify: 29,
  },
  kzg: {
    blob_to_kzg_commitment: 8,
    compute_blob_kzg_proof: 10,
    compute_cells: 8,
    compute_cells_and_kzg_proofs: 8,
    compute_challenge: 6,
    compute_kzg_proof: 34,
    compute_verify_cell_kzg_proof_batch_challenge: 7,
    recover_cells_and_kzg_proofs: 12,
    verify_blob_kzg_proof: 19,
    verify_blob_kzg_proof_batch: 16,
    verify_cell_kzg_proof_batch: 21,
    verify_kzg_proof: 79,
  },
  lightclient: { 'mainnet-capella': 4, 'mainnet-deneb': 2, 'mainnet-electra': 6, 'sepolia-fulu': 12 },
  real: { '.': 6, 'txs-4844': 8, 'txs-7594': 2, 'txs-7594-invalid': 2 },
  execution: { '.': 1 },
  spec: { 'mainnet-fulu': 12, 'minimal-electra': 113, 'minimal-fulu': 245 },
  'gloas-light-client': {
    ...{ 'mainnet-deneb': 12, 'mainnet-electra': 24, 'mainnet-gloas': 129 },
    ...{ 'minimal-deneb': 28, 'minimal-electra': 41, 'minimal-fulu': 33, 'minimal-gloas': 270 },
  },
  gloas: {
    ...{ 'mainnet-deneb': 10, 'mainnet-fulu': 28, 'mainnet-gloas': 319 },
    ...{ 'minimal-deneb': 16, 'minimal-fulu': 46, 'minimal-gloas': 327 },
  },
}

type Kind = 'documents' | 'texts' | 'objects'
type Packed = ReturnType<typeof openPack>

const read = { documents: 'value', texts: 'text', objects: 'bytes' } as const

/** What a packed file holds, whichever kind it is of. */
function open(pack: Packed, path: string): { kind: Kind; value: unknown } {
  for (const kind of Object.keys(read) as Kind[]) {
    try {
      return { kind, value: pack[read[kind]](path) }
    } catch {
      // Of another kind.
    }
  }
  throw new Error(`${path} is of no kind`)
}

const sums = (await readFile(new URL('../vectors/SHA256SUMS', import.meta.url), 'utf8')).trim().split('\n')

describe.each(sets)('the vectors of %s', (set) => {
  const packed = readPacked(set)

  it('are as many as were packed', () => {
    const counts: Record<string, number> = {}
    for (const path of packed.paths) {
      const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '.'
      counts[folder] = (counts[folder] ?? 0) + 1
    }
    expect(counts).toEqual(COUNTS[set])
  })

  it('hold what SHA256SUMS says', () => {
    const found = packed.paths.map((path) => {
      const { kind, value } = open(packed, path)
      return `${digestOf(kind, value)}  ${set}/${path}`
    })
    expect(found).toEqual(sums.filter((line) => line.slice(66).startsWith(`${set}/`)).sort(byPath))
  })

  // The originals are too large to be committed. Where they are, nothing may differ from them, and none may be missing.
  if (existsSync(originals))
    it('are the originals', () => {
      const files = readOriginals(originals, set)
      expect(packed.paths).toEqual([...files.keys()].sort())
      for (const [path, { kind, value }] of files) {
        const found = open(packed, path)
        expect(found.kind, path).toBe(kind)
        if (kind === 'objects') expect(Buffer.compare(found.value as Uint8Array, value), path).toBe(0)
        else expect(found.value, path).toEqual(value)
      }
    })
})

const byPath = (a: string, b: string): number => (a.slice(66) < b.slice(66) ? -1 : 1)

describe('packing', () => {
  const blob = (seed: number): Buffer =>
    Buffer.from(Uint8Array.from({ length: 4096 }, (_, at) => (at * at * (seed + 1) + (at >> 3) * 7) % 251))
  const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

  it('stores each byte string once, and gives back what it was given', () => {
    const [a, b] = [blob(1), blob(2)]
    const cells = Array.from({ length: 16 }, (_, at) => a.subarray(256 * at, 256 * (at + 1)))
    const altered = [...cells.slice(0, 5), b.subarray(0, 256), ...cells.slice(6)]
    const files = new Map<string, { kind: Kind; value: any }>([
      ['case', { kind: 'documents', value: { input: { blob: hex(a), index: 7 }, output: null } }],
      ['cells', { kind: 'documents', value: [cells.map(hex), altered.map(hex), ['0x12', '0x123', true]] }],
      ['object', { kind: 'objects', value: Buffer.concat([Buffer.from('head'), a, Buffer.from('tail')]) }],
      ['text', { kind: 'texts', value: 'a: 1\n' }],
    ])
    const { index, pool } = pack(files, false)
    // The blob, eight bytes around it, and one cell of another.
    expect(pool).toHaveLength(4096 + 8 + 256)
    const opened = openPack(JSON.parse(JSON.stringify(index)), new Uint8Array(pool))
    expect(opened.paths).toEqual([...files.keys()])
    for (const [path, { kind, value }] of files) {
      const found = open(opened, path)
      expect(found.kind).toBe(kind)
      expect(kind === 'objects' ? hex(found.value as Uint8Array) : found.value).toEqual(
        kind === 'objects' ? hex(value) : value,
      )
    }
  })

  it('refuses what a reference could be taken for, and numbers that are not exact', () => {
    const document = (value: unknown) => new Map([['a', { kind: 'documents', value }]])
    expect(() => pack(document(['@0+1']), false)).toThrow('read as a reference')
    expect(() => pack(document({ n: 2 ** 53 }), false)).toThrow('not exact')
  })

  it('finds nothing that is not there', () => {
    const opened = openPack(
      { documents: { 'a/b': '@0+9' }, texts: {}, objects: { c: '@x' } },
      new Uint8Array(8),
    )
    expect(() => opened.value('a/b')).toThrow('the pool ends')
    expect(() => opened.value('toString')).toThrow('no such file')
    expect(() => opened.bytes('c')).toThrow('not a reference')
    expect(() => opened.list('b')).toThrow('no such folder')
    expect(opened.list('a')).toEqual(['b'])
  })
})
