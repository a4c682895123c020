/** How long endpoints may take that are asked together: until what one of them said is enough, and a little longer. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BeaconEndpoints, type Reply } from '../../dist/beacon/endpoints.js'
import type { BeaconAnswer } from '../../dist/beacon/request.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** What each endpoint says, and after how long. */
type Says = Readonly<Record<string, { readonly text: string; readonly afterMs: number }>>

/** What each was found to say; `enough`: of which text there need be no other. */
async function askAll(says: Says, enough: string): Promise<Record<string, string>> {
  const endpoints = new BeaconEndpoints(
    Object.keys(says).map((name) => new URL(`http://${name}.example`)),
    {
      fetch: async (url) => {
        const { text, afterMs } = says[new URL(url).hostname.split('.')[0]!]!
        await new Promise((resolve) => setTimeout(resolve, afterMs))
        return new Response(text)
      },
      ...{ timeoutMs: 10_000, now: () => 0, random: () => 0 },
    },
  )
  const test = async ({ body }: BeaconAnswer): Promise<string> => new TextDecoder().decode(body)
  const isEnough = (replies: readonly Reply<string>[]): boolean =>
    replies.some((reply) => 'value' in reply && reply.value === enough)
  const replies = endpoints.several({ path: '/eth/', maxBytes: 100 }, test, isEnough)
  await vi.advanceTimersByTimeAsync(30_000)
  return Object.fromEntries(
    (await replies).map((reply) => [
      new URL(reply.endpoint.name).hostname.split('.')[0]!,
      'value' in reply ? reply.value : reply.failure.kind,
    ]),
  )
}

const old = { text: 'old', afterMs: 0 }

describe('endpoints that are asked together', () => {
  it('are waited for in full while what is known is not enough, whether asked at first or with all others', async () => {
    const slow = { text: 'new', afterMs: 9_000 }
    const known = { old1: 'old', old2: 'old', slow: 'new' }
    expect(await askAll({ old1: old, old2: old, slow }, 'new')).toEqual(known)
    const crowd = { old1: old, old2: old, old3: old, old4: old, old5: old, slow }
    const all = { ...known, old3: 'old', old4: 'old', old5: 'old' }
    expect(await askAll(crowd, 'new')).toEqual(all)
  })

  it('have two seconds from when it is', async () => {
    const quick = { text: 'new', afterMs: 1_000 }
    const slow = { text: 'new', afterMs: 2_900 }
    const slower = { text: 'new', afterMs: 3_100 }
    const known = { old: 'old', quick: 'new', slow: 'new', slower: 'timeout' }
    expect(await askAll({ old, quick, slow, slower }, 'new')).toEqual(known)
  })
})
