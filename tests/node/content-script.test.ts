/**
 * `blobcheck/inline` in an extension, where its content script and the page that it is put into share an IndexedDB: what the page puts there
 * is believed by nobody but the page itself.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import type * as Inline from 'blobcheck/inline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.mjs'
import { toHex } from '../support/bytes.ts'
import { makeBadBlob } from '../support/make.ts'
import { hasChromium } from '../support/site.ts'

const inline = fileURLToPath(new URL('../../dist/inline/index.js', import.meta.url))

let copies = 0
/** A copy of `blobcheck/inline` that is put where the globals are these: then it finds out where it is. */
async function inlineAmong(globals: Readonly<Record<string, unknown>>): Promise<typeof Inline> {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  const copy = `../../dist/inline/index.js?${copies++}`
  return (await import(copy)) as typeof Inline
}

describe('the cache of blobcheck/inline', () => {
  /** How often IndexedDB was asked for. */
  let opened = 0
  beforeEach(() => {
    opened = 0
    const open = (): never => {
      opened++
      throw new Error('no database here')
    }
    vi.stubGlobal('indexedDB', { open })
  })
  afterEach(() => void vi.unstubAllGlobals())

  const extension = { runtime: { id: 'abcdefghijklmnop' } }

  it.each([
    ['a content script', extension, 'https:', 0],
    ['a content script in a frame without an address', extension, 'about:', 0],
    ['a page or a service worker of an extension', extension, 'chrome-extension:', 1],
    ['an extension of Firefox', extension, 'moz-extension:', 1],
    ['an extension of Safari', extension, 'safari-web-extension:', 1],
    ['a page in Chromium', {}, 'https:', 1],
    ['a page that an extension can be told by', { runtime: {} }, 'https:', 1],
    ['a page elsewhere', undefined, 'https:', 1],
  ])('in %s', async (_, chrome, protocol, expected) => {
    const location = { protocol, href: `${protocol}//here/` }
    const { createVerifier } = await inlineAmong({ chrome, location })
    const verifier = await createVerifier({ workers: 0 })
    expect(opened).toBe(expected)
    await verifier.dispose()
  })

  it('of a content script is memory where globals cannot be read', async () => {
    const chrome = {
      get runtime(): never {
        throw new Error('not for you')
      },
    }
    const { createVerifier } = await inlineAmong({ chrome })
    await (await createVerifier({ workers: 0 })).dispose()
    expect(opened).toBe(0)
  })

  it('of a content script remains what it was when nothing tells any more that it is one', async () => {
    const { createVerifier } = await inlineAmong({ chrome: extension, location: { protocol: 'https:' } })
    vi.stubGlobal('chrome', { runtime: {} })
    await (await createVerifier({ workers: 0 })).dispose()
    expect(opened).toBe(0)
  })

  it('is what is asked for', async () => {
    const { createVerifier } = await inlineAmong({ chrome: extension, location: { protocol: 'https:' } })
    const has = vi.fn(async (digests: readonly string[]) => digests.map(() => true))
    const cache = { has, add: async () => {}, clear: async () => {} }
    const verifier = await createVerifier({ workers: 0, cache })
    expect(await verifier.verifyBlobs([makeBadBlob(1)])).toMatchObject([{ status: 'valid', via: 'cache' }])
    await verifier.dispose()
  })
})

describe.skipIf(!hasChromium)('a content script', () => {
  let folder: string
  let server: Server
  let context: BrowserContext

  /** What both do, the page and the content script. */
  const verify = `async (createVerifier) => {
    const verifier = await createVerifier({ workers: 0 })
    const [{ status, via = null, links: { kzg } }] = await verifier.verifyBlobs([await (await fetch('/item.json')).json()])
    return JSON.stringify({ status, via, kzg })
  }`

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blobcheck-content-script-'))
    const extension = join(folder, 'extension')
    await mkdir(extension)
    const hexOf = (_: string, value: unknown): unknown => (value instanceof Uint8Array ? toHex(value) : value)
    const item = JSON.stringify(makeBadBlob(1), hexOf)
    /** It plants the digest of a blob that is false, and says what its own verifier finds then. */
    const page = `<!doctype html><script type="module">
      import { createVerifier, IndexedDbCache } from '/inline.js'
      const digests = []
      const cache = { has: async (asked) => (digests.push(...asked), asked.map(() => false)), add: async () => {}, clear: async () => {} }
      const spy = await createVerifier({ workers: 0, cache })
      await spy.verifyBlobs([await (await fetch('/item.json')).json()])
      await new IndexedDbCache().add(digests)
      document.documentElement.dataset.page = await (${verify})(createVerifier)
      dispatchEvent(new Event('planted'))
    </script>`
    const script = `import { createVerifier } from ${JSON.stringify(inline)}
      addEventListener('planted', async () => {
        document.documentElement.dataset.id = chrome.runtime?.id ?? 'none any more'
        document.documentElement.dataset.script = await (${verify})(createVerifier).catch(String)
      })`
    const entry = join(folder, 'content.js')
    await writeFile(entry, script)
    const bundle = await rolldown({ input: entry })
    await bundle.write({ file: join(extension, 'content.js'), format: 'iife' })
    await bundle.close()
    await writeFile(join(extension, 'background.js'), 'self.onmessage = () => {}')
    await writeFile(
      join(extension, 'manifest.json'),
      JSON.stringify({
        ...{ manifest_version: 3, name: 'Checks blobs', version: '1.0' },
        background: { service_worker: 'background.js' },
        content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'], run_at: 'document_start' }],
      }),
    )
    const served: Readonly<Record<string, readonly [string, string | Buffer]>> = {
      '/': ['text/html', page],
      '/inline.js': ['text/javascript', await readFile(inline)],
      '/item.json': ['application/json', item],
    }
    server = createServer(({ url }, response) => {
      const [type, body] = served[url ?? ''] ?? []
      if (type === undefined) return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: findChromium() ?? '',
      ignoreDefaultArgs: ['--disable-extensions'],
      args: [...CHROMIUM_ARGS, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
    })
  })
  afterAll(async () => {
    await context?.close()
    server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('does not believe what the page has put into IndexedDB', async () => {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForSelector('html[data-script]', { state: 'attached' })
    const { page: own, script } = await page.evaluate(() => ({ ...document.documentElement.dataset }))
    expect(JSON.parse(own!)).toEqual({ status: 'valid', via: 'cache', kzg: 'trusted' })
    expect(JSON.parse(script!)).toEqual({ status: 'invalid', via: null, kzg: 'absent' })
  })

  it('does not believe it either once its extension was reloaded, and it goes on alone', async () => {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForSelector('html[data-script]', { state: 'attached' })
    const [background] = context.serviceWorkers()
    await background!.evaluate('chrome.runtime.reload()').catch(() => {})
    const askAgain = async (): Promise<string | undefined> => {
      await page.evaluate(() => {
        delete document.documentElement.dataset['script']
        dispatchEvent(new Event('planted'))
      })
      await page.waitForSelector('html[data-script]', { state: 'attached' })
      return await page.evaluate(() => document.documentElement.dataset['id'])
    }
    await expect.poll(askAgain, { timeout: 20_000, interval: 200 }).toBe('none any more')
    const { script } = await page.evaluate(() => ({ ...document.documentElement.dataset }))
    expect(JSON.parse(script!)).toEqual({ status: 'invalid', via: null, kzg: 'absent' })
  })
})
