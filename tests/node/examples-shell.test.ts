/** Lines of shell in the documentation run as they are, but for what a reader fills in: a network, a checkpoint, endpoints and files. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon, serveExecution } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNetwork } from '../../dist/cli/options/network.js'
import { keccakHex } from '../../dist/execution/keccak.js'
import { versionedHashesOf } from '../../dist/execution/transaction.js'
import { allExamples } from '../../scripts/examples.mjs'
import { blobcheck } from '../support/cli.ts'
import { makeParts, transactionOf } from '../support/blocks.ts'

/** Lines that are not run here, each with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm init --yes': 'npm’s own',
  'npm install': 'in a clone: the set-up of these tests',
  'npm install blobcheck': 'the package is installed from its tarball by other tests',
  'npm start': 'tests/node/start.test.ts',
  'npm test': 'these tests',
  'npx blobcheck audit-worker --redis redis://redis.example:6379': 'tests/node/audit/redis.test.ts',
  'npx blobcheck audit --redis redis://redis.example:6379 --from 9000000 --to 9007199 --checkpoint 0x… --beacon https://a.example --report audit.jsonl':
    'tests/node/audit/redis.test.ts',
  'npx blobcheck bench': 'tests/node/cli-bench.test.ts: a minute of computing',
  'curl https://beacon.example/eth/v1/beacon/headers/finalized':
    'curl’s own; tests/node/documentation.test.ts starts from what that route answers',
  'to=$(( ($(date +%s) - 3600 - 1606824023) / 12 ))': 'the shell’s own: a slot of mainnet',
  'npx blobcheck demo': 'tests/node/cli-demo.test.ts: the page has to be built first',
}

/** Commands that go on until they are interrupted: their first line is waited for. */
const ENDLESS = /^npx blobcheck (?:light-client|proxy|serve|sample --follow)/

const lines = allExamples()
  .filter(({ lang, mark }) => lang === 'sh' && mark !== 'consumer')
  .flatMap(({ from, code }) =>
    code.split('\n').map((text) => ({ from, line: text.replace(/\s+#.*$/, '').trim() })),
  )
  .filter(({ line }) => line !== '')
const commands = [
  ...new Map(lines.filter(({ line }) => !(line in NOT_RUN)).map((entry) => [entry.line, entry])).values(),
]

/** Where an installed package is, and where it is here. */
const INSTALLED = 'node_modules/blobcheck/'
const root = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
let server: BeaconServer
let execution: BeaconServer
let checkpoint: string
let transaction: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-shell-'))
  const chain = await makeChain({ slots: 160, blobsPerBlock: 1 })
  checkpoint = chain.checkpoint
  server = await serveBeacon({ chain })
  execution = await serveExecution({ chain })
  const { transactions } = chain.finalized.execution!
  transaction = keccakHex(transactions.find((one) => versionedHashesOf(one).length > 0)!)
  const get = async (path: string, accept: string): Promise<Uint8Array> =>
    new Uint8Array(await (await fetch(server.url + path, { headers: { accept } })).arrayBuffer())
  const columns = '/eth/v1/debug/beacon/data_column_sidecars/finalized?indices=3'
  await Promise.all([
    writeFile(join(folder, 'network.json'), writeNetwork(chain.network)),
    writeFile(
      join(folder, 'sidecars.json'),
      await get('/eth/v1/beacon/blob_sidecars/finalized', 'application/json'),
    ),
    writeFile(join(folder, 'column.ssz'), await get(columns, 'application/octet-stream')),
    writeFile(join(folder, 'transaction.rlp'), transactionOf(await makeParts([6, 7], 7594))),
  ])
})
afterAll(async () => {
  await Promise.all([server.close(), execution.close()])
  await rm(folder, { recursive: true, force: true })
})

/** The arguments of a line, with what a reader fills in. */
function filledIn(line: string): string[] {
  // A file of the package, which brings its own network, is as it is.
  if (line.includes(INSTALLED)) return line.replace(INSTALLED, root).split(' ').slice(2)
  const port = new URL(server.url).port
  const args = line
    .replace('https://a.example', server.url)
    .replace('https://b.example', `http://localhost:${port}`)
    .replace('https://c.example', execution.url)
    .replace('blobs 0x…', `blobs ${transaction}`)
    .replace('0x…', checkpoint)
    .replace('--from 9000000 --to 9007199', '--from 100 --to 120')
    .replace('--from $((to - 7199)) --to $to', '--from 100 --to 120')
    .replace(/ --network \S+/, '')
    .replaceAll(/(\S+\.(?:jsonl?|ssz|rlp))/g, (name) => join(folder, name))
    .split(' ')
    .slice(2)
  const isOfChain = /--checkpoint|verify/.test(line)
  return isOfChain ? [...args, '--network', join(folder, 'network.json')] : args
}

describe('lines of shell', () => {
  it('are known, each of them', () => {
    expect(lines.filter(({ line }) => !(line in NOT_RUN) && !line.startsWith('npx blobcheck '))).toEqual([])
  })

  it.each(commands)('$from: $line', async ({ line }) => {
    const isEndless = ENDLESS.test(line)
    const ended = await blobcheck(filledIn(line), {
      onLine: (_, kill) => {
        if (isEndless) kill('SIGINT')
      },
      limitMs: 120_000,
    })
    expect(ended.err).not.toMatch(/error:|TypeError|Usage/)
    if (isEndless) expect(ended.out).not.toBe('')
    else expect([ended.code, ended.out]).toEqual([0, expect.stringMatching(/valid|available|verified/)])
  })
})
