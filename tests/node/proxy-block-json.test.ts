/** Blocks as a proxy reads and gives them: as SSZ, as JSON, and the branches of their commitments. */
import { loadBeacon } from 'blobcheck/beacon'
import { describe, expect, it } from 'vitest'
import { readWholeBlock } from '../../dist/beacon/block/whole-block.js'
import { instantiate } from '../../dist/beacon/block/module.js'
import { compileKernel } from '../../dist/runtime/kernel/module.js'
import { beaconFiles } from '../../dist/beacon/block/files.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { jsonOf } from '../../dist/proxy/block/ssz-value.js'
import { Sidecars } from '../../dist/proxy/sidecars.js'
import { type Random, randomJson, type Shape } from '../support/block-json.ts'
import { blockType } from '../support/block-module.ts'
import { concat, fromHex, toHex } from '../support/bytes.ts'
import { makeBlob, seeded } from '../support/make.ts'
import { sha256 } from '../support/ssz.ts'

await loadBeacon()
const exports = instantiate(await compileKernel('simd128', {}, beaconFiles))

/** Lists with some of everything, bits included. */
const shape: Shape = { list: (_, below) => below(4), bytes: (_, below) => below(100) }
const forks = { deneb: 0, electra: 1, fulu: 1, gloas: 2 } as const

describe.each(Object.keys(forks) as (keyof typeof forks)[])('blocks of %s', (fork) => {
  const never = { deneb: 0, electra: Infinity, fulu: Infinity, gloas: Infinity }
  const begun = {
    deneb: ['deneb'],
    electra: ['electra'],
    fulu: ['electra', 'fulu'],
    gloas: ['electra', 'fulu', 'gloas'],
  }
  const forkEpochs = { ...never, ...Object.fromEntries(begun[fork].map((name) => [name, 0])) }
  const network = resolveNetwork({ genesisTime: 0, forkEpochs })
  const next = seeded(fork.length)
  const below: Random = (bound) => Math.floor(next() * bound)

  it('are read as the JSON that they were made of', () => {
    for (let at = 0; at < 10; at++) {
      const message = randomJson(blockType(fork), below, shape)
      const block = readWholeBlock(exports, { message, signature: `0x${'11'.repeat(96)}` }, network)
      expect(jsonOf(block.type, block.message)).toEqual(message)
      const signed = new Uint8Array(100 + block.message.length)
      signed[0] = 100
      signed.set(block.message, 100)
      const again = readWholeBlock(exports, signed, network)
      expect(toHex(again.message)).toBe(toHex(block.message))
      expect(toHex(again.root)).toBe(toHex(block.root))
    }
  })

  // Gloas has no sidecars with branches.
  if (fork !== 'gloas')
    it('have branches of their commitments that lead to the body’s root', async () => {
      const longer: Shape = {
        ...shape,
        list: (path, random) => (path.endsWith('commitments') ? 5 : random(4)),
      }
      const message = randomJson(blockType(fork), below, longer) as {
        body: { blob_kzg_commitments: string[] }
      }
      const block = readWholeBlock(exports, message, network)
      const sidecars = new Sidecars({ get: async () => block } as never)
      const real = makeBlob(3)
      const blobs = message.body.blob_kzg_commitments.map((commitment, index) => ({
        ...{ index, blob: real.blob, commitment: toHex(real.commitment as Uint8Array) },
        versionedHash: commitment,
      }))
      const header = { root: toHex(block.root) }
      const parts = await sidecars.of(header as never, blobs, undefined)
      for (const [index, { branch, proof }] of parts.entries()) {
        expect([branch.length, proof.length]).toEqual([17, 48])
        const root = await fold(message.body.blob_kzg_commitments[index]!, branch, 221_184 + index)
        expect(toHex(root)).toBe(toHex(block.header.subarray(80, 112)))
      }
      await sidecars.dispose()
    })
})

/** `compute_merkle_proof` the other way round: the root that a commitment's branch leads to. */
async function fold(commitment: string, branch: readonly Uint8Array[], gindex: number): Promise<Uint8Array> {
  let node: Uint8Array = await sha256(concat(fromHex(commitment), new Uint8Array(16)))
  for (const [height, sibling] of branch.entries())
    node = await sha256((gindex >> height) & 1 ? concat(sibling, node) : concat(node, sibling))
  return node
}
