/** `--network` with a file: a config of one's own, and what is none. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NetworkConfig } from 'blobcheck'
import type { MadeChain } from 'blobcheck/serve'
import { serveBeacon, serveExecution } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blobcheckHere } from '../support/cli.ts'
import { writeNetwork } from '../../dist/cli/options/network.js'
import { fences } from '../../scripts/examples.mjs'
import { handChain } from '../support/served.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-test-'))
})
afterAll(async () => await rm(folder, { recursive: true }))

const args = ['light-client', '--once', '--no-store', '--checkpoint', `0x${'1'.repeat(64)}`]

/** The chain is followed with the config in this file. */
async function expectFollowed(chain: MadeChain, file: string): Promise<void> {
  const server = await serveBeacon({ chain })
  const now = String(chain.now() / 1000)
  const given = ['--network', file, '--checkpoint', chain.checkpoint, '--beacon', server.url, '--now', now]
  const { code, out } = await blobcheckHere(['light-client', '--once', '--no-store', ...given])
  await server.close()
  expect([code, out]).toEqual([0, expect.stringContaining('in step with the chain') as unknown])
}

it.each([
  ['', '', 'utf8'],
  [' after a byte order mark', '\ufeff', 'utf8'],
  [' in UTF-16', '\ufeff', 'utf16le'],
] as const)(
  'takes a config, in which null says of a fork that it is never%s',
  async (_name, mark, encoding) => {
    const chain = await handChain({ blobsPerBlock: 0, slots: 100 })
    const file = join(folder, 'network.json')
    const { forkEpochs } = chain.network
    const config = JSON.stringify({ ...chain.network, forkEpochs: { ...forkEpochs, gloas: null } })
    await writeFile(file, `${mark}${config}`, encoding)
    await expectFollowed(chain, file)
  },
)

it('takes the file that docs/reference/networks.md shows, and follows a chain like that', async () => {
  const page = await readFile(new URL('../../docs/reference/networks.md', import.meta.url), 'utf8')
  const [{ code: text } = { code: '' }] = fences(page).filter(({ lang }) => lang === 'json')
  const file = join(folder, 'devnet.json')
  await writeFile(file, text)
  const { label, ...shown } = JSON.parse(text) as NetworkConfig & { readonly label: string }
  const { genesisTime, secondsPerSlot, slotsPerEpoch, syncCommitteeSize, epochsPerSyncCommitteePeriod } =
    shown as Required<NetworkConfig>
  const { dataRetentionEpochs } = shown as Required<NetworkConfig>
  const chain = await handChain({
    ...{ genesisTime, secondsPerSlot, slotsPerEpoch, syncCommitteeSize, epochsPerSyncCommitteePeriod },
    ...{ dataRetentionEpochs, blobsPerBlock: 0, slots: 100 },
  })
  const { gloas, ...forkVersions } = chain.network.signing!.forkVersions
  expect(shown).toEqual({
    ...(JSON.parse(writeNetwork(chain.network)) as object),
    label: undefined,
    forkEpochs: { ...chain.network.forkEpochs, gloas: null },
    maxBlobsPerBlock: { deneb: 6, electra: 9 },
    signing: { ...chain.network.signing, forkVersions },
  })
  expect([label, gloas]).toEqual(['our devnet', '0x070000bc'])
  await expectFollowed(chain, file)
})

const forkEpochs = { deneb: 0, electra: 0, fulu: 0 }
it.each([
  ['no file', null, 'neither a network that is known nor a file'],
  ['no JSON', '{"genesisTime":', 'JSON'],
  ['a list', '[]', 'forkEpochs'],
  ['nothing', 'null', 'not a network config'],
  ['no forks', '{"genesisTime":1}', 'forkEpochs'],
  [
    'a fork that is none',
    JSON.stringify({ genesisTime: 1, forkEpochs: { ...forkEpochs, fulu: -1 } }),
    'forkEpochs.fulu',
  ],
  [
    'a fork in words',
    JSON.stringify({ genesisTime: 1, forkEpochs: { ...forkEpochs, fulu: '1' } }),
    'forkEpochs.fulu',
  ],
  ['slots of no length', JSON.stringify({ genesisTime: 1, secondsPerSlot: 0, forkEpochs }), 'length 0'],
  ['more than is read', `{"a":"${'x'.repeat(2 ** 20)}"}`, 'more than 1 MiB'],
  ['more than is parsed', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, 'too deep'],
  ['no signing', JSON.stringify({ genesisTime: 1, forkEpochs }), 'signing'],
])('refuses %s', async (name, text, reason) => {
  const file = join(folder, `${name.replaceAll(' ', '-')}.json`)
  if (text !== null) await writeFile(file, text)
  const { code, out, err } = await blobcheckHere([
    ...args,
    '--network',
    file,
    '--beacon',
    'http://127.0.0.1:1',
  ])
  expect([code, out + err]).toEqual([2, expect.stringContaining(reason) as unknown])
})

it.skipIf(process.platform === 'win32')('reads no more than that of a file without an end', async () => {
  const given = ['--network', '/dev/zero', '--beacon', 'http://127.0.0.1:1']
  const { code, err } = await blobcheckHere([...args, ...given])
  expect([code, err]).toEqual([2, expect.stringContaining('more than 1 MiB') as unknown])
})

describe('a network that is not that of the endpoints', () => {
  it('is named, where it was not chosen, and where its config is of another preset', async () => {
    const chain = await handChain({ blobsPerBlock: 0, slots: 100 })
    const server = await serveBeacon({ chain })
    const file = join(folder, 'other-preset.json')
    await writeFile(file, writeNetwork({ ...chain.network, syncCommitteeSize: 32 }))
    const given = ['--no-store', '--checkpoint', chain.checkpoint, '--beacon', server.url]
    const now = ['--now', String(chain.now() / 1000)]
    const asked = 'is the checkpoint a finalized block root of this network'
    for (const [network, words] of [
      [[], `: invalid (execution-unexpected); ${asked}, mainnet?`],
      [['--network', file], `: malformed (object-offsets); ${asked}, and its config right?`],
    ] as const) {
      const { code, err } = await blobcheckHere(['light-client', '--once', ...network, ...given, ...now])
      expect([code, err]).toEqual([3, expect.stringContaining(words) as unknown])
    }
    await server.close()
  })

  it('is named where the endpoints’ word is that the newest head is of days ago', async () => {
    const chain = await handChain({ blobsPerBlock: 0, slots: 100 })
    const server = await serveBeacon({ chain })
    const file = join(folder, 'began-earlier.json')
    for (const [days, doubt] of [
      [0.9, '(the endpoints are behind, or this machine'],
      [2, '(the endpoints are behind, or of another network than that of your config, or this machine'],
    ] as const) {
      const genesisTime = chain.network.genesisTime - days * 86_400
      await writeFile(file, writeNetwork({ ...chain.network, genesisTime }))
      for (const command of ['sample', 'blobs']) {
        const block = ['--block', 'head', '--trust-endpoint', '--beacon', server.url]
        const now = ['--now', String(chain.now() / 1000)]
        const { out } = await blobcheckHere([command, ...block, '--network', file, ...now])
        expect(out).toContain(doubt)
      }
    }
    const { out } = await blobcheckHere(['sample', '--trust-endpoint', '--beacon', server.url])
    expect(out).toContain('(the endpoints are behind, or of another network than mainnet, or this machine')
    await server.close()
  })
})

it('an endpoint that is an execution node’s is asked whether it is', async () => {
  const chain = await handChain({ blobsPerBlock: 0, slots: 100 })
  const server = await serveExecution({ chain })
  const { code, err } = await blobcheckHere([...args, '--beacon', server.url])
  expect([code, err]).toEqual([
    3,
    expect.stringMatching(/no-route \(status 405\); is that a JSON-RPC endpoint\?/) as unknown,
  ])
  await server.close()
})
