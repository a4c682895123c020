/** The specs' cases of light-client sync, in both of the light client's modules. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { lightClientWords } from '../../dist/beacon/light-client-words.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { fromHex } from '../support/bytes.ts'
import { listVectors, readTestFile, readText } from '../support/files.ts'
import { lightClientModules, type Module } from '../support/light-client.ts'
import { minimal } from '../support/minimal.ts'
import { header, processUpdates } from '../support/module-calls.ts'

const modules = await lightClientModules()

interface HeaderCheck {
  slot: number
  beacon_root: string
  execution_root: string
}
interface Step {
  update_fork_digest: string
  update: string
  current_slot: number
  checks: { finalized_header: HeaderCheck; optimistic_header: HeaderCheck }
}

/** Follows a case; the forks of the updates that it has. */
async function follow(module: Module, path: string): Promise<number[]> {
  const ssz = async (file: string): Promise<Uint8Array> => await readTestFile(`${path}/${file}.ssz`)
  const meta = parse(await readText(`${path}/meta.yaml`)) as Record<string, string>
  const config = parse(await readText(`${path}/config.yaml`)) as Record<string, unknown>
  const network = lightClientWords(resolveNetwork(minimal(config, meta['genesis_validators_root'] ?? '')))
  const fork = (digest = ''): number => module.forkOfDigest(network, fromHex(digest)) ?? 255
  const trusted = fromHex(meta['trusted_block_root'] ?? '')
  let store = module.initializeStore(
    network,
    fork(meta['bootstrap_fork_digest']),
    trusted,
    await ssz('bootstrap'),
  )
  const forks: number[] = []
  for (const entry of parse(await readText(`${path}/steps.yaml`)) as Record<string, Step>[]) {
    const [kind, step] = Object.entries(entry)[0] as [string, Step]
    if (kind === 'process_update') {
      const update = { fork: fork(step.update_fork_digest), ssz: await ssz(step.update.trim()) }
      const processed = processUpdates(module, network, store, [update], BigInt(step.current_slot))
      expect(processed.reason, `${path} ${step.update}`).toBe('')
      store = processed.store
      forks.push(update.fork)
    } else if (kind === 'force_update') {
      store = module.forceUpdate(network, store, BigInt(step.current_slot))
    }
    const view = module.storeView(network, store)
    const check = ({ slot, beacon_root, execution_root }: HeaderCheck): unknown => ({
      slot,
      root: beacon_root,
      executionRoot: execution_root,
    })
    expect(header(view, 0)).toEqual(check(step.checks.finalized_header))
    expect(header(view, 240)).toEqual(check(step.checks.optimistic_header))
  }
  return forks
}

/** Follows the cases of folders. */
async function followAll(module: Module, folders: readonly string[]): Promise<number[]> {
  const forks: number[] = []
  for (const folder of folders)
    for (const name of await listVectors(folder))
      forks.push(...(await follow(module, `vectors/${folder}/${name}`)))
  return forks
}

describe.each(modules)('the specs’ cases of sync in the module $name', ({ module }) => {
  it('are followed to their ends', async () => {
    const folders = [
      'spec/minimal-electra/light_client/sync/pyspec_tests',
      'spec/minimal-fulu/light_client/sync',
    ]
    const forks = await followAll(module, folders)
    expect(forks.length).toBeGreaterThanOrEqual(30)
    expect(forks).toContain(5)
  })

  it('are followed in Gloas and on the way there', async () => {
    const folders = ['deneb', 'electra', 'fulu', 'gloas'].map(
      (fork) => `gloas-light-client/minimal-${fork}/light_client/sync/pyspec_tests`,
    )
    const forks = await followAll(module, folders)
    expect(forks.length).toBeGreaterThanOrEqual(20)
    expect(forks.filter((fork) => fork === 5).length).toBeGreaterThanOrEqual(10)
  })
})
