/** Pages that webpack, Parcel, esbuild and Rollup make from the packed package. */
import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import {
  checkModule,
  checkWithFiles,
  makeProject,
  pageFiles,
  pageHtml,
  runTool,
  serveBy,
  serveCdn,
  serveFolder,
  testConsumer,
  toolPath,
  visit,
  type Visited,
} from '../support/consumers.ts'
import { checkParts, servedChain } from '../support/consumer-parts.ts'
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
  const webpackScript = (entry: object, output: object = {}): string => `import webpack from 'webpack'
    const options = ${JSON.stringify({ entry, output })}
    webpack({ mode: 'production', performance: false, ...options }, (error, stats) => {
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

  testConsumer('webpack-elsewhere', async ({ recipe }) => {
    const folder = await makeProject('webpack-elsewhere', { ...pageFiles(), 'page/index.html': '' })
    const origin = await serveCdn(join(folder, 'dist'))
    const output = { publicPath: `${origin}/`, crossOriginLoading: 'anonymous' }
    await writeFile(join(folder, 'build.js'), webpackScript({ main: './main.js' }, output))
    await runTool(process.execPath, ['build.js'], { cwd: folder })
    await writeFile(join(folder, 'page/index.html'), pageHtml.replace('./main.js', `${origin}/main.js`))
    const policy = recipePolicy(recipe!).replaceAll('https://cdn.example', origin)
    const headers = { 'content-security-policy': policy }
    return await visit(browser, await serveFolder(join(folder, 'page'), headers))
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
    const folder = await makeProject('esbuild-parts', {
      ...pageFiles(checkParts),
      ...recipeFiles(recipe!),
      ...(await servedChain()),
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

/** A port that nobody listens on, for a server that cannot choose one. */
async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => void server.close(resolve))
  return String(port)
}
