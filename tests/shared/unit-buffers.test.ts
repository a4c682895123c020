/**
 * The memory that units lie in: they are written side by side, lent with their neighbours and no one else, and their memory is
 * used again only when nobody reads them any more. Otherwise a verdict would be about other bytes than those handed in.
 */
import { createVerifier, type Verifier, type Verdict } from 'blobcheck'
import { afterEach, describe, expect, it } from 'vitest'
import {
  lendBuffers,
  LentUnit,
  separateBuffers,
  restoreBuffers,
} from '../../dist/verifier/batch/lent-buffers.js'
import { UnitWriter } from '../../dist/verifier/checks/unit.js'
import { makeBadBlob, makeBadCell, makeBlob, makeCell, range, seeded } from '../support/make.ts'

describe('a unit writer', () => {
  const core = { refusal: (code: number) => (code === 0 ? null : { reason: `code ${code}` }) }
  const size = 200

  /** A check that writes so many bytes where they fit, and what it was given. */
  const writing = (length: number, value: number) => {
    const offered: number[] = []
    const check = (into: Uint8Array): number => {
      offered.push(into.length)
      if (length <= into.length) into.fill(value, 0, length)
      return 256 * length
    }
    return { offered, check }
  }
  const open = (): { lent: ArrayBuffer; writer: UnitWriter } => {
    const lent = new ArrayBuffer(size)
    return { lent, writer: new UnitWriter(lent) }
  }

  it('writes units one after the other, with space for a hash behind each, and all of them stay as they were written', () => {
    const { lent, writer } = open()
    const units = [30, 1, 73].map((length, at) => writer.write(core as never, writing(length, at + 1).check))
    expect(units.map(({ byteOffset, length }) => [byteOffset, length])).toEqual([
      [0, 30],
      [62, 1],
      [95, 73],
    ])
    for (const { byteOffset, length } of units) new Uint8Array(lent, byteOffset + length, 32).fill(255)
    expect(units.every(({ buffer }) => buffer === lent)).toBe(true)
    expect(units.map((unit) => [...new Set(unit)])).toEqual([[1], [2], [3]])
  })

  it('begins another buffer where one is full, as large as the first or as the unit', () => {
    const { lent, writer } = open()
    const [fits, full, long, after] = [60, 77, 250, 7].map((length, at) => writing(length, at + 1))
    const units = [fits, full, long, after].map((one) => writer.write(core as never, one!.check))
    expect([fits, full, long, after].map((one) => one!.offered)).toEqual([
      [168],
      [76, 168],
      [59, 250],
      [0, 168],
    ])
    expect(units.map(({ buffer }) => buffer.byteLength)).toEqual([200, 200, 282, 200])
    expect(new Set(units.map(({ buffer }) => buffer)).size).toBe(4)
    expect(units[0]!.buffer).toBe(lent)
    expect(units.map((unit) => [unit.length, ...new Set(unit)])).toEqual([
      [60, 1],
      [77, 2],
      [250, 3],
      [7, 4],
    ])
  })

  it('keeps nothing of what is refused', () => {
    const { writer } = open()
    expect(() => writer.write(core as never, (into) => (into.fill(9), 7))).toThrow('code 7')
    const unit = writer.write(core as never, writing(5, 1).check)
    expect([unit.byteOffset, ...new Set(unit)]).toEqual([0, 1])
  })
})

describe('units that are lent', () => {
  type Unit = { bytes: Uint8Array<ArrayBuffer> }
  const again = new Uint8Array([42])
  const lentUnitOf = (bytes: Uint8Array<ArrayBuffer>): { lent: LentUnit; unit: Unit } => {
    const unit = { bytes }
    return { lent: new LentUnit({ unit, remake: () => Promise.resolve(again) } as never), unit }
  }
  /** Units of three bytes side by side, each full of its place from 1. */
  const neighbours = (count: number): { lent: LentUnit; unit: Unit }[] => {
    const buffer = new ArrayBuffer(3 * count)
    return range(count).map((at) => lentUnitOf(new Uint8Array(buffer, 3 * at, 3).fill(at + 1)))
  }
  /** As Comlink posts it: what is given away is gone from here. */
  const post = (units: readonly Uint8Array<ArrayBuffer>[]): ArrayBuffer[] => {
    const transfer = [...new Set(units.map(({ buffer }) => buffer))]
    return [...new Set(structuredClone(units, { transfer }).map(({ buffer }) => buffer))]
  }

  it('share memory within a group alone, and are what they were', () => {
    const all = [...neighbours(4), ...neighbours(2)]
    const lentUnits = all.map(({ lent }) => lent)
    const groups = [lentUnits.slice(0, 3), lentUnits.slice(3, 5), lentUnits.slice(5)]
    separateBuffers(groups)
    const buffers = groups.map((group) => new Set(group.map(({ bytes }) => bytes.buffer)))
    expect(buffers.map((set) => set.size)).toEqual([1, 2, 1])
    expect(new Set(buffers.flatMap((set) => [...set])).size).toBe(4)
    expect(all.map(({ unit }) => [...unit.bytes])).toEqual(
      [1, 2, 3, 4, 1, 2].map((value) => [value, value, value]),
    )
  })

  it('are away until they come home, and nobody can lend them meanwhile', async () => {
    const all = neighbours(3)
    const lentUnits = all.map(({ lent }) => lent)
    const returned = post(lendBuffers(lentUnits))
    expect(lentUnits.map(({ bytes }) => bytes.length)).toEqual([0, 0, 0])
    expect(() => lendBuffers(lentUnits.slice(1))).toThrow('lent twice')
    restoreBuffers(lentUnits, returned)
    expect(all.map(({ unit }) => [...unit.bytes])).toEqual([1, 2, 3].map((value) => [value, value, value]))
    expect(new Set(lentUnits.map(({ bytes }) => bytes.buffer)).size).toBe(1)
  })

  it('are called back into memory of their own, and made anew where they are lost', async () => {
    const all = neighbours(2)
    expect(await all[0]!.lent.recall()).toBe(true)
    expect(all[0]!.unit.bytes.buffer).not.toBe(all[1]!.unit.bytes.buffer)
    post(lendBuffers([all[1]!.lent]))
    expect(await all[1]!.lent.recall()).toBe(true)
    expect(all.map(({ unit }) => [...unit.bytes])).toEqual([[1, 1, 1], [42]])
  })
})

describe('memory is used again only when nobody reads it any more', () => {
  let verifier: Verifier
  afterEach(() => verifier.dispose())

  const blobs = range(24).map((at) =>
    at % 4 === 3 ? { item: makeBadBlob(at + 1), isValid: false } : { item: makeBlob(at + 1), isValid: true },
  )
  const cells = range(24).map((at) =>
    at % 4 === 3
      ? { item: makeBadCell(at + 1, at), isValid: false }
      : { item: makeCell(at + 1, at), isValid: true },
  )

  it.each([0, 1, 2])(
    'with calls that overlap, share data and are aborted, over %i workers',
    { timeout: 60_000 },
    async (workers) => {
      // Without a cache, so that everything is verified every time.
      verifier = await createVerifier({ workers, cache: false })
      const random = seeded(11 + workers)
      const pick = (n: number): number => Math.floor(random() * n)
      const calls: Promise<number>[] = []

      const call = async (): Promise<number> => {
        const [kind, list] = pick(3) === 0 ? (['blobs', blobs] as const) : (['cells', cells] as const)
        const chosen = range(1 + pick(12)).map(() => list[pick(list.length)]!)
        const controller = new AbortController()
        const items = chosen.map(({ item }) => item)
        const { signal } = controller
        const verdicts: Promise<Verdict[]> =
          kind === 'blobs'
            ? verifier.verifyBlobs(items as never, { signal })
            : verifier.verifyCells(items as never, { signal })
        if (pick(4) === 0) setTimeout(() => controller.abort(), pick(8))
        try {
          const found = (await verdicts).map(({ status }) => status)
          expect(found).toEqual(chosen.map(({ isValid }) => (isValid ? 'valid' : 'invalid')))
          return 1
        } catch (error) {
          if (!signal.aborted || (error as Error).name !== 'AbortError') throw error
          return 0
        }
      }
      for (let round = 0; round < 60; round++) {
        calls.push(call())
        if (pick(3) === 0) await new Promise((resolve) => setTimeout(resolve, pick(12)))
      }
      const finished = (await Promise.all(calls)).reduce((sum, one) => sum + one, 0)
      expect(finished).toBeGreaterThan(30)
    },
  )
})
