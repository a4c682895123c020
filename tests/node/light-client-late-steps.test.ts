/** A synchronisation that is called off while an answer is under test: what comes of the test then is nobody's any more. */
import { LightClient, type LightClientOptions } from 'blobcheck/light-client'
import { beforeAll, expect, it } from 'vitest'
import { honest, Nodes, Tale } from '../support/light-client-nodes.ts'
import { turns } from '../support/virtual-time.ts'

let tale: Tale
beforeAll(async () => {
  tale = await Tale.make()
})

it.each([0, 1, 2, 4])(
  'does not take the state back, called off %i turns after the answer came',
  async (count) => {
    const nodes = new Nodes(tale, [honest, honest])
    const [silent, behind, down] = [
      { ...honest, delivery: 'stalls' as const },
      { ...honest, behind: 1 },
      { ...honest, delivery: 'down' as const },
    ]
    let sync: 'first' | 'called off' | 'next' = 'first'
    let onNews: (() => void) | null = null
    const fetch: NonNullable<LightClientOptions['fetch']> = async (url, init) => {
      const isFinality = url.includes('finality')
      // The second node has news of the head alone. Then the first one has news of what is final alone, which bring an older head.
      if (sync === 'called off')
        nodes.manners.splice(0, 2, ...(isFinality ? [behind, behind] : [silent, honest]))
      if (sync === 'next') nodes.manners.splice(0, 2, isFinality ? honest : down, down)
      const isNews = sync === 'called off' && url.includes('optimistic') && url.startsWith(nodes.urls[1]!)
      const response = await nodes.fetch(url, init)
      if (isNews) onNews?.()
      return response
    }
    const { network, checkpoint } = tale.chain
    const now = (): number => (network.genesisTime! + tale.moments[nodes.now]!.slot * 12 + 3) * 1000
    nodes.now = 4
    const client = await LightClient.fromCheckpoint({
      ...{ network, checkpoint, fetch, now, beacon: nodes.urls },
      ...{ store: false, allowStale: true, timeoutMs: 2_000 },
    })
    await client.sync()

    sync = 'called off'
    nodes.now = 5
    const leave = new AbortController()
    const came = new Promise<void>((resolve) => (onNews = resolve))
    const calledOff = client.sync({ signal: leave.signal }).catch(() => {})
    await came
    await turns(count)
    leave.abort()
    sync = 'next'
    const seen = [client.optimistic.slot]
    const look = (): void =>
      void (client.optimistic.slot === seen.at(-1) || seen.push(client.optimistic.slot))
    let hasEnded = false
    const next = client.sync().finally(() => (hasEnded = true))
    for (; !hasEnded; await turns(1)) look()
    await Promise.all([calledOff, next])
    look()
    await client.dispose()
    expect(client.finalized.slot).toBe(tale.moments[5]!.finality.finalizedHeader.beacon.slot)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  },
)
