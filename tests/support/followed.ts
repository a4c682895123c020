/** Chains that are followed by themselves: heads as a test says them, and what becomes of the source that says them. */
import type { FollowSlotsOptions, SampledHeader, SlotReport } from 'blobcheck/sampler'
import { followSlots } from '../../dist/sampler/follow.js'
import type { Following } from '../../dist/sampler/options.js'
import { errorOf } from './sample-context.ts'
import { chainParts, headerOf, word } from './sampled-chain.ts'

export type Chain = Parameters<typeof chainParts>[0]

export const head = (slot: number, root: number): SampledHeader => headerOf({ slot, root: word(root) })
export const child = (slot: number, root: number, parent: number): SampledHeader =>
  ({ ...head(slot, root), parent_root: word(parent) }) as SampledHeader

/** Follows such heads, after which come the next ones if there are any; two columns are in a sample, or so many. */
export function follow(
  heads: readonly SampledHeader[],
  chain: Chain = {},
  call: FollowSlotsOptions = {},
  next: () => AsyncIterable<SampledHeader> | undefined = () => undefined,
  size = 2,
): {
  readonly following: Following
  readonly lookedUp: readonly number[]
  readonly source: { readonly signal: AbortSignal | undefined; readonly isClosed: boolean }
} {
  const source = { signal: undefined as AbortSignal | undefined, isClosed: false }
  const { parts, lookedUp } = chainParts({
    async *heads({ signal }) {
      source.signal = signal as AbortSignal
      try {
        yield* heads
        yield* next() ?? []
      } finally {
        source.isClosed = true
      }
    },
    ...chain,
  })
  const plan = { sizes: [size], errors: [errorOf(0)], maxError: 0.5 }
  return { following: followSlots(parts, plan, call), lookedUp, source }
}

/** Far more reports than any of these chains has. */
const MANY = 1_000

/** What was reported, in short. */
export async function told(following: AsyncIterable<SlotReport>): Promise<string[]> {
  const reports: string[] = []
  for await (const { slot, lastSlot, outcome, again } of following) {
    const slots = lastSlot > slot ? `${slot}–${lastSlot}` : `${slot}`
    if (reports.push(`${slots} ${outcome}${again ? ' again' : ''}`) > MANY)
      throw new Error('it reports without end')
  }
  return reports
}
