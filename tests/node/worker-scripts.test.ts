/** The workers' scripts: each is one file that needs no other, wherever it lies, and no bundler takes one for empty. */
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createVerifier } from 'blobcheck'
import { createProver } from 'blobcheck/prover'
import { parseSync } from 'vite'
import { rolldown } from 'rolldown'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { startBlockReader } from '../../dist/beacon/block-reader.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { startProposerSignatures } from '../../dist/light-client/proposer.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'blobcheck-worker-scripts-'))
afterAll(() => rm(folder, { recursive: true }))

const entries = [
  ['blobcheck/worker', 'verifier'],
  ['blobcheck/beacon/worker', 'beacon'],
  ['blobcheck/light-client/worker', 'light-client'],
  ['blobcheck/prover/worker', 'prover'],
] as const

/** A worker script that a caller gave, and whoever hears of it. */
interface GivenScript {
  readonly workerUrl: URL
  readonly onWarning: () => void
}

/** What a script imports, at its start or later. */
async function importsOf(path: string): Promise<string[]> {
  const { module } = parseSync(path, await readFile(path, 'utf8'))
  const later = module.dynamicImports.map(() => 'import()')
  return [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...later]
}

/** The script of a worker for Node.js, in a folder where nothing else is. */
async function copyOf(name: string): Promise<URL> {
  const path = join(folder, `${name}.mjs`)
  await copyFile(join(root, 'dist', name, 'worker/entry-node.mjs'), path)
  return pathToFileURL(path)
}

describe.each(entries)('%s', (entry, name) => {
  it('imports nothing in browsers, and nothing but modules of Node in Node', async () => {
    expect(await importsOf(join(root, 'dist', name, 'worker/entry.js'))).toEqual([])
    const inNode = await importsOf(join(root, 'dist', name, 'worker/entry-node.mjs'))
    expect(inNode.filter((specifier) => !isBuiltin(specifier))).toEqual([])
    expect(fileURLToPath(import.meta.resolve(entry))).toBe(join(root, 'dist', name, 'worker/entry-node.mjs'))
  })

  it('is not left out of a worker that imports it for its effects', async () => {
    const input = join(root, 'tests', `worker-of-${name}.js`)
    for (const conditionNames of [
      ['node', 'import'],
      ['browser', 'import'],
    ]) {
      const bundle = await rolldown({
        input,
        platform: 'neutral',
        external: /^node:/,
        resolve: { conditionNames },
        plugins: [
          {
            name: 'input',
            load: (id) => (id === input ? `import '${entry}'` : undefined),
            resolveId: (id) => (id === input ? id : undefined),
          },
        ],
      })
      const { output } = await bundle.generate({ minify: true })
      expect(output[0].code.length).toBeGreaterThan(10_000)
    }
  })
})

describe('a script alone in a folder', () => {
  it('verifies', async () => {
    await using verifier = await createVerifier({
      workers: 1,
      cache: false,
      workerUrl: await copyOf('verifier'),
    })
    expect(verifier.workers).toBe(1)
    expect((await verifier.verifyBlobs([{}] as never))[0]?.status).toBe('malformed')
  })

  it('decodes the block of an anchor', async () => {
    const beacon = { workerUrl: await copyOf('beacon') }
    await using verifier = await createVerifier({ workers: 1, cache: false, beacon })
    const refused = verifier.verifyBlobs([], { anchor: { block: '{}' } })
    await expect(refused).rejects.toMatchObject({ name: 'SszError', reason: 'missing-field' })
  })
})

describe('the script of another part', () => {
  const parts = entries.map(([entry, name]) => [entry.replace(/\/worker$/, ''), name] as const)
  const network = resolveNetwork('mainnet')
  /** What starts a worker of each part with this script, and has an end. */
  const starts: readonly [part: string, start: (options: GivenScript) => Promise<{ dispose(): unknown }>][] =
    [
      ['blobcheck', (options) => createVerifier({ ...options, cache: false })],
      ['blobcheck/prover', (options) => createProver(options)],
      // The light client itself needs a chain: see light-client.test.ts.
      ['blobcheck/light-client', (options) => startProposerSignatures({ ...options, network, worker: true })],
      [
        'blobcheck/beacon',
        (options) => startBlockReader({ ...options, network, worker: true, wasm: {}, onCrash: () => {} }),
      ],
    ]

  it.each(starts)('starts no worker of %s, and both are named', async (own, start) => {
    for (const [other, name] of parts) {
      const onWarning = vi.fn()
      const started = await start({
        workerUrl: new URL(`../../dist/${name}/worker/entry-node.mjs`, import.meta.url),
        onWarning,
      })
      await started.dispose()
      if (other === own) expect(onWarning).not.toHaveBeenCalled()
      else
        expect(onWarning).toHaveBeenCalledExactlyOnceWith({
          code: 'no-workers',
          message: expect.stringContaining(
            `no worker could be started: the script is the worker of ${other}, not of ${own}; `,
          ),
        })
    }
  })
})

describe('the verifier’s script', () => {
  it('is given no function of the module that it does not call', async () => {
    const script = await readFile(join(root, 'dist/verifier/worker/entry.js'), 'utf8')
    const given = /\n\treturn \{\n\t\tinitSync,\n([^}]*)\}/.exec(script)?.[1]?.match(/\w+/g) ?? []
    expect(given).toContain('closeBare')
    expect(given).toContain('Units')
    expect(given).not.toContain('verifyKzgProof')
    for (const name of given) expect(script.split(`.${name}`).length, name).toBeGreaterThan(1)
  })

  it('has nothing of blocks, which have a worker of their own', async () => {
    const ofBlocks = /blockSchema|fork-mismatch/
    for (const file of ['entry.js', 'entry-node.mjs']) {
      expect(await readFile(join(root, 'dist/verifier/worker', file), 'utf8')).not.toMatch(ofBlocks)
      expect(await readFile(join(root, 'dist/beacon/worker', file), 'utf8')).toMatch(ofBlocks)
    }
  })
})
