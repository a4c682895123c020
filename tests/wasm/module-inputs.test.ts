/**
 * What the verifier's module refuses of its own TypeScript: arguments of a wrong length or number. Each is a mistake that must be
 * thrown, and never a weaker question with the answer yes.
 */
import { describe, expect, it } from 'vitest'
import { networkWords } from '../../dist/beacon/network-words.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { verifierModules, type VerifierModule } from '../support/verifier-modules.ts'
import { makeBlob } from '../support/make.ts'
import { concat } from '../support/bytes.ts'

const modules = await verifierModules()
const seed = new Uint8Array(32).fill(7)
const bytes = (length: number): Uint8Array => new Uint8Array(length)

/** A unit with the hash of its body behind it, as workers are given it. */
function hashedUnit(module: VerifierModule): Uint8Array {
  const { blob, ...made } = makeBlob(3)
  const [commitment, proof] = [made.commitment as Uint8Array, made.proof as Uint8Array]
  const room = bytes(200_000)
  const length = module.blobUnit(commitment, proof, blob, room) / 256
  const unit = room.slice(0, length)
  const body = unit.slice(module.headLength(unit[0]!))
  expect(body.length).toBeGreaterThan(131_072)
  return concat(unit, module.bodyHashes(unit, Uint32Array.of(unit.length)))
}

/** The sums of a group of one true unit, which is tested by whoever collects it. */
function groupSums(module: VerifierModule): Uint8Array {
  const units = new module.Units(1, true)
  units.push(hashedUnit(module))
  const [code, ...sums] = units.collect(seed, 1)
  units.free()
  expect(code).toBe(0)
  return Uint8Array.from(sums)
}

describe.each(modules)('the verifier’s module $name', ({ module }) => {
  it('takes a root of 32 bytes or none for an anchor', () => {
    const network = networkWords(resolveNetwork('mainnet'))
    for (const check of [module.blobSidecar, module.dataColumnSidecar]) {
      const code = check(bytes(5), network, bytes(0), bytes(9))
      expect(check(bytes(5), network, bytes(32), bytes(9))).toBe(code)
      for (const length of [1, 31, 33, 112]) {
        expect(() => check(bytes(5), network, bytes(length), bytes(9))).toThrow(/32 bytes/)
      }
      expect(() => check(bytes(5), network.slice(1, 4), bytes(0), bytes(9))).toThrow(/no network/)
    }
  })

  it('hashes headers, commitments and heads of their own length alone', () => {
    expect(module.headerRoot(bytes(112))).toHaveLength(32)
    expect(module.versionedHash(bytes(48))).toHaveLength(32)
    expect(module.digest(bytes(1), bytes(32))).toHaveLength(32)
    for (const length of [0, 31, 33, 49, 111, 113, 208]) {
      expect(() => module.headerRoot(bytes(length))).toThrow(/112 bytes/)
      expect(() => module.versionedHash(bytes(length))).toThrow(/48 bytes/)
      expect(() => module.digest(bytes(1), bytes(length))).toThrow(/32 bytes/)
    }
    expect(() => module.unitCommitments(bytes(5))).toThrow()
  })

  it('knows three forks', () => {
    for (const fork of [0, 1, 2]) expect(module.transaction(bytes(1), fork, bytes(9))).toBeLessThan(256)
    for (const fork of [3, 4, 255]) {
      expect(() => module.transaction(bytes(1), fork, bytes(9))).toThrow(/no fork/)
    }
  })

  it('drops nothing of a list', () => {
    const sums = groupSums(module)
    const both = concat(sums, sums)
    expect(module.close(both, Uint32Array.of(sums.length, sums.length), 0, 1)).toBe(true)
    for (const lengths of [[sums.length], [], [sums.length, sums.length - 1], [both.length + 1]]) {
      expect(() => module.close(both, Uint32Array.from(lengths), 0, 1)).toThrow(/lengths/)
    }
    expect(() => module.bodyHashes(bytes(9), Uint32Array.of(8))).toThrow(/lengths/)
    expect(() => module.recoverCells(Uint32Array.of(), bytes(9), Uint32Array.of())).toThrow(/lengths/)
  })

  it('closes parts that there are, and groups that say what they are', () => {
    const sums = groupSums(module)
    const lengths = Uint32Array.of(sums.length)
    expect(module.isTested(sums)).toBe(true)
    expect([module.close(sums, lengths, 0, 2), module.close(sums, lengths, 1, 2)]).toEqual([true, true])
    for (const [part, parts] of [
      [0, 0],
      [1, 1],
      [2, 2],
      [2 ** 32 - 1, 2],
    ] as const) {
      expect(module.close(sums, lengths, part, parts)).toBe(false)
    }
    // Sums of points that are still to be tested, which have lost their rows.
    const lost = Uint8Array.from(sums, (byte, at) => (at === 0 ? 2 : byte))
    expect(module.isTested(lost)).toBe(false)
    for (const part of [0, 1]) expect(module.close(lost, lengths, part, 2)).toBe(false)
    expect(module.close(bytes(sums.length), lengths, 0, 1)).toBe(false)
  })

  it('takes a seed of 32 bytes, or none where there is no CSPRNG', () => {
    const units = new module.Units(1, true)
    units.push(hashedUnit(module))
    expect(Array.from(units.verify(seed))).toEqual([0])
    expect(Array.from(units.verify(bytes(0)))).toEqual([0])
    for (const length of [1, 31, 33]) expect(() => units.verify(bytes(length))).toThrow(/seed/)
    for (const length of [0, 31, 33]) expect(() => units.collect(bytes(length), 1)).toThrow(/seed/)
    units.free()
  })
})
