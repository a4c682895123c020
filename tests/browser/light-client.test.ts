/** What a page keeps of a light client in a real IndexedDB. */
import { IndexedDbStorage, LightClient } from 'blobcheck/light-client'
import { describe, expect, it } from 'vitest'
import { capella, now } from '../support/capella.ts'

describe('IndexedDB', () => {
  it('keeps the way from the checkpoint for the next session', async () => {
    const { fetch, checkpoint } = await capella()
    const store = new IndexedDbStorage({ name: `test-${crypto.randomUUID()}` })
    const asked: string[] = []
    const start = async (): Promise<LightClient> =>
      await LightClient.fromCheckpoint({
        ...{ checkpoint, now, store },
        beacon: 'http://recorded.example',
        fetch: async (address, init) => {
          asked.push(address)
          return await fetch(address, init)
        },
      })
    const first = await start()
    await first.sync()
    await first.dispose()
    expect(asked.length).toBeGreaterThan(0)
    asked.length = 0
    const second = await start()
    expect(asked).toEqual([])
    expect(Math.floor(second.finalized.slot / 8192)).toBe(867)
    await second.dispose()
  })
})
