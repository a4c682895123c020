/** The demo page without a network: it opens again, verifies and refuses, and a new build takes the place of the one that was kept. */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takePicture } from '../../support/pictures.ts'
import { hasChromium, press, settled, Site, states, type Visitor } from '../../support/site.ts'

const POLL = { timeout: 60_000 }

describe.skipIf(!hasChromium)('the demo page without a network', () => {
  let site: Site
  let visitor: Visitor

  beforeAll(async () => {
    site = await Site.open('/under/a/path/')
    visitor = await site.visitor({ serviceWorkers: 'allow' })
  })
  afterAll(async () => await site?.close())

  it('keeps one build: a new one takes its place when all pages of the former one are closed', async () => {
    const { page } = await visitor.newPage()
    await page.goto(`${site.origin}/under/a/path/`)
    await kept(page)
    const [first, ...others] = await caches(page)
    expect(first).toMatch(/^blobcheck-page-[0-9a-f]{16}$/)
    expect(others).toEqual([])

    const file = join(site.folder, 'service-worker.js')
    const script = await readFile(file, 'utf8')
    const build = first!.slice('blobcheck-page-'.length)
    await writeFile(file, script.replace(build, '0123456789abcdef'))
    await page.reload()
    const isWaiting = async (): Promise<boolean> =>
      (await navigator.serviceWorker.getRegistration())?.waiting?.state === 'installed'
    await expect.poll(async () => await page.evaluate(isWaiting), POLL).toBe(true)
    // This page may still ask for files of its own build.
    expect(await caches(page)).toContain(first)
    await page.close()

    // The browser ends the former worker when it likes, and not while a page is open.
    const next = async (): Promise<string[]> => {
      const { page } = await visitor.newPage()
      await page.goto(`${site.origin}/under/a/path/`)
      const names = await caches(page)
      await page.close()
      return names
    }
    await expect.poll(next, { ...POLL, interval: 1000 }).toEqual(['blobcheck-page-0123456789abcdef'])
  })

  it('keeps the document of a new build where the host lets browsers keep files for a while', async () => {
    const host = await hostWithCaching(site.folder)
    const fresh = await site.visitor({ serviceWorkers: 'allow' })
    const document = join(site.folder, 'index.html')
    const script = join(site.folder, 'service-worker.js')
    const [html, worker] = await Promise.all([document, script].map((file) => readFile(file, 'utf8')))
    try {
      const { port } = host.address() as AddressInfo
      const { page } = await fresh.newPage()
      const address = `http://127.0.0.1:${port}/`
      await page.goto(address)
      await kept(page)
      const [former] = await caches(page)
      await writeFile(document, `${html}<!-- a new build -->`)
      await writeFile(script, worker!.replace(former!.slice('blobcheck-page-'.length), 'fedcba9876543210'))
      // Another visit: to load the same page anew asks for its document in any case.
      const { page: next } = await fresh.newPage()
      await next.goto(address)
      const keptDocument = async (): Promise<string> => {
        if (!(await globalThis.caches.has('blobcheck-page-fedcba9876543210'))) return ''
        const cache = await globalThis.caches.open('blobcheck-page-fedcba9876543210')
        return (await (await cache.match('./', { ignoreVary: true }))?.text()) ?? ''
      }
      await expect.poll(async () => await next.evaluate(keptDocument), POLL).not.toBe('')
      expect((await next.evaluate(keptDocument)).includes('<!-- a new build -->')).toBe(true)
    } finally {
      await Promise.all([writeFile(document, html!), writeFile(script, worker!)])
      await fresh.context.close()
      host.closeAllConnections()
      host.close()
    }
  })

  it('opens again when nobody answers, remembers what was verified, and refuses what is tampered with', async () => {
    const { page, complaints } = await visitor.newPage()
    await page.goto(`${site.origin}/under/a/path/?slot=1409759`)
    await kept(page)
    await site.stopServing()
    await page.reload()
    await settled(page)
    expect(await states(page)).toEqual(Array(6).fill('remembered'))
    expect(await page.textContent('#figure-cache')).toBe('6 of 6')
    await takePicture(page, 'offline')
    await kept(page)
    await page.getByLabel('Blob to tamper with').selectOption('4')
    await press(page, 'Tamper one byte')
    expect((await states(page))[4]).toBe('rejected')
    await press(page, 'Forget and verify')
    expect((await states(page)).filter((state) => state === 'valid')).toHaveLength(5)
    await press(page, 'Restore')
    await page.waitForFunction(
      () => document.querySelector('#bar')?.getAttribute('data-state') === 'verified',
    )
    // The browser looks for a newer service worker, and for the icon, and may say that it finds none.
    expect(complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([])

    await visitor.context.setOffline(true)
    await page.waitForSelector('#offline:text("There is no network")')
  })
})

/** Serves a folder as many hosts do: for ten minutes nobody need ask for a file again. */
async function hostWithCaching(folder: string): Promise<Server> {
  const types: Readonly<Record<string, string>> = {
    ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' },
  }
  const host = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const file = pathname === '/' ? 'index.html' : pathname.slice(1)
    readFile(join(folder, file)).then(
      (bytes) => {
        response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
        response.setHeader('cache-control', 'max-age=600').end(bytes)
      },
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  return host
}

/** Waits until the page says that it is kept. */
async function kept(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('#offline')?.textContent !== '')
}

async function caches(page: Page): Promise<string[]> {
  return await page.evaluate(async () => await globalThis.caches.keys())
}
