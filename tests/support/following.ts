/** A few made blocks in a row, samplers that follow them, and sources of headers that are pulled. */
import type { HeaderSource, SampledHeader, SlotReport } from 'blobcheck/sampler'
import { invented, slots } from './blocks.ts'
import { type ColumnBlock, columnBlock } from './column-oracle.ts'
import { range } from './make.ts'
import { samplerFor } from './samplers.ts'

/** The slot of the first of the blocks. */
export const FIRST = Number(slots.fulu)

/** Six blocks, in the slots from `FIRST` on. */
export function blocksInARow(): Promise<ColumnBlock[]> {
  return Promise.all(range(6).map((at) => columnBlock([3], slots.fulu + BigInt(at), at + 1)))
}

/** A clock by which it is slot `FIRST + at`. */
export const inSlot = (at: number) => (): number => (invented.genesisTime + 12 * (FIRST + at)) * 1000

/** A sampler in the time of what follows the block. */
export const followerFor: typeof samplerFor = (block, beacon, options) =>
  samplerFor(block, beacon, { now: inSlot(2_000), ...options })

/** A chain whose heads come as they are asked for. */
export function chainOf(
  heads: Iterable<SampledHeader>,
  known: readonly SampledHeader[] = [],
): HeaderSource & { pulled: number } {
  const source = {
    pulled: 0,
    resolve: (id: unknown) => {
      const header = known.find(({ slot }) => slot === id)
      return Promise.resolve(
        header ? ({ status: 'found', header } as const) : ({ status: 'no-block' } as const),
      )
    },
    async *headers() {
      for (const head of heads) {
        source.pulled++
        yield await Promise.resolve({ root: head.root, slot: head.slot })
      }
    },
  }
  return source
}

export async function collect(following: AsyncIterable<SlotReport>): Promise<SlotReport[]> {
  const reports: SlotReport[] = []
  for await (const report of following) reports.push(report)
  return reports
}

/** Of all counters but that of slots. */
export const sum = ({ slots: _, ...others }: Record<string, number> | { slots: number }): number =>
  Object.values(others).reduce((total, count) => total + count, 0)
