/** The specs' cases that need no store, in both of the light client's modules: ranking, single Merkle proofs, custody. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { lightClientWords } from '../../dist/beacon/light-client-words.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { concat, flip, fromHex, toHex } from '../support/bytes.ts'
import { listVectors, readTestFile, readText } from '../support/files.ts'
import { lightClientModules, type Module } from '../support/light-client.ts'
import { minimal } from '../support/minimal.ts'
import { sha256 } from '../support/ssz.ts'

const modules = await lightClientModules()

/** Numbers of 256 bits come as bigints. */
const yaml = async <T>(path: string): Promise<T> =>
  parse(await readText(`vectors/${path}`), { intAsBigInt: true }) as T

const ssz = async (path: string): Promise<Uint8Array> => await readTestFile(`vectors/${path}.ssz`)

/** Folders of cases about single proofs. */
const PROOFS = [
  'spec/minimal-electra/light_client/single_merkle_proof/BeaconBlockBody',
  'spec/minimal-electra/light_client/single_merkle_proof/BeaconState',
  'spec/minimal-fulu/light_client/single_merkle_proof/BeaconState',
  'spec/mainnet-fulu/merkle_proof/single_merkle_proof/BeaconBlockBody',
  'gloas-light-client/minimal-gloas/light_client/single_merkle_proof/BeaconState',
  'gloas-light-client/mainnet-gloas/light_client/single_merkle_proof/BeaconState',
  'gloas-light-client/mainnet-gloas/light_client/single_merkle_proof/BeaconBlockBody',
  ...['minimal', 'mainnet'].flatMap((preset) =>
    ['BeaconBlock', 'BeaconBlockBody'].map(
      (type) => `gloas/${preset}-gloas/merkle_proof/single_merkle_proof/${type}`,
    ),
  ),
]

interface Proof {
  readonly leaf: Uint8Array<ArrayBuffer>
  readonly gindex: bigint
  readonly branch: Uint8Array<ArrayBuffer>[]
  /** What the branch hashes to, by another hash than the module's. */
  readonly root: Uint8Array<ArrayBuffer>
}

async function readProof(path: string): Promise<Proof> {
  const file = await yaml<{ leaf: string; leaf_index: bigint; branch: string[] }>(`${path}/proof.yaml`)
  const branch = file.branch.map(fromHex)
  let root = fromHex(file.leaf)
  for (const [height, sibling] of branch.entries()) {
    const isRight = (file.leaf_index >> BigInt(height)) & 1n
    root = await sha256(isRight ? concat(sibling, root) : concat(root, sibling))
  }
  return { leaf: fromHex(file.leaf), gindex: file.leaf_index, branch, root }
}

describe.each(modules)('the specs’ cases in the module $name', ({ module }) => {
  it('ranks each update above all after it', async () => {
    for (const [preset, fork] of [
      ['spec/minimal-electra', 3],
      ['spec/minimal-fulu', 4],
      ['gloas-light-client/minimal-gloas', 5],
    ] as const) {
      const folder = `${preset}/light_client/update_ranking/pyspec_tests/update_ranking`
      const { updates_count } = await yaml<{ updates_count: bigint }>(`${folder}/meta.yaml`)
      const numbers = Array.from({ length: Number(updates_count) }, (_, number) => number)
      const updates = await Promise.all(numbers.map((number) => ssz(`${folder}/updates_${number}`)))
      expect(updates.length).toBeGreaterThan(50)
      // Ranking asks for periods alone, which do not depend on forks.
      const network = lightClientWords(resolveNetwork(minimal({}, `0x${'00'.repeat(32)}`)))
      const found = updates.map((a) => updates.map((b) => module.isBetterUpdate(network, fork, a, fork, b)))
      expect(found).toEqual(numbers.map((a) => numbers.map((b) => a < b)))
    }
  })

  it('verifies single Merkle proofs', async () => {
    const roots = new Map<string, string>()
    let proofs = 0
    for (const folder of PROOFS) {
      for (const name of await listVectors(folder)) {
        const path = `${folder}/${name}`
        const { leaf, gindex, branch, root } = await readProof(path)
        if (folder.startsWith('gloas/'))
          expect(await yaml(`${path}/roots.yaml`), path).toEqual({ root: toHex(root) })
        const siblings = concat(...branch)
        expect(module.isValidMerkleBranch(leaf, siblings, gindex, root), path).toBe(true)
        expect(module.isValidNormalizedMerkleBranch(leaf, siblings, gindex, root), path).toBe(true)
        // Two proofs about one object lead to the same root.
        const object = toHex(await sha256(Uint8Array.from(await ssz(`${path}/object`))))
        expect(roots.get(object) ?? toHex(root)).toBe(toHex(root))
        roots.set(object, toHex(root))
        proofs++

        const refused: Parameters<Module['isValidMerkleBranch']>[] = [
          [flip(leaf, 31), siblings, gindex, root],
          [leaf, flip(siblings, siblings.length - 1), gindex, root],
          // The other half of the tree: further down, both sides of an empty node are the same.
          [leaf, siblings, gindex ^ (1n << BigInt(branch.length - 1)), root],
          [leaf, siblings, gindex, flip(root, 0)],
          [leaf.slice(1), siblings, gindex, root],
          [leaf, siblings.slice(1), gindex, root],
          [leaf, siblings.slice(32), gindex, root],
          [leaf, siblings, gindex, root.slice(1)],
          [leaf, siblings, gindex >> 1n, root],
          [leaf, siblings, 2n * gindex, root],
          [leaf, siblings, 0n, root],
          [leaf, siblings, 2n ** 64n - 1n, root],
        ]
        for (const [at, wrong] of refused.entries()) {
          expect(module.isValidMerkleBranch(...wrong), `${path} ${at}`).toBe(false)
          expect(module.isValidNormalizedMerkleBranch(...wrong), `${path} ${at}`).toBe(false)
        }
        // Only zero chunks may stand in front, and only in a normalized branch.
        const [longer, other] = [0, 1].map((byte) => concat(new Uint8Array(64).fill(byte), siblings))
        expect(module.isValidMerkleBranch(leaf, longer!, gindex, root)).toBe(false)
        expect(module.isValidNormalizedMerkleBranch(leaf, longer!, gindex, root)).toBe(true)
        expect(module.isValidNormalizedMerkleBranch(leaf, other!, gindex, root)).toBe(false)
      }
    }
    // Else nothing was compared.
    expect(roots.size).toBeLessThan(proofs)
    expect(module.isValidMerkleBranch(new Uint8Array(32), new Uint8Array(0), 1n, new Uint8Array(32))).toBe(
      true,
    )
    expect(module.isValidMerkleBranch(new Uint8Array(32), new Uint8Array(0), 0n, new Uint8Array(32))).toBe(
      false,
    )
  })

  it('knows the groups of nodes, and their columns', async () => {
    for (const folder of ['spec/minimal-fulu/networking', 'gloas/minimal-gloas/networking']) {
      const groups = `${folder}/get_custody_groups/pyspec_tests`
      for (const name of await listVectors(groups)) {
        const file = await yaml<{ node_id: bigint; custody_group_count: bigint; result: bigint[] }>(
          `${groups}/${name}/meta.yaml`,
        )
        const nodeId = fromHex(file.node_id.toString(16).padStart(64, '0'))
        const found = module.getCustodyGroups(nodeId, file.custody_group_count)
        expect(Array.from(found ?? []), name).toEqual(file.result)
        expect(module.getCustodyGroups(nodeId.slice(1), file.custody_group_count)).toBeUndefined()
      }
      const columns = `${folder}/compute_columns_for_custody_group/pyspec_tests`
      for (const name of await listVectors(columns)) {
        const file = await yaml<{ custody_group: bigint; result: bigint[] }>(`${columns}/${name}/meta.yaml`)
        const found = module.computeColumnsForCustodyGroup(file.custody_group)
        expect(Array.from(found ?? []), name).toEqual(file.result)
      }
    }
    for (const tooMany of [129n, 2n ** 64n - 1n])
      expect(module.getCustodyGroups(new Uint8Array(32), tooMany)).toBeUndefined()
    for (const none of [128n, 2n ** 64n - 1n])
      expect(module.computeColumnsForCustodyGroup(none)).toBeUndefined()
  })
})
