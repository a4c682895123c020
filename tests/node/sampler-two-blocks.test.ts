/** A node that answers for two blocks, as Teku does for all blocks of a slot: nothing is taken from it but what is of the wanted one. */
import { type BlobSourceOptions, createBlobSource } from 'blobcheck/blobs'
import { createSampler, type SamplerOptions } from 'blobcheck/sampler'
import { createBeaconApp } from 'blobcheck/serve'
import { expect, it } from 'vitest'
import { splitColumns } from '../../dist/beacon/ssz/layout.js'
import { expectTrue, headersFrom, quietly } from '../support/blob-sources.ts'
import { expectSound } from '../support/samplers.ts'
import { listSsz } from '../support/ssz.ts'
import { verifiedChain } from '../support/verified-chain.ts'

const served = verifiedChain()

it.each([
  ['of Fulu', 90, 91],
  ['of Gloas', 100, 101],
])(
  'a block %s, after or before the other one, is available, and its blobs are complete',
  async (_, slot, other) => {
    const app = createBeaconApp({
      chain: served.chain,
      faults: { rules: [{ fault: { kind: 'status', code: 404 }, routes: ['blobs', 'blob_sidecars'] }] },
    })
    const block = served.chain.at(slot)!
    for (const order of [
      [other, slot],
      [slot, other],
    ]) {
      const fetch: NonNullable<SamplerOptions['fetch'] & BlobSourceOptions['fetch']> = async (url, init) => {
        const request = (path: string): Request => new Request(path, { headers: init.headers })
        if (!url.includes('data_column_sidecars')) return (await app.fetch(request(url))) as Response
        const lists = order.map(async (at) => {
          const answer = await app.fetch(request(url.replace(block.root, served.chain.at(at)!.root)))
          return splitColumns(new Uint8Array(await answer.arrayBuffer()), 128)!
        })
        const list = listSsz((await Promise.all(lists)).flat() as Uint8Array<ArrayBuffer>[])
        return new Response(list, { headers: { 'content-type': 'application/octet-stream' } })
      }
      const options = {
        verifier: served.verifier,
        headers: headersFrom(served.chain),
        beacon: 'http://node',
        fetch,
      }
      const report = await createSampler({ ...options, now: () => served.chain.now() }).sampleBlock(slot)
      expectSound(report)
      expect(report).toMatchObject({
        ...{ verdict: 'available', confidence: { missing: 0 } },
        endpoints: [{ refused: [], failures: [], duplicates: 26 }],
      })
      const result = quietly(
        await createBlobSource({ ...options, now: () => served.chain.now() }).get({ slot }),
      )
      expectTrue(result, block)
      expect(result).toMatchObject({ verdict: 'complete', report: { via: ['data-columns'] } })
    }
  },
)
