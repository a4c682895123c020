/** A chain that is followed on the demo page, where another block takes the place of one: nothing of the former is kept. */
import type { SampleProgress, SlotReport } from 'blobcheck/sampler'
import { afterEach, expect, it, vi } from 'vitest'
import { Answers } from '../../../web-demo/src/follow/answers.ts'
import { followChain } from '../../../web-demo/src/follow/follow.ts'
import type { Stage } from '../../../web-demo/src/instrument/stage.ts'

const rootOf = (digit: number): string => `0x${String(digit).repeat(64)}`

/** The blocks that are told of, in their order: slot and root. */
const blocks = [
  [1, rootOf(1)],
  [2, rootOf(2)],
  [2, rootOf(3)],
  // Once more, as where it is sampled again.
  [2, rootOf(3)],
  [3, rootOf(4)],
] as const

vi.mock('blobcheck', () => ({
  createVerifier: () => Promise.resolve({ workers: 0, dispose: () => Promise.resolve() }),
}))
vi.mock('blobcheck/light-client', () => ({
  LightClient: {
    fromCheckpoint: () =>
      Promise.resolve({
        sync: () => Promise.resolve(),
        report: () => ({}),
        headerAt: () => Promise.resolve(null),
        dispose: () => Promise.resolve(),
      }),
  },
}))
vi.mock('blobcheck/sampler', () => ({
  createSampler: () => ({
    async *follow({ onProgress }: { onProgress(event: SampleProgress): void }) {
      for (const [slot, root] of blocks) {
        onProgress({ kind: 'block', slot, root, blobs: 1 } as SampleProgress)
        yield await Promise.resolve({
          slot,
          lastSlot: slot,
          outcome: 'crashed',
          report: null,
        } as unknown as SlotReport)
      }
    },
  }),
}))

afterEach(() => vi.restoreAllMocks())

it('forgets the answers about a block that was replaced, and those about no other', async () => {
  const forget = vi.spyOn(Answers.prototype, 'forget')
  const none = (): void => {}
  const { signal } = new AbortController()
  const stage: Stage = {
    ...{ signal, subject: none, begin: none, cell: none, row: none, column: none, inspect: none },
    ...{ links: none, workers: none, span: none, conclude: none },
  }
  const followed = followChain({
    ...{
      stage,
      takeAgain: () => stage,
      signal,
      network: 'mainnet',
      beacon: ['https://a.example'],
      checkpoint: rootOf(0),
    },
  })
  await followed.ended
  expect(forget.mock.calls).toEqual([[rootOf(2)]])
})
