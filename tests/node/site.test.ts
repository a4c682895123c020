/** The documentation's site: it builds, every link in it leads somewhere, and it needs nothing but the host that it lies on. */
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDocs, dist, prepareDocs } from '../../scripts/docs.mjs'
import { checkLinks } from '../../scripts/links.mjs'
import { hasChromium, launchChromium } from '../support/site.ts'

// Under a path, as a host of projects has it. At the root of a host there is less to go wrong.
const BASE = '/blobcheck/'

let found: ReturnType<typeof checkLinks>

beforeAll(async () => {
  await prepareDocs(console.log)
  await buildDocs(BASE)
  found = checkLinks(dist, BASE)
})

describe('the links of the site', () => {
  it('lead somewhere, each of them', () => {
    const { pages, links, dead } = found
    expect(dead).toEqual([])
    expect(links).toBeGreaterThan(1_000)
    for (const page of [
      'index',
      'start',
      'concepts/index',
      'guides/wallet',
      'migration',
      'security',
      'api/blobcheck/kzg',
    ])
      expect(pages).toContain(`${page}.html`)
  })

  it('include every entry of the package', async () => {
    const { exports } = JSON.parse(
      await readFile(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
    ) as { readonly exports: Record<string, { readonly types?: string } | string> }
    const entries = Object.entries(exports)
      .filter(([path, target]) => typeof target !== 'string' && !path.endsWith('worker'))
      .map(([path]) => `api/blobcheck${path.slice(1)}.html`)
    expect(found.pages).toEqual(expect.arrayContaining(entries))
  })

  it('are seen to be dead where they are', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blobcheck-links-'))
    try {
      await mkdir(join(folder, 'a'))
      await writeFile(join(folder, 'a/b.html'), '<h1 id="there">b</h1>')
      const links = [
        '/base/a/b.html',
        'a/b.html#there',
        'a/b.html#gone',
        '/base/c.html',
        '/a/b.html',
        '#top',
        'https://other.example/',
      ]
      const page = links.map((link) => `<a class="x" href="${link}">x</a>`).join('')
      await writeFile(join(folder, 'index.html'), `${page}<script src="https://other.example/x.js"></script>`)
      expect(checkLinks(folder, '/base/').dead.map(({ link, reason }) => [link, reason])).toEqual([
        ['a/b.html#gone', 'no such anchor'],
        ['/base/c.html', 'no such page'],
        ['/a/b.html', 'outside of /base/'],
        ['#top', 'no such anchor'],
        ['https://other.example/x.js', 'loaded from another origin'],
      ])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe.skipIf(!hasChromium)('the site in Chromium', () => {
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
  }
  let browser: Browser
  let server: Server
  let origin: string

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://any').pathname
      const name = path.slice(BASE.length) + (path.endsWith('/') ? 'index.html' : '')
      readFile(join(dist, name)).then(
        (body) => response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(body),
        () => response.writeHead(404).end(),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  it('finds a word, shows its pictures, and asks no other origin for anything', async () => {
    const page = await browser.newPage()
    const complaints: string[] = []
    const foreign: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin))
        foreign.push(request.url())
    })
    await page.goto(`${origin}${BASE}`)
    // The page is there before its script is: nobody hears a key until the application is mounted.
    await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}))
    await page.keyboard.press('Control+k')
    await page.fill('.VPLocalSearchBox input', 'versioned hash')
    await page.waitForSelector('.VPLocalSearchBox .result')
    await page.click('.VPLocalSearchBox .result >> nth=0')
    await page.waitForURL((url) => url.pathname !== BASE)
    await page.goto(`${origin}${BASE}concepts/index.html`)
    expect(await page.getAttribute('svg.picture', 'aria-label')).toContain('sync committee')
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
    await page.close()
  })
})
