/**
 * Every block of code in the documentation and in docstrings runs, in Node.js where nothing else is said. The free names of an example are
 * real values, of a chain that a server here makes (tests/examples/values.mjs).
 */
import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon, serveExecution } from 'blobcheck/serve/node'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNetwork } from '../../dist/cli/options/network.js'
import { keccakHex } from '../../dist/execution/keccak.js'
import { versionedHashesOf } from '../../dist/execution/transaction.js'
import { allExamples, type Example, fences, nameOf } from '../../scripts/examples.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'target/examples/run')
const execute = promisify(execFile)

/** Blocks that another test runs, by what is written after their language, and the languages in which nothing runs here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'ts browser': 'tests/node/examples-browser.test.ts',
  'tsx browser': 'tests/node/examples-browser.test.ts',
  html: 'tests/node/examples-browser.test.ts',
  // A file that the page before it names.
  'js page': 'tests/node/examples-browser.test.ts',
  sh: 'tests/node/examples-shell.test.ts',
  // The tools that these are for are installed in tests/consumers: tests/support/recipes.ts reads them.
  'js consumer': 'tests/packed',
  'json consumer': 'tests/packed',
  'sh consumer': 'tests/packed',
}

/** Blocks that nothing runs, each with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'ts peer': 'c-kzg and kzg-wasm are installed by npm run bench alone; their code is compiled',
}

const examples = allExamples()
const kindOf = ({ lang, mark }: Example): string => (mark === null ? lang : `${lang} ${mark}`)
const inNode = examples.filter((example) => ['ts', 'js', 'js config', 'json'].includes(kindOf(example)))

interface Outcome {
  readonly id: string
  readonly output: readonly string[]
  readonly error: string | null
}

let server: BeaconServer
let execution: BeaconServer
let context: object

beforeAll(async () => {
  const chain = await makeChain({ slots: 160, blobsPerBlock: 2 })
  server = await serveBeacon({ chain })
  execution = await serveExecution({ chain })
  const { transactions } = chain.finalized.execution!
  const withBlobs = transactions.find((transaction) => versionedHashesOf(transaction).length > 0)!
  context = {
    ...{ server: server.url, execution: execution.url, transaction: keccakHex(withBlobs) },
    ...{ network: writeNetwork(chain.network), checkpoint: chain.checkpoint },
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
})
afterAll(async () => {
  await Promise.all([server.close(), execution.close()])
})

it('finds them where git is set to write the line ends of Windows', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'blobcheck-lines-'))
  const git = async (...args: string[]): Promise<unknown> => await execute('git', args, { cwd: clone })
  await git('init', '--quiet')
  await git('config', 'core.autocrlf', 'true')
  for (const name of ['.gitattributes', 'README.md']) await cp(join(root, name), join(clone, name))
  await git('add', '.')
  await rm(join(clone, 'README.md'))
  await git('checkout', '--quiet', '--', 'README.md')
  const blocks = fences(await readFile(join(clone, 'README.md'), 'utf8'))
  await rm(clone, { recursive: true })
  expect(blocks.length).toBeGreaterThan(0)
  expect(blocks).toEqual(fences(await readFile(join(root, 'README.md'), 'utf8')))
})

it('leaves no block of code to chance', () => {
  // Where none is found, none fails.
  expect(examples.length).toBeGreaterThan(150)
  const known = [...new Set(inNode.map(kindOf)), ...Object.keys(ELSEWHERE), ...Object.keys(NOT_RUN)]
  expect(
    examples
      .filter((example) => !known.includes(kindOf(example)))
      .map(({ from, at }) => `${from}, block ${at}`),
  ).toEqual([])
})

it('leaves no worker threads to nobody', () => {
  // Who starts threads without a name for them cannot end them; who ends them after a call that was aborted does not come there.
  const isNameless = (code: string): boolean => /[(,[]\s*await create(?:Prover|Verifier)\(/.test(code)
  const isSkipped = (code: string): boolean =>
    /\bcreate(?:Prover|Verifier)\(/.test(code) &&
    /\{[^}]*\bsignal\b/.test(code) &&
    /^await \w+\.dispose\(\)/m.test(code)
  expect(
    examples
      .filter(({ code }) => isNameless(code) || isSkipped(code))
      .map(({ from, at }) => `${from}, block ${at}`),
  ).toEqual([])
})

/** What an example leaves to its reader: a network, a checkpoint of it, and a signed transaction. */
function filledIn(code: string): string {
  return code
    .replaceAll(/'(?:mainnet|sepolia)'/g, 'globalThis.exampleNetwork')
    .replaceAll(/\b(checkpoint(?::| =)) '0x[^']*'/g, '$1 globalThis.exampleCheckpoint')
    .replaceAll("'0x03…'", 'globalThis.exampleTransaction')
}

async function runBlocks(name: string, blocks: readonly Example[]): Promise<Map<string, Outcome>> {
  const files = await Promise.all(
    blocks.map(async ({ from, at, lang, code: written }) => {
      const id = nameOf(from, at)
      const file = join(folder, `${id}.mjs`)
      const code = filledIn(written)
      const { outputText } = ts.transpileModule(code, {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
        fileName: `example.${lang}`,
      })
      await writeFile(file, outputText)
      return { id, code, file }
    }),
  )
  const input = join(folder, `${nameOf(name, 0)}.json`)
  await writeFile(input, JSON.stringify({ context, blocks: files }))
  const child = spawn(process.execPath, [join(root, 'tests/examples/run.mjs'), input], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const streams = [1, 2, 3].map(async (index) => {
    let text = ''
    for await (const chunk of child.stdio[index] as NodeJS.ReadableStream) text += String(chunk)
    return text
  })
  const [stdout, stderr, results = ''] = await Promise.all(streams)
  const outcomes = results
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Outcome)
  if (outcomes.length < blocks.length) throw new Error(`${name} ended early\n${stdout}\n${stderr}`)
  return new Map(outcomes.map((outcome) => [outcome.id, outcome]))
}

const PRINTED = '(?:true|false|valid|invalid|malformed|verified|trusted|absent|[a-z]+-length|\\d+)'

/** What the comments beside `console.log` say that is printed, where they are no prose. */
function promised(code: string): string[] {
  const comment = new RegExp(`console\\.log\\(.*\\) // (${PRINTED}(?: ${PRINTED})*)$`, 'gm')
  return [...code.matchAll(comment)].map(([, text = '']) => text)
}

/**
 * A process for each folder of pages, and one for all docstrings: what costs most of an example is a process that has read the chain, and its
 * verifier, light client and prover, which the examples of a process share.
 */
const processOf = ({ from }: Example): string =>
  /^(?:ts\/src|docs\/[^/]+(?=\/))/.exec(from)?.[0] ?? 'README.md'

const processes = new Map<string, Example[]>()
for (const example of inNode)
  processes.set(processOf(example), [...(processes.get(processOf(example)) ?? []), example])

describe.each([...processes])('%s', (name, blocks) => {
  const scripts = blocks.filter(({ lang }) => lang !== 'json')
  let outcomes: Map<string, Outcome>
  beforeAll(async () => {
    outcomes = scripts.length === 0 ? new Map() : await runBlocks(name, scripts)
  })

  it.each(blocks)('$from, block $at ($lang)', ({ from, at, lang, code, output }) => {
    if (lang === 'json') return void JSON.parse(code)
    const outcome = outcomes.get(nameOf(from, at))
    expect(outcome?.error).toBeNull()
    for (const text of promised(code)) expect(outcome?.output).toContain(text)
    if (output !== null && !/^\/\/ check\.mjs/.test(code))
      expect(outcome?.output.join('\n')).toBe(output.trimEnd())
  })
})
