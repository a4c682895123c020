/**
 * Hosts without a bundler, in Chromium: pages with an import map, pages that take the package from another origin, and service workers.
 * Each has its workers, or says why not; and each refuses a blob that was spoiled.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkModule, type Outcome } from '../support/consumers.ts'
import { hasChromium, launchChromium } from '../support/site.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

const check = (from: string, options: object): string =>
  checkModule(JSON.stringify(options), `import { createVerifier } from ${JSON.stringify(from)}`)

describe.skipIf(!hasChromium)('a host without a bundler', () => {
  let browser: Browser
  let [cdn, site]: Server[] = []
  /** Paths that the CDN was asked for. */
  let asked: string[] = []
  /** What the site serves, by path. */
  const served = new Map<string, { type: string; body: string; policy?: string }>()
  const originOf = (server: Server | undefined): string =>
    `http://127.0.0.1:${(server!.address() as AddressInfo).port}`

  beforeAll(async () => {
    cdn = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://cdn').pathname
      asked.push(path)
      readFile(join(root, path)).then(
        (bytes) => {
          const type = types[extname(path)] ?? 'application/octet-stream'
          response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(bytes)
        },
        () => response.writeHead(404).end(),
      )
    })
    site = createServer((request, response) => {
      const file = served.get(new URL(request.url ?? '/', 'http://site').pathname)
      if (file === undefined) return void response.writeHead(404).end()
      const policy = file.policy === undefined ? {} : { 'content-security-policy': file.policy }
      response.writeHead(200, { 'content-type': file.type, ...policy }).end(file.body)
    })
    for (const server of [cdn, site])
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    cdn?.close()
    site?.close()
  })

  interface Way {
    readonly head?: string
    readonly policy?: string
    readonly inServiceWorker?: true
  }

  /** Runs a check in a page of the site, or in its service worker. */
  async function run(script: string, way: Way = {}): Promise<Outcome> {
    const outcome = await answerOf(script, way)
    expect(outcome).toBeTypeOf('object')
    return outcome as Outcome
  }

  /** What a check comes to: its outcome, or the text of what was thrown. */
  async function answerOf(script: string, way: Way): Promise<unknown> {
    asked = []
    served.set('/', {
      type: 'text/html',
      body: `<!doctype html>${way.head ?? ''}`,
      ...(way.policy !== undefined && { policy: way.policy }),
    })
    served.set('/check.js', { type: 'text/javascript', body: script })
    served.set('/service-worker.js', {
      type: 'text/javascript',
      body: `import { check } from './check.js'
        addEventListener('message', ({ ports: [port] }) => check().then((answer) => port.postMessage(answer), (error) => port.postMessage(String(error))))`,
    })
    const context = await browser.newContext()
    try {
      const page = await context.newPage()
      await page.goto(originOf(site))
      return way.inServiceWorker
        ? await page.evaluate(async () => {
            const registration = await navigator.serviceWorker.register('/service-worker.js', {
              type: 'module',
            })
            await navigator.serviceWorker.ready
            const { port1, port2 } = new MessageChannel()
            registration.active!.postMessage(null, [port2])
            return await new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data as unknown)))
          })
        : // As text: the test runner would write the import anew.
          await page.evaluate(`import('/check.js').then(({ check }) => check()).catch(String)`)
    } finally {
      await context.close()
    }
  }

  /** An import map for the package as it lies on another origin. */
  async function importMap(): Promise<string> {
    const { imports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      imports: Record<string, string | { readonly default: string }>
    }
    const base = originOf(cdn)
    const ours = Object.entries(imports).map(([name, to]) => [
      name,
      new URL(typeof to === 'string' ? to : to.default, `${base}/`).href,
    ])
    const others = [['blobcheck', `${base}/dist/index.js`]]
    return `<script type="importmap">${JSON.stringify({ imports: Object.fromEntries([...ours, ...others]) as object })}</script>`
  }

  const right = { statuses: ['valid', 'invalid'] }

  it('that takes the package from another origin by an import map has its workers', async () => {
    const outcome = await run(check('blobcheck', { workers: 2 }), { head: await importMap() })
    expect(outcome).toMatchObject({ ...right, workers: 2, workersReason: 'asked for', warnings: [] })
    expect(asked).toContain('/dist/verifier/worker/entry.js')
  })

  it('whose policy forbids workers from Blob URLs computes in its own thread, and says so', async () => {
    const outcome = await run(check('blobcheck', {}), {
      head: await importMap(),
      policy: "worker-src 'self'",
    })
    expect(outcome).toMatchObject({ ...right, workers: 0, warnings: [{ code: 'no-workers' }] })
    expect(outcome.workersReason).toMatch(/^no worker could be started: .*policy/)
  })

  it('that takes blobcheck/inline from another origin takes one file, and has its workers', async () => {
    const inline = `${originOf(cdn)}/dist/inline/index.js`
    const outcome = await run(check(inline, { workers: 2 }))
    expect(outcome).toMatchObject({ ...right, workers: 2, kernel: 'simd128', warnings: [] })
    expect(asked).toEqual(['/dist/inline/index.js'])
  })

  it('that is a service worker, where nothing can be imported later, verifies with blobcheck/inline', async () => {
    const inline = `${originOf(cdn)}/dist/inline/index.js`
    const outcome = await run(check(inline, { workers: 0 }), { inServiceWorker: true })
    expect(outcome).toMatchObject({ ...right, workers: 0, workersReason: 'asked for', warnings: [] })
  })

  /** A script as a bundler that splits code makes it for hosts of these conditions; what it loads later is served. */
  async function bundle(conditions: readonly string[], script: string): Promise<string> {
    const input = join(root, 'tests/page-of-a-host.js')
    const bundled = await rolldown({
      input,
      platform: 'browser',
      // What is loaded later is in a file of the entry, too, where nothing may be loaded later.
      checks: { ineffectiveDynamicImport: false },
      resolve: { conditionNames: [...conditions, 'import', 'default'] },
      plugins: [
        {
          name: 'input',
          load: (id) => (id === input ? script : undefined),
          resolveId: (id) => (id === input ? id : undefined),
        },
      ],
    })
    const { output } = await bundled.generate({ format: 'es' })
    await bundled.close()
    const [entry, ...later] = output
    for (const file of later)
      if (file.type === 'chunk') served.set(`/${file.fileName}`, { type: 'text/javascript', body: file.code })
    return entry.code
  }

  /** Options of a verifier that computes in the calling thread, and finds its module on the other origin. */
  const inline = (): object => ({
    workers: 0,
    cache: false,
    wasm: { simd128: `${originOf(cdn)}/wasm/verifier_simd128.wasm` },
  })

  it('that is a service worker with code of blobcheck to be imported later says what to import in its place', async () => {
    const answer = await answerOf(await bundle([], check('blobcheck', inline())), { inServiceWorker: true })
    expect(answer).toMatch(
      /^WasmUnavailableError: the calling thread cannot compute: code could not be loaded/,
    )
    expect(answer).toMatch(/import\(\) is disallowed on ServiceWorkerGlobalScope/)
    expect(answer).toMatch(
      /bundle with the package\.json condition 'worker', or import 'blobcheck\/inline' for a verifier$/,
    )
  })

  it('that is a service worker verifies with blobcheck where its bundler has the condition worker', async () => {
    const outcome = await run(await bundle(['worker'], check('blobcheck', inline())), {
      inServiceWorker: true,
    })
    expect(outcome).toMatchObject({ ...right, workers: 0, workersReason: 'asked for', warnings: [] })
  })

  it('that has lost a file which is loaded later says so, and accuses nobody', async () => {
    const script = `import { createVerifier } from 'blobcheck'
      export async function check() {
        const verifier = await createVerifier(${JSON.stringify(inline())})
        await verifier.verifyBlobs([], { anchor: { block: '{}' } })
      }`
    const bundled = await bundle([], script)
    const [lost] = [...served.keys()].filter((path) => path.includes('block-reader'))
    served.delete(lost!)
    const answer = await answerOf(bundled, {})
    expect(answer).toMatch(/^WasmUnavailableError: code could not be loaded by import\(\): .*block-reader/)
  })

  it('that has lost what blobs without proofs are verified with says so, once for all of them', async () => {
    const script = `import { createVerifier } from 'blobcheck'
      export async function check() {
        const [reasons, warnings] = [[], []]
        const onWarning = ({ code, message }) => warnings.push([code, message])
        const verifier = await createVerifier({ ...${JSON.stringify(inline())}, onWarning })
        const bare = { blob: new Uint8Array(131_072), commitment: '0xc0' + '0'.repeat(94) }
        for (let time = 0; time < 2; time++)
          for (const { reason } of await verifier.verifyBlobs([bare])) reasons.push(reason)
        return { reasons, warnings }
      }`
    const bundled = await bundle([], script)
    const [lost] = [...served.keys()].filter((path) => path.includes('commitment-kernels'))
    served.delete(lost!)
    const message =
      /^blobs without proofs cannot be verified: code could not be loaded by import\(\): .*commitment-kernels/
    expect(await answerOf(bundled, {})).toEqual({
      reasons: ['setup-unavailable', 'setup-unavailable'],
      warnings: [['setup-unavailable', expect.stringMatching(message)]],
    })
  })

  it('that is a service worker without workers says so', async () => {
    const inline = `${originOf(cdn)}/dist/inline/index.js`
    const outcome = await run(check(inline, {}), { inServiceWorker: true })
    expect(outcome).toMatchObject({ ...right, workers: 0, warnings: [{ code: 'no-workers' }] })
    expect(outcome.workersReason).toMatch(/Worker is not defined/)
    expect(outcome.warnings[0]!.message).toMatch(/computes\. Ask for no workers \(workers: 0\)$/)
  })
})
