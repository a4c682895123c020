/** The closed unions of `reasons.ts` against what the crates can report, in both modules. */
import { loadKzg } from 'blobcheck/kzg'
import { describe, expect, it } from 'vitest'
import source from '../../ts/src/verdict/reasons.ts?raw'
import { instance as relaxed } from '../../wasm/relaxed_simd.js'
import { instance as simd128 } from '../../wasm/simd128.js'
import { loadRelaxed } from '../support/kernels.ts'

/** The members of an exported union of string literals and of other such unions. */
function union(name: string): Set<string> {
  const text = new RegExp(`^export type ${name} =(.*?)(?=\\n\\n|$(?![\\s\\S]))`, 'ms').exec(source)?.[1]
  if (text === undefined) throw new Error(`reasons.ts has no union ${name}`)
  const members = text.split('|').map((member) => member.trim())
  return new Set(
    members
      .filter((member) => member !== '')
      .flatMap((member) => (member.startsWith("'") ? [member.slice(1, -1)] : [...union(member)])),
  )
}

/** What TypeScript's own checks refuse: types, hex and JSON, which the crates never see. */
const ownMalformed = [
  'not-bytes',
  'bad-hex',
  'not-an-array',
  'not-an-item',
  'versioned-hash-length',
  'commitment-missing',
  'bad-json',
]
/** Anchors that list commitments or hashes are compared in TypeScript, and signatures are the light client's module's. */
const ownInvalid = ['versioned-hash-not-in-anchor', 'commitment-not-in-anchor', 'proposer-signature']

interface Row {
  code: number
  name: string
  stage: string
}

const table = (exports: typeof simd128 | typeof relaxed): Row[] =>
  Array.from(exports.reasonCodes(), (code) => ({
    code,
    name: exports.reasonName(code),
    stage: exports.reasonStage(code),
  }))

const isMalformed = ({ stage }: Row): boolean => stage === 'structure' || stage === 'encoding'
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()

await loadKzg({ kernel: 'simd128' })
const rows = table(simd128)

describe('reasons', () => {
  it('have one code each, a name and a stage that verdicts know', () => {
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length)
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
    for (const { code, name, stage } of rows) {
      expect(code).toBeGreaterThan(0)
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(['structure', 'encoding', 'versioned-hash', 'inclusion', 'anchor', 'kzg']).toContain(stage)
    }
  })

  it('of malformed items are exactly those of the crates and our own', () => {
    const crates = rows.filter(isMalformed).map(({ name }) => name)
    expect(sorted([...crates, ...ownMalformed])).toEqual(sorted(union('MalformedReason')))
    expect(crates.filter((name) => ownMalformed.includes(name))).toEqual([])
  })

  it('of invalid items likewise', () => {
    const crates = rows.filter((row) => !isMalformed(row)).map(({ name }) => name)
    expect(sorted([...crates, ...ownInvalid])).toEqual(sorted(union('InvalidReason')))
    expect(crates.filter((name) => ownInvalid.includes(name))).toEqual([])
  })

  it('of every verdict that is not valid are a part of Reason, and no status shares a reason with another', () => {
    const parts = ['MalformedReason', 'InvalidReason', 'UncheckedReason', 'ErrorReason'].map(union)
    expect(sorted(union('Reason'))).toEqual(sorted(parts.flatMap((part) => [...part])))
    expect(union('Reason').size).toBe(parts.reduce((sum, { size }) => sum + size, 0))
  })

  it('that blobcheck/kzg can throw are those of the KZG crate, and of reading arguments', () => {
    // Codes below 64 are the KZG crate's.
    const kzg = rows.filter((row) => row.code < 64 && isMalformed(row)).map(({ name }) => name)
    expect(sorted([...kzg, 'not-bytes', 'bad-hex', 'not-an-array'])).toEqual(sorted(union('KzgInputCode')))
  })

  it('are the same in both modules', async () => {
    // The fast module's table is readable where the module runs; its source is one with the baseline's.
    if ((await loadRelaxed()) instanceof Error) expect(rows).toEqual(table(simd128))
    else expect(table(relaxed)).toEqual(rows)
  })

  it('are empty words for numbers that are no code', () => {
    const codes = new Set(rows.map(({ code }) => code))
    for (let code = 0; code < 256; code++) {
      expect([simd128.reasonName(code) !== '', simd128.reasonStage(code) !== '']).toEqual([
        codes.has(code),
        codes.has(code),
      ])
    }
  })
})
