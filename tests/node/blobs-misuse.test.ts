/** What is no question to a source of blobs, or makes none. */
import { createVerifier, type Verifier } from 'blobcheck'
import { createBlobSource } from 'blobcheck/blobs'
import { LightClient } from 'blobcheck/light-client'
import { serveBeacon } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { nobody } from '../support/sent-blobs.ts'
import { handChain } from '../support/served.ts'

let verifier: Verifier
let client: LightClient
beforeAll(async () => {
  const chain = await handChain()
  const { checkpoint, network } = chain
  verifier = await createVerifier({ network, workers: 0, cache: false })
  const server = await serveBeacon({ chain })
  client = await LightClient.fromCheckpoint({
    ...{ checkpoint, network, now: () => chain.now(), store: false, beacon: server.url },
  })
  await server.close()
})
afterAll(async () => {
  await client.dispose()
  await verifier.dispose()
})

describe('misuse', () => {
  it.each<[string, object]>([
    ['two things at once', { slot: 1, root: `0x${'00'.repeat(32)}` }],
    ['nothing', {}],
    ['no slot', { slot: -1 }],
    ['a slot in words', { slot: 'genesis' }],
    ['a head with hashes', { slot: 'head', versionedHashes: [`0x${'01'.repeat(32)}`] }],
    ['no root', { root: '0x12' }],
    ['no hashes', { versionedHashes: [] }],
    [
      'hashes that are none, behind an iterator',
      { versionedHashes: Object.assign([7], { [Symbol.iterator]: () => [][Symbol.iterator]() }) },
    ],
    ['a hash that is none', { versionedHashes: ['0x01'] }],
    [
      'hashes of a transaction',
      { transaction: `0x${'00'.repeat(32)}`, versionedHashes: [`0x${'01'.repeat(32)}`] },
    ],
    ['an anchor of a slot', { slot: 1, anchor: { executionHeader: { hash: `0x${'00'.repeat(32)}` } } }],
    ['an anchor that is none', { transaction: `0x${'00'.repeat(32)}`, anchor: { executionHeader: {} } }],
    [
      'an anchor that is no header',
      { transaction: `0x${'00'.repeat(32)}`, anchor: { executionHeader: { rlp: '0xc0' } } },
    ],
    ['an unknown option', { slot: 1, retries: 3 }],
    ['a deadline that is none', { slot: 1, deadlineMs: 0 }],
    ['a signal that is none', { slot: 1, signal: {} }],
    ['a listener that is none', { slot: 1, onProgress: 1 }],
    ['a call without a query', null as never],
  ])('is a TypeError: %s', async (_name, query) => {
    const source = createBlobSource({
      ...{ verifier, headers: nobody, beacon: 'http://127.0.0.1:9', execution: 'http://127.0.0.1:9' },
    })
    await expect(source.get(query as never)).rejects.toThrow(TypeError)
  })

  it.each([
    ['a list of numbers', [0xc0, 0x80], 'anchor.executionHeader.rlp must be bytes or 0x hex'],
    ['no hex', '0xno', 'anchor.executionHeader.rlp must be bytes or 0x hex'],
    ['no header', '0xc0', /^anchor\.executionHeader\.rlp is no header: ./],
  ])('is an anchor whose RLP is %s, in these words', async (_name, rlp, words) => {
    const source = createBlobSource({
      ...{ verifier, headers: nobody, beacon: 'http://127.0.0.1:9', execution: 'http://127.0.0.1:9' },
    })
    const query = { transaction: `0x${'00'.repeat(32)}`, anchor: { executionHeader: { rlp: rlp as never } } }
    await expect(source.get(query)).rejects.toThrow(words)
  })

  it('is a clock that gives no number', () => {
    const options = { verifier, headers: nobody, beacon: 'http://127.0.0.1:9' }
    for (const now of [() => new Date(), () => Number.NaN])
      expect(() => createBlobSource({ ...options, now: now as () => number })).toThrow(
        /^now must return milliseconds since 1970 as a number/,
      )
  })

  it.each<[string, unknown]>([
    ['nothing', null],
    ['an object without methods', {}],
    ['one whose resolve is no function', { resolve: 5 }],
    ['one whose headerAt is no function', { headerAt: 5 }],
  ])('is a source of headers that is none: %s', (_name, headers) => {
    const options = { verifier, headers: headers as never, beacon: 'http://127.0.0.1:9' }
    expect(() => createBlobSource(options)).toThrow(/^headers must be a LightClient or a HeaderSource$/)
  })

  it('is a light client of another network than the verifier’s', async () => {
    const stranger = await createVerifier({ network: 'sepolia', workers: 0, cache: false })
    onTestFinished(() => stranger.dispose())
    expect(() =>
      createBlobSource({ verifier: stranger, headers: client, beacon: 'http://127.0.0.1:9' }),
    ).toThrow(/^headers is a light client of another network/)
  })

  it('is to ask for a transaction without an execution layer', async () => {
    const source = createBlobSource({ verifier, headers: nobody, beacon: 'http://127.0.0.1:9' })
    await expect(source.get({ transaction: `0x${'00'.repeat(32)}` })).rejects.toThrow(/execution/)
  })
})
