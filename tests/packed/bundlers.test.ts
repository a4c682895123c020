/** Pages that webpack, Parcel, esbuild and Rollup make from the packed package. */
import { createHash } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeChain } from 'blobcheck/serve'
import { serveBeacon } from 'blobcheck/serve/node'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import {
  checkModule,
  checkWithFiles,
  makeProject,
  pageFiles,
  runTool,
  serveBy,
  serveFolder,
  testConsumer,
  toolPath,
  visit,
  type Visited,
} from '../support/consumers.ts'
import { recipeBlocks, recipeFiles, recipePolicy } from '../support/recipes.ts'
import { hasChromium, launchChromium } from '../support/site.ts'

describe.skipIf(!hasChromium)('a bundler', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(async () => await browser?.close())

  /** Opens what has been bundled, with the page's HTML beside it where the bundler takes scripts alone. */
  async function visitBuilt(folder: string): Promise<Visited> {
    await rename(join(folder, 'index.html'), join(folder, 'dist/index.html'))
    return await visit(browser, await serveFolder(join(folder, 'dist')))
  }

  /** Runs webpack as its command line would; a warning is a failure, but for those of sizes, which every module of WebAssembly draws. */
  const webpackScript = (entry: object): string => `import webpack from 'webpack'
    webpack({ mode: 'production', performance: false, entry: ${JSON.stringify(entry)} }, (error, stats) => {
      if (error || stats.hasErrors() || stats.hasWarnings()) {
        console.error(error ?? stats.toString())
        process.exitCode = 1
      }
    })`

  testConsumer('webpack', async () => {
    const script = webpackScript({ main: './main.js' })
    const folder = await makeProject('webpack', { ...pageFiles(), 'build.js': script })
    await runTool(process.execPath, ['build.js'], { cwd: folder })
    return await visitBuilt(folder)
  })

  testConsumer('own-worker-webpack', async ({ recipe }) => {
    const check = checkModule("{ workers: 2, workerUrl: '/blob-worker.js' }")
    const script = webpackScript({ main: './main.js', 'blob-worker': './blob-worker.js' })
    const files = { ...pageFiles(check), ...recipeFiles(recipe!), 'build.js': script }
    const folder = await makeProject('webpack-worker', files)
    await runTool(process.execPath, ['build.js'], { cwd: folder })
    return await visitBuilt(folder)
  })

  /** A project of Parcel, which takes the folder with the nearest lock file for the project's own. */
  async function parcelProject(recipe: string): Promise<string> {
    const manifest = { private: true, ...(JSON.parse(recipeBlocks(recipe)[0]!) as object) }
    const own = { 'package.json': JSON.stringify(manifest), 'package-lock.json': '{}' }
    return await makeProject('parcel', { ...pageFiles(), ...own })
  }

  testConsumer('parcel-build', async ({ recipe }) => {
    const folder = await parcelProject(recipe!)
    await runTool(process.execPath, [toolPath('parcel/lib/bin.js'), 'build', 'index.html'], { cwd: folder })
    const html = await readFile(join(folder, 'dist/index.html'), 'utf8')
    const map = /<script type="?importmap"?>(.*?)<\/script>/s.exec(html)![1]!
    const hash = createHash('sha256').update(map).digest('base64')
    const policy = recipePolicy(recipe!).replace('…', hash)
    return await visit(
      browser,
      await serveFolder(join(folder, 'dist'), { 'content-security-policy': policy }),
    )
  })

  testConsumer('parcel-development', async ({ recipe }) => {
    const folder = await parcelProject(recipe!)
    const args = [
      toolPath('parcel/lib/bin.js'),
      'index.html',
      '--host',
      '127.0.0.1',
      '--port',
      await freePort(),
    ]
    const { origin } = await serveBy(process.execPath, args, { cwd: folder })
    return await visit(browser, origin)
  })

  const esbuild = toolPath('.bin/esbuild')
  const bundling = ['--bundle', '--format=esm', '--outdir=dist']

  testConsumer('esbuild-inline', async ({ recipe }) => {
    const check = checkModule('{ workers: 2 }', recipeBlocks(recipe!)[0])
    const folder = await makeProject('esbuild-inline', pageFiles(check))
    await runTool(esbuild, ['main.js', ...bundling], { cwd: folder })
    return await visitBuilt(folder)
  })

  testConsumer('esbuild-files', async ({ recipe }) => {
    const folder = await makeProject('esbuild-files', {
      ...pageFiles(checkWithFiles()),
      ...recipeFiles(recipe!),
    })
    await runTool(process.execPath, ['build.mjs'], { cwd: folder })
    return await visitBuilt(folder)
  })

  testConsumer('esbuild-parts', async ({ recipe }) => {
    const chain = await makeChain({ slots: 96, blobsPerBlock: 1 })
    const server = await serveBeacon({ chain })
    onTestFinished(async () => await server.close())
    const values = { network: chain.network, checkpoint: chain.checkpoint, beacon: server.url }
    const folder = await makeProject('esbuild-parts', {
      ...pageFiles(checkParts),
      ...recipeFiles(recipe!),
      // JSON has no Infinity, which is the epoch of a fork that has no date.
      'chain.js': `export const chain = JSON.parse(${JSON.stringify(JSON.stringify(values))}, (_, value) => value ?? Infinity)`,
    })
    await runTool(process.execPath, ['build.mjs'], { cwd: folder })
    return await visitBuilt(folder)
  })

  testConsumer('own-worker-esbuild', async ({ recipe }) => {
    const check = checkModule("{ workers: 2, workerUrl: '/blob-worker.js' }", recipeBlocks('One file')[0])
    const folder = await makeProject('esbuild-worker', { ...pageFiles(check), ...recipeFiles(recipe!) })
    await runTool(esbuild, ['main.js', 'blob-worker.js', ...bundling], { cwd: folder })
    return await visitBuilt(folder)
  })

  const rollup = toolPath('rollup/dist/bin/rollup')

  testConsumer('rollup-inline', async ({ recipe }) => {
    const check = checkModule('{ workers: 2 }', recipeBlocks(recipe!)[0])
    const folder = await makeProject('rollup-inline', pageFiles(check))
    const args = ['main.js', '--dir', 'dist', '--plugin', '@rollup/plugin-node-resolve={browser: true}']
    await runTool(process.execPath, [rollup, ...args], { cwd: folder })
    return await visitBuilt(folder)
  })

  testConsumer('rollup-files', async ({ recipe }) => {
    const folder = await makeProject('rollup-files', {
      ...pageFiles(checkWithFiles()),
      ...recipeFiles(recipe!),
    })
    await runTool(process.execPath, [rollup, '--config'], { cwd: folder })
    return await visitBuilt(folder)
  })
})

/**
 * A module that exports `check`, which uses all parts of the package: what the prover and the light client of the recipe's `files.js` made is
 * what the verifier verifies a blob against, and the same blob with one bit flipped.
 */
const checkParts = `import { createVerifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { createProver } from 'blobcheck/prover'
import { chain } from './chain.js'
import * as files from './files.js'

export async function check() {
  const warnings = []
  const onWarning = (warning) => warnings.push(warning)
  const client = await LightClient.fromCheckpoint({ ...chain, worker: true, onWarning, ...files.lightClient })
  await client.sync()
  const header = client.finalized
  const block = await get('/eth/v2/beacon/blocks/' + header.root)
  const blob = await get('/eth/v1/beacon/blobs/' + header.root)
  const spoiled = blob.slice()
  spoiled[31] ^= 1

  const prover = await createProver({ workers: 2, onWarning, ...files.prover })
  const commitment = await prover.blobToKzgCommitment(blob)
  const { cells, proofs } = await prover.computeCellsAndKzgProofs(blob)
  await prover.dispose()

  const verifier = await createVerifier({ network: chain.network, workers: 2, cache: false, onWarning, ...files.verifier })
  const cell = { commitment, cellIndex: 127, cell: cells[127], proof: proofs[127] }
  const [ofCell] = await verifier.verifyCells([cell], { anchor: { block, header } })
  const verdicts = await verifier.verifyBlobs([{ blob }, { blob: spoiled }], { anchor: { block, header } })
  const { workers, workersReason, kernel } = verifier
  await verifier.dispose()
  await client.dispose()
  if (ofCell.status !== 'valid') throw new Error('the cell is ' + ofCell.status)
  return { workers, workersReason, kernel, warnings, statuses: verdicts.map(({ status }) => status) }
}

async function get(path) {
  const response = await fetch(chain.beacon + path, { headers: { accept: 'application/octet-stream' } })
  if (!response.ok) throw new Error(path + ': ' + response.status)
  return new Uint8Array(await response.arrayBuffer())
}
`

/** A port that nobody listens on, for a server that cannot choose one. */
async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => void server.close(resolve))
  return String(port)
}
