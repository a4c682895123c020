/** Hosts without a bundler, which take the packed package from another origin, and the sandbox of a MetaMask Snap. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe } from 'vitest'
import {
  checkModule,
  makeProject,
  outcomeOf,
  pageFiles,
  pageHtml,
  serveCdn,
  serveFolder,
  testConsumer,
  visit,
} from '../support/consumers.ts'
import { hasChromium, launchChromium } from '../support/site.ts'

const INLINE = 'node_modules/blobcheck/dist/inline/index.js'

/** An origin that serves the installed package to pages of any other. */
async function openCdn(name: string): Promise<{ readonly folder: string; readonly origin: string }> {
  const folder = await makeProject(`${name}-cdn`, {})
  return { folder, origin: await serveCdn(folder) }
}

const importing = (origin: string): string => `import { createVerifier } from '${origin}/${INLINE}'`

describe.skipIf(!hasChromium)('a host without a bundler', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(async () => await browser?.close())

  testConsumer('import-map', async () => {
    const { folder, origin } = await openCdn('import-map')
    const manifest = await readFile(join(folder, 'node_modules/blobcheck/package.json'), 'utf8')
    const { imports: own } = JSON.parse(manifest) as {
      imports: Record<string, string | { readonly default: string }>
    }
    const imports = {
      blobcheck: `${origin}/node_modules/blobcheck/dist/index.js`,
      ...Object.fromEntries(
        Object.entries(own).map(([name, to]) => [
          name,
          new URL(typeof to === 'string' ? to : to.default, `${origin}/node_modules/blobcheck/`).href,
        ]),
      ),
    }
    const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
    const files = { ...pageFiles(), 'index.html': pageHtml.replace('</head>', `${map}</head>`) }
    return await visit(browser, await serveFolder(await makeProject('import-map', files)))
  })

  testConsumer('cdn-inline', async () => {
    const { origin } = await openCdn('inline')
    const files = pageFiles(checkModule('{ workers: 2 }', importing(origin)))
    return await visit(browser, await serveFolder(await makeProject('inline', files)))
  })

  testConsumer('service-worker-inline', async () => {
    const { origin } = await openCdn('service-worker')
    const files = {
      'index.html': pageHtml,
      'check.js': checkModule('{ workers: 0 }', importing(origin)),
      'service-worker.js': `import { check } from './check.js'
        addEventListener('message', ({ ports: [port] }) =>
          check().then(
            (outcome) => port.postMessage(JSON.stringify(outcome)),
            (error) => port.postMessage(String(error)),
          ))`,
      'main.js': `const registration = await navigator.serviceWorker.register('./service-worker.js', { type: 'module' })
        await navigator.serviceWorker.ready
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => (document.title = data)
        registration.active.postMessage(null, [port2])`,
    }
    return await visit(browser, await serveFolder(await makeProject('service-worker', files)))
  })
})

testConsumer('snap', async () => {
  const entry = `${checkModule('{ workers: 0 }', "import { createVerifier } from 'blobcheck/inline'")}
    globalThis.check = check`
  const folder = await makeProject('snap', { 'snap.js': entry })
  // As Snaps are bundled: one script, no modules.
  const bundle = await rolldown({ input: join(folder, 'snap.js'), platform: 'browser', logLevel: 'warn' })
  const file = join(folder, 'bundle.js')
  await bundle.write({ file, format: 'iife', codeSplitting: false })
  await bundle.close()
  const sandbox = fileURLToPath(new URL('../adapters/sandbox.mjs', import.meta.url))
  return await outcomeOf(process.execPath, [sandbox, file], folder)
})
