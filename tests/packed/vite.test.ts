/** Pages that Vite builds from the packed package, and serves in development, where it bundles dependencies beforehand. */
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import type { ConsumerId } from '../support/consumer-list.ts'
import {
  checkModule,
  makeProject,
  pageFiles,
  runTool,
  serveBy,
  serveCdn,
  serveFolder,
  testConsumer,
  toolPath,
  visit,
} from '../support/consumers.ts'
import { recipeBlocks, recipeFiles, recipePolicy } from '../support/recipes.ts'
import { hasChromium, launchChromium } from '../support/site.ts'

/** Vite 8 is the repository's own. */
const viteOf = (tool: string | null): string =>
  toolPath(`${tool === 'vite' ? '../../../node_modules/vite' : tool}/bin/vite.js`)

describe.skipIf(!hasChromium)('Vite', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(async () => await browser?.close())

  const builds: ConsumerId[] = ['vite8-build', 'vite7-build', 'vite6-build', 'vite5-build']
  for (const id of builds)
    testConsumer(id, async ({ tool }) => {
      const folder = await makeProject(id, pageFiles())
      await runTool(process.execPath, [viteOf(tool), 'build'], { cwd: folder })
      return await visit(browser, await serveFolder(join(folder, 'dist')))
    })

  const developments: ConsumerId[] = [
    'vite8-development',
    'vite7-development',
    'vite6-development',
    'vite5-development',
  ]
  for (const id of developments)
    testConsumer(id, async ({ tool, recipe }) => {
      const folder = await makeProject(id, { ...pageFiles(), ...(recipe !== null && recipeFiles(recipe)) })
      const args = [viteOf(tool), '--host', '127.0.0.1']
      const { origin } = await serveBy(process.execPath, args, { cwd: folder })
      return await visit(browser, origin)
    })

  const elsewhere: ConsumerId[] = ['vite8-elsewhere', 'vite7-elsewhere']
  for (const id of elsewhere)
    testConsumer(id, async ({ tool, recipe }) => {
      const folder = await makeProject(id, pageFiles())
      const origin = await serveCdn(join(folder, 'dist'))
      await runTool(process.execPath, [viteOf(tool), 'build', '--base', `${origin}/`], { cwd: folder })
      await mkdir(join(folder, 'page'))
      await rename(join(folder, 'dist/index.html'), join(folder, 'page/index.html'))
      const policy = recipePolicy(recipe!).replaceAll('https://cdn.example', origin)
      const headers = { 'content-security-policy': policy }
      return await visit(browser, await serveFolder(join(folder, 'page'), headers))
    })

  const inWorker: ConsumerId[] = ['vite8-in-worker', 'vite7-in-worker']
  for (const id of inWorker)
    testConsumer(id, async ({ tool, recipe }) => {
      const folder = await makeProject(id, {
        ...pageFiles(),
        ...(recipe !== null && recipeFiles(recipe)),
        'main.js': `const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
        worker.onmessage = ({ data }) => (document.title = data)`,
        'worker.js': `import { check } from './check.js'
        check().then(
          (outcome) => postMessage(JSON.stringify(outcome)),
          (error) => postMessage(String(error)),
        )`,
      })
      await runTool(process.execPath, [viteOf(tool), 'build'], { cwd: folder })
      return await visit(browser, await serveFolder(join(folder, 'dist')))
    })

  testConsumer('vite8-library', async ({ tool, recipe }) => {
    const lib = { entry: './main.js', formats: ['iife'], name: 'library', fileName: 'main' }
    const folder = await makeProject('vite8-library', {
      ...pageFiles(checkModule('{ workers: 2 }', recipeBlocks(recipe!)[0])),
      'vite.config.js': `export default { build: { lib: ${JSON.stringify(lib)} } }`,
    })
    await runTool(process.execPath, [viteOf(tool), 'build'], { cwd: folder })
    await rename(join(folder, 'dist/main.iife.js'), join(folder, 'dist/main.js'))
    await rename(join(folder, 'index.html'), join(folder, 'dist/index.html'))
    return await visit(browser, await serveFolder(join(folder, 'dist')))
  })

  testConsumer('own-worker-vite', async ({ tool, recipe }) => {
    const check = checkModule(
      '{ workers: 2, workerUrl }',
      "import { createVerifier } from 'blobcheck'\nimport workerUrl from './blob-worker.js?worker&url'",
    )
    const folder = await makeProject('own-worker-vite8', { ...pageFiles(check), ...recipeFiles(recipe!) })
    await runTool(process.execPath, [viteOf(tool), 'build'], { cwd: folder })
    return await visit(browser, await serveFolder(join(folder, 'dist')))
  })
})
