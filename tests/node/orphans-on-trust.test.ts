/** Headers on endpoints' word, of blocks of which they say that these are none of the chain (`canonical`). */
import { type Chain, createBeaconApp } from 'blobcheck/serve'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { BeaconEndpoints } from '../../dist/beacon/endpoints.js'
import { type HeaderOnTrust, headerOnTrust } from '../../dist/beacon/header-on-trust.js'
import { networkFile } from '../support/beacons.ts'
import { blobcheckHere } from '../support/cli.ts'
import { handChain } from '../support/served.ts'

let chain: Chain
beforeAll(async () => {
  chain = await handChain({ slots: 96, blobsPerBlock: 2, secondsPerSlot: 3_600 })
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** What answers as a node of the chain, which says of a block what `canonical` says of its endpoint; undefined: nothing. */
function answering(canonical: Record<string, boolean | undefined>): typeof fetch {
  const app = createBeaconApp({ chain })
  return async (input, init) => {
    const { hostname, pathname, search } = new URL(String(input))
    const answer = await app.fetch(new Request(`http://node.invalid${pathname}${search}`, init))
    if (!pathname.includes('/headers/')) return answer
    const said = (await answer.json()) as { data: { canonical?: boolean | undefined } }
    said.data.canonical = canonical[hostname]
    return Response.json(said)
  }
}

const ORPHANED =
  /^no endpoint says that the block is of the chain: http:\/\/a\.test: behind \(by its own word, the block is none of the chain\)/

describe('a header of a block that is none of the chain by the word of who gives it', () => {
  const ask = async (
    canonical: Record<string, boolean | undefined>,
    id: string | number = chain.at(90)!.root,
  ): Promise<HeaderOnTrust> => {
    const urls = Object.keys(canonical).map((name) => new URL(`http://${name}`))
    const endpoints = new BeaconEndpoints(urls, {
      ...{ fetch: answering(canonical) as never, now: () => chain.now(), random: () => 0, timeoutMs: 5_000 },
    })
    return await headerOnTrust(
      endpoints,
      id,
      { currentSlot: chain.head.slot, network: chain.network },
      undefined,
    )
  }

  it('is another endpoint’s, who says that it is, or says nothing', async () => {
    for (const canonical of [true, undefined])
      expect(await ask({ 'a.test': false, 'b.test': canonical })).toMatchObject({
        ...{ header: { root: chain.at(90)!.root }, orphaned: null },
        standing: { canonical: canonical ?? null },
      })
  })

  it('comes with what they say where they all do, by its root or its slot', async () => {
    const { root, slot } = chain.at(90)!
    for (const id of [root, slot])
      expect(await ask({ 'a.test': false, 'b.test': false }, id)).toMatchObject({
        ...{ header: { root, slot }, standing: { canonical: false } },
        orphaned: expect.stringMatching(ORPHANED) as string,
      })
  })

  it('is of the chain where it is final', async () => {
    expect(await ask({ 'a.test': false }, 'finalized')).toMatchObject({ orphaned: null })
  })
})

describe('a block of which the endpoints say that it is none of the chain', () => {
  it.each(['blobs', 'sample'])('is not known to `%s`, whoever has its data', async (command) => {
    const network = await networkFile(chain)
    const { root } = chain.at(90)!
    const run = async (...names: string[]): Promise<{ code: number | null; out: string }> => {
      const beacon = names.map((name) => `http://${name}`)
      const args = ['--network', network, '--trust-endpoint', '--beacon', ...beacon]
      return await blobcheckHere([command, '--block', root, ...args])
    }
    vi.spyOn(globalThis, 'fetch').mockImplementation(answering({ 'a.test': false, 'b.test': true }))
    const alone = await run('a.test')
    expect(alone.code).toBe(3)
    expect(alone.out).toContain(': unknown: it cannot be told which block that is')
    expect(
      alone.out
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => ORPHANED.test(line)),
    ).toHaveLength(1)
    expect((await run('a.test', 'b.test')).code).toBe(0)
  })
})
