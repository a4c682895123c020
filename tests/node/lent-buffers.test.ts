/** Units whose memory is lent to workers, by themselves: what is lent, what comes back, and what is left of what does not. */
import { describe, expect, it } from 'vitest'
import {
  lendBuffers,
  LentUnit,
  restoreBuffers,
  separateBuffers,
} from '../../dist/verifier/batch/lent-buffers.js'
import { range } from '../support/make.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A unit of a batch; `again`: its bytes, where they can be had once more. */
function lentUnit(bytes: Bytes, again: Bytes | null = null): LentUnit {
  const unit = { digest: '', kind: 1, bytes }
  return new LentUnit({ unit, isAbandoned: false, remake: async () => again })
}
/** Neighbours in one buffer, of three bytes each, behind something else. */
function neighbours(count: number): LentUnit[] {
  const all = Uint8Array.from(range(3 * count + 5))
  return range(count).map((at) => lentUnit(all.subarray(5 + 3 * at, 8 + 3 * at)))
}
/** Nothing of those that are lent. */
const bytesOf = (units: readonly LentUnit[]): number[][] =>
  units.map(({ bytes }) => (bytes.length === 0 ? [] : [...bytes]))
/** Sends units to somebody who has nothing but their memory to send back. */
const send = (units: readonly LentUnit[]): ArrayBuffer[] => {
  const lent = lendBuffers(units)
  const buffers = [...new Set(lent.map(({ buffer }) => buffer))]
  return structuredClone(buffers, { transfer: buffers })
}

describe('units that are lent', () => {
  it('are not here until their memory is, and then are where they were in it', () => {
    const units = [...neighbours(3), ...neighbours(2)]
    const before = bytesOf(units)
    const returned = send(units)
    expect(returned).toHaveLength(2)
    expect(bytesOf(units)).toEqual(units.map(() => []))
    restoreBuffers(units, returned)
    expect(bytesOf(units)).toEqual(before)
    expect(units.map(({ bytes }) => returned.indexOf(bytes.buffer))).toEqual([0, 0, 0, 1, 1])
  })

  it('cannot be lent twice', () => {
    const units = neighbours(2)
    send(units)
    expect(() => lendBuffers(units)).toThrow('a unit was lent twice')
  })

  it('are left as they are where their memory does not come back, and the others are not', () => {
    const units = [...neighbours(1), ...neighbours(1)]
    const [back] = send(units)
    const { bytes } = units[1]!
    restoreBuffers(units, [back!])
    expect(bytesOf(units)).toEqual([[5, 6, 7], []])
    expect(units[1]!.bytes).toBe(bytes)
  })
})

describe('groups that are lent to several workers', () => {
  it('share no memory: what is in the way of an earlier one is copied, and nothing else', () => {
    const [first, second, third] = neighbours(3)
    const other = neighbours(1)
    const before = bytesOf([first!, second!, third!, ...other])
    const memory = first!.bytes.buffer
    separateBuffers([[first!, second!], [third!, ...other], []])
    expect(bytesOf([first!, second!, third!, ...other])).toEqual(before)
    expect([first!, second!].every(({ bytes }) => bytes.buffer === memory)).toBe(true)
    expect(third!.bytes.buffer).not.toBe(memory)
    expect(third!.bytes.buffer.byteLength).toBe(3)
    expect(other[0]!.bytes.buffer.byteLength).toBe(8)
  })
})

describe('after a crash a unit', () => {
  it('that is here is looked at once more, alone in its memory', async () => {
    for (const length of [1, 2, 60]) {
      const whole = new Uint8Array(length + 9).fill(3)
      const unit = lentUnit(whole.subarray(9))
      expect(await unit.recall()).toBe(true)
      expect([...unit.bytes]).toEqual(range(length).map(() => 3))
      expect(unit.bytes.buffer.byteLength).toBe(length)
    }
  })

  it('that was lost is made once more, where that can be done', async () => {
    const again = Uint8Array.of(1, 2)
    const unit = lentUnit(Uint8Array.of(1, 2), again)
    send([unit])
    expect(await unit.recall()).toBe(true)
    expect(unit.bytes).toBe(again)
  })

  it('that cannot be made is lost, and has memory all the same that nobody can use', async () => {
    const unit = lentUnit(Uint8Array.of(1, 2))
    send([unit])
    expect(await unit.recall()).toBe(false)
    expect(unit.bytes.buffer.byteLength).toBe(0)
  })
})
