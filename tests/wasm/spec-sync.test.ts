/** The specs' cases of light-client sync, in both of the light client's modules. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { lightClientWords } from '../../dist/beacon/network-words.js'
import { resolveNetwork } from '../../dist/beacon/networks.js'
import { fromHex } from '../support/bytes.ts'
import { listVectors, readTestFile, readText } from '../support/files.ts'
import { lightClientModules } from '../support/light-client.ts'
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

describe.each(modules)('the specs’ cases of sync in the module $name', ({ module }) => {
  it('follows them up to Gloas', async () => {
    const electra = 'spec/minimal-electra/light_client/sync/pyspec_tests'
    const fulu = 'spec/minimal-fulu/light_client/sync'
    let updates = 0
    const toGloas: string[] = []
    for (const folder of [electra, fulu]) {
      for (const name of await listVectors(folder)) {
        const path = `vectors/${folder}/${name}`
        const ssz = async (file: string): Promise<Uint8Array> => await readTestFile(`${path}/${file}.ssz`)
        const meta = parse(await readText(`${path}/meta.yaml`)) as Record<string, string>
        const config = parse(await readText(`${path}/config.yaml`)) as Record<string, unknown>
        const network = lightClientWords(resolveNetwork(minimal(config, meta['genesis_validators_root'] ?? '')))
        const fork = (digest = ''): number | undefined => module.forkOfDigest(network, fromHex(digest))
        const bootstrapFork = fork(meta['bootstrap_fork_digest']) ?? 255
        const trusted = fromHex(meta['trusted_block_root'] ?? '')
        let store = module.initializeStore(network, bootstrapFork, trusted, await ssz('bootstrap'))
        for (const entry of parse(await readText(`${path}/steps.yaml`)) as Record<string, Step>[]) {
          const [kind, step] = Object.entries(entry)[0] as [string, Step]
          if (kind === 'process_update') {
            const number = fork(step.update_fork_digest)
            // Gloas is out of scope: the case ends with its first object of that fork.
            if (number === undefined) {
              toGloas.push(name)
              break
            }
            const update = { fork: number, ssz: await ssz(step.update.trim()) }
            const processed = processUpdates(module, network, store, [update], BigInt(step.current_slot))
            expect(processed.reason, `${path} ${step.update}`).toBe('')
            store = processed.store
            updates++
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
          expect(header(view, 232)).toEqual(check(step.checks.optimistic_header))
        }
      }
    }
    expect(toGloas).toEqual(['gloas_fork'])
    expect(updates).toBeGreaterThanOrEqual(30)
  })
})
