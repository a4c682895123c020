/** Blocks made at random, in another implementation's types: the same roots, from SSZ and from JSON. */
import { type BlockFork, loadBeacon } from 'blobcheck/beacon'
import { describe, expect, it } from 'vitest'
import * as lodestar from '../lodestar/types.mjs'
import { blockType } from '../support/block-module.ts'
import { type Random, randomJson, type Shape, small } from '../support/block-json.ts'
import { fromHex, toHex } from '../support/bytes.ts'
import { seeded } from '../support/make.ts'

const beacon = await loadBeacon()

function makeBlock(fork: BlockFork, below: Random, shape: Shape): object {
  const signature = toHex(Uint8Array.from({ length: 96 }, () => below(256)))
  return { message: randomJson(blockType(fork), below, shape), signature }
}

/** What the other implementation has room for where Gloas' types have no limits. */
const LIMITS: Readonly<Record<string, number>> = {
  ...{ proposer_slashings: 16, attester_slashings: 1, attestations: 8, payload_attestations: 4 },
  ...{ voluntary_exits: 16, bls_to_execution_changes: 16, withdrawals: 16, consolidations: 2 },
  ...{ builder_deposits: 64, builder_exits: 16 },
}

/** Of deposits in the body, as before Electra, it takes none. */
const limitOf = (path: string): number =>
  path === '.body.deposits' ? 0 : (LIMITS[path.slice(path.lastIndexOf('.') + 1)] ?? Infinity)

const bounded = (list: Shape['list']): Shape['list'] => {
  return (path, below) => Math.min(limitOf(path), list(path, below))
}

/** Lists around the ends of progressive subtrees (1, 5, 21, 85 leaves), where the types have room for them. */
const long: Shape = {
  list: bounded((path, below) => {
    const isCheap = /commitments|attesting_indices|withdrawals|exits|requests.deposits/.test(path)
    return isCheap ? [0, 1, 4, 5, 6, 20, 21, 22, 85, 86][below(10)]! : below(3)
  }),
  bytes: (_, below) => below(300),
}

describe.each(['deneb', 'electra', 'fulu', 'gloas'] as const)('blocks of %s', (fork) => {
  const { type, rootsOf } = lodestar.blocks[fork]

  it.each([
    ['small', { ...small, list: bounded(small.list) }, 25],
    ['long', long, 15],
  ] as const)('have the roots that another implementation gives them: %s', (_, shape, count) => {
    const next = seeded(fork.length + count)
    const below: Random = (bound) => Math.floor(next() * bound)
    for (let at = 0; at < count; at++) {
      const json = makeBlock(fork, below, shape)
      const value = type.fromJson(json)
      const block = beacon.readBlock(json, { fork })
      expect([block.root, block.bodyRoot].map(fromHex)).toEqual(
        rootsOf(value).map((root) => new Uint8Array(root)),
      )
      expect(beacon.readBlock(type.serialize(value), { fork })).toEqual(block)
      expect(beacon.readBlock({ version: fork, data: type.toJson(value) }, { fork })).toEqual(block)
    }
  })
})
