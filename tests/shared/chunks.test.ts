/** How much of a call goes to a worker at a time: little enough, and as many chunks of one size for each worker. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHUNK, shareOf } from '../../dist/verifier/chunks.js'
import { Consignment } from '../../dist/verifier/deliveries.js'
import { Slabs } from '../../dist/verifier/slabs.js'

describe('a share', () => {
  it.each<[string, number, number, number, number]>([
    ['one item', 1, 2, 131_168, 1],
    ['a block of six blobs', 6, 2, 131_168, 3],
    ['a batch of 64 blobs', 64, 2, 131_168, 32],
    ['a batch of 64 blobs with their hashes', 64, 2, 131_200, 32],
    ['64 blob sidecars', 64, 2, 131_928, 32],
    ['a batch of 64 blobs with one worker', 64, 1, 131_168, 32],
    ['what is too much for one chunk each: whole rounds', 80, 2, 131_168, 20],
    ['few cells', 168, 2, 2_144, 84],
    ['many cells', 1_000, 2, 2_144, 125],
    ['items whose memory is taken over', 10, 2, 0, 5],
    ['items of which each is above all limits', 3, 2, 8 << 20, 1],
  ])('%s', (_, length, workers, bytesEach, wanted) => {
    expect(shareOf(length, workers, bytesEach)).toBe(wanted)
  })

  it('is within the limits, and leaves no worker with a chunk more than the others but for what does not divide', () => {
    const count = fc.integer({ min: 1, max: 5_000 })
    const workers = fc.integer({ min: 1, max: 16 })
    fc.assert(
      fc.property(count, workers, fc.integer({ min: 0, max: 300_000 }), (length, threads, bytesEach) => {
        const share = shareOf(length, threads, bytesEach)
        expect(share).toBeGreaterThanOrEqual(1)
        expect(share).toBeLessThanOrEqual(CHUNK.items)
        expect((share - 1) * bytesEach).toBeLessThan(CHUNK.bytes)
        const rounds = Math.ceil(length / share / threads)
        // One item less would not do in as many rounds.
        expect((share - 1) * rounds * threads).toBeLessThan(length)
      }),
    )
  })
})

describe('a consignment', () => {
  it('is read until it is enough, one item at least, and to its end', () => {
    const items = [10, 20, 30, 40].map((length) => ({ blob: new Uint8Array(length) }))
    const consignment = new Consignment('blob', items, false)
    const asked: [number, number][] = []
    const read = (from: number, enough: number): number =>
      consignment.read(
        from,
        (count, bytes) => {
          asked.push([count, bytes])
          return bytes >= enough
        },
        new Slabs(1_000, 1),
      ).deliveries.length
    expect([read(0, 30), read(2, 0), read(2, 1_000)]).toEqual([2, 1, 2])
    expect(asked).toEqual([
      [1, 10],
      [2, 30],
      [1, 30],
      [1, 30],
    ])
  })
})
