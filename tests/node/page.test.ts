/** The demo page as its visitors get it: built, served, and driven in Chromium. */
import { createVerifier } from 'blobcheck'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { build, preview, type PreviewServer } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium } from '../../scripts/chromium.mjs'

const configFile = fileURLToPath(new URL('../../web-demo/vite.config.ts', import.meta.url))
const blockFile = fileURLToPath(new URL('../../data/holesky_1409759_blob_sidecars.json', import.meta.url))

const executablePath = findChromium()
if (executablePath === undefined) {
  if (process.env['CI'] === 'true') throw new Error('the page is to be tested in Chromium, and there is none')
  console.warn('SKIPPED: the demo page, for want of a Chromium (npm test installs one)')
}

interface Visit {
  readonly page: Page
  /** Everything that the browser complained about: console errors, uncaught errors, violations of the page's policy. */
  readonly complaints: string[]
  /** Paths that were asked for, in order. */
  readonly requests: string[]
}

interface Block {
  readonly data: readonly { readonly kzg_commitment: string }[]
}

describe.skipIf(executablePath === undefined)('the demo page', () => {
  let folder: string
  let server: PreviewServer
  let browser: Browser
  let context: BrowserContext
  let origin: string

  beforeAll(async () => {
    expect(existsSync(blockFile), 'the block is there after the set-up').toBe(true)
    folder = await mkdtemp(join(tmpdir(), 'blobcheck-page-'))
    const outDir = join(folder, 'dist')
    await build({ configFile, logLevel: 'error', build: { outDir } })
    server = await preview({
      configFile,
      logLevel: 'error',
      build: { outDir },
      preview: { host: '127.0.0.1', port: 0 },
    })
    const address = server.httpServer.address()
    if (address === null || typeof address === 'string') throw new Error('the preview has no port')
    origin = `http://127.0.0.1:${address.port}`
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    })
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  // A context is a visitor: its IndexedDB starts empty.
  beforeEach(async () => {
    context = await browser.newContext()
    return async () => await context.close()
  })

  async function newPage(): Promise<Visit> {
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const complaints: string[] = []
    const requests: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.exposeFunction('tellViolation', (directive: string) => complaints.push(`policy: ${directive}`))
    await page.addInitScript(() => {
      const tell = (globalThis as unknown as { tellViolation(directive: string): void }).tellViolation
      document.addEventListener('securitypolicyviolation', (event) =>
        tell(`${event.effectiveDirective} ${event.blockedURI}`),
      )
    })
    return { page, complaints, requests }
  }

  async function open(): Promise<Visit> {
    const visit = await newPage()
    await visit.page.goto(origin)
    await settled(visit.page)
    return visit
  }

  const states = (page: Page): Promise<(string | undefined)[]> =>
    page.$$eval('.card', (cards) => cards.map((card) => (card as HTMLElement).dataset['state']))

  /** Waits until a run is over: “Cancel” has nothing to cancel, and “Verify again” may be pressed. */
  async function settled(page: Page): Promise<void> {
    await page.waitForSelector('#again[aria-disabled=false]')
  }

  /** Waits for the control, the last thing that a first visit does. */
  async function controlled(page: Page): Promise<void> {
    await page.waitForFunction(() => document.querySelector('#control')?.textContent !== '')
  }

  async function press(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name, exact: true }).click()
    await settled(page)
  }

  it('verifies the real block, rejects exactly what is tampered with, and recovers', async () => {
    const { page, complaints } = await open()
    expect(await states(page)).toEqual(Array(6).fill('valid'))
    expect(await page.getByRole('status').textContent()).toBe('6 of 6 blobs valid.')
    await controlled(page)
    expect(await page.textContent('#control')).toContain('refused')
    expect(await page.locator('.flip').count()).toBe(0)

    await page.getByLabel('Blob to tamper with').selectOption('3')
    await press(page, 'Tamper one byte')
    const after = await states(page)
    expect(after[3]).toBe('rejected')
    expect(after.filter((state) => state === 'remembered')).toHaveLength(5)
    const card = page.getByRole('article', { name: 'Blob 3' })
    expect(await card.textContent()).toContain('kzg: proof-mismatch')
    expect(await card.textContent()).toMatch(/Tampered: byte [\d,]+ was 0x[0-9a-f]{2}, is 0x[0-9a-f]{2}/)
    expect(await page.locator('.flip').count()).toBe(1)
    expect(await page.getByRole('status').textContent()).toContain('5 of 6 blobs valid. Blob 3:')
    expect(await page.textContent('#conclusion')).toMatch(/^Five of the six blobs/)

    await press(page, 'Verify again')
    expect((await states(page)).indexOf('rejected')).toBe(3)

    // Any blob: one that is still whole.
    await page.getByLabel('Blob to tamper with').selectOption('random')
    await press(page, 'Tamper one byte')
    expect((await states(page)).filter((state) => state === 'rejected')).toHaveLength(2)

    await press(page, 'Restore')
    expect(await states(page)).toEqual(Array(6).fill('remembered'))
    expect(await page.locator('.flip').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('remembers valid blobs over a reload, until it is told to forget them', async () => {
    const { page, complaints } = await open()
    await controlled(page)
    await page.reload()
    await settled(page)
    expect(await states(page)).toEqual(Array(6).fill('remembered'))
    expect(await page.textContent('#figure-cache')).toBe('6 of 6')
    await press(page, 'Forget and verify')
    expect(await states(page)).toEqual(Array(6).fill('valid'))
    expect(await page.textContent('#figure-cache')).toBe('0 of 6')
    expect(complaints).toEqual([])
  })

  it('says what is verified, trusted and absent, and takes a trusted header from its reader alone', async () => {
    const { page } = await open()
    const links = (): Promise<[string | undefined, string | undefined][]> =>
      page.$$eval('#links > li', (rows) =>
        rows.map((row) => [(row as HTMLElement).dataset['link'], (row as HTMLElement).dataset['state']]),
      )
    const before = [
      ['kzg', 'verified'],
      ['versioned-hash', 'absent'],
      ['inclusion', 'verified'],
      ['header', 'absent'],
      ['signature', 'absent'],
      ['sync-committee', 'absent'],
      ['checkpoint', 'absent'],
    ]
    expect(await links()).toEqual(before)
    expect(await page.textContent('#conclusion')).toContain(
      'Nothing here says that this header is part of the chain',
    )
    await page.getByRole('switch', { name: 'I trust this header' }).check()
    await page.waitForSelector('[data-link=header][data-state=trusted]')
    expect(await links()).toEqual(
      before.map(([link, state]) => [link, link === 'header' ? 'trusted' : state]),
    )
    await page.getByRole('switch', { name: 'I trust this header' }).uncheck()
    await page.waitForSelector('[data-link=header][data-state=absent]')
  })

  it('computes the versioned hashes and the block root that the verifier accepts as anchors', async () => {
    const { page } = await open()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.card .hash')].every((code) => code.textContent !== '…'),
    )
    const hashes = await page.$$eval('.card .hash', (codes) =>
      codes.map((code) => (code as HTMLElement).title as `0x${string}`),
    )
    const root = await page.$eval('#header code', (code) => (code as HTMLElement).title as `0x${string}`)
    const block = JSON.parse(await readFile(blockFile, 'utf8')) as Block
    const verifier = await createVerifier({ network: 'holesky', cache: false, workers: 1 })
    try {
      for (const [at, sidecar] of block.data.entries()) {
        const [byHash] = await verifier.verifyBlobSidecars([sidecar], {
          anchor: { versionedHashes: [hashes[at]!] },
          mode: 'cheap',
        })
        expect(byHash).toMatchObject({ status: 'unchecked', links: { 'versioned-hash': 'verified' } })
        const [byRoot] = await verifier.verifyBlobSidecars([sidecar], {
          anchor: { header: root },
          mode: 'cheap',
        })
        expect(byRoot).toMatchObject({ status: 'unchecked', links: { header: 'trusted' } })
      }
    } finally {
      await verifier.dispose()
    }
  })

  it('draws the blobs: as many dots as there are bytes that are not zero', async () => {
    const { page } = await open()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.filled')].every((count) => count.textContent !== '…'),
    )
    const drawn = await page.$$eval('.card canvas', (canvases) =>
      canvases.map((canvas) => {
        const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, 512, 256)
        return data.reduce((dots, value, at) => dots + (at % 4 === 3 && value > 0 ? 1 : 0), 0)
      }),
    )
    const block = JSON.parse(await readFile(blockFile, 'utf8')) as { data: { blob: string }[] }
    const expected = block.data.map(
      ({ blob }) => Buffer.from(blob.slice(2), 'hex').filter((byte) => byte !== 0).length,
    )
    expect(drawn).toEqual(expected)
    const named = await page.$$eval('.card .filled', (counts) => counts.map((count) => count.textContent))
    expect(named).toEqual(expected.map((count) => `${count.toLocaleString('en')} of 131,072`))
  })

  it('can be cancelled, and goes on afterwards', async () => {
    const { page, complaints } = await open()
    // Both in one task of the page, so that no verdict comes between them.
    await page.evaluate(() => {
      document.querySelector<HTMLButtonElement>('#forget')!.click()
      document.querySelector<HTMLButtonElement>('#cancel')!.click()
    })
    await settled(page)
    expect(await states(page)).toEqual(Array(6).fill('waiting'))
    expect(await page.getByRole('status').textContent()).toBe('Cancelled. 0 of 6 blobs valid.')
    await press(page, 'Verify again')
    expect(await states(page)).toEqual(Array(6).fill('valid'))
    expect(complaints).toEqual([])
  })

  it('works offline once it is loaded, rejections included', async () => {
    const { page, requests } = await open()
    await controlled(page)
    const before = requests.length
    await context.setOffline(true)
    await page.getByLabel('Blob to tamper with').selectOption('0')
    await press(page, 'Tamper one byte')
    expect((await states(page))[0]).toBe('rejected')
    await press(page, 'Restore')
    expect(await states(page)).toEqual(Array(6).fill('remembered'))
    expect(requests.slice(before)).toEqual([])
  })

  it('is reached by keyboard, and says its states in words', async () => {
    const { page } = await open()
    const stops: string[] = []
    for (let count = 0; count < 7; count++) {
      await page.keyboard.press('Tab')
      stops.push(await page.evaluate(() => document.activeElement?.id ?? ''))
    }
    expect(stops).toEqual(['tamper', 'target', 'restore', 'again', 'forget', 'cancel', 'trust'])
    expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).not.toBe('none')

    await page.getByRole('button', { name: 'Tamper one byte' }).focus()
    await page.keyboard.press('Enter')
    await settled(page)
    expect((await states(page)).filter((state) => state === 'rejected')).toHaveLength(1)
    expect(await page.evaluate(() => document.activeElement?.id), 'the focus stays where it was').toBe(
      'tamper',
    )

    expect(await page.getByRole('list').count()).toBeGreaterThanOrEqual(2)
    expect(await page.getByRole('progressbar', { name: 'Blobs with a verdict' }).count()).toBe(1)
    for (const card of await page.getByRole('article').all()) {
      expect(await card.locator('.verdict .word').textContent()).toMatch(
        /^(Valid|Valid, remembered|Rejected)$/,
      )
    }
    const flaws = await page.evaluate(() => {
      const found: string[] = []
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
      if (new Set(ids).size !== ids.length) found.push('an id is used twice')
      for (const control of document.querySelectorAll<HTMLInputElement>('button, input, select, progress')) {
        if (control.textContent?.trim() === '' && (control.labels?.length ?? 0) === 0)
          found.push(`${control.id} has no name`)
      }
      for (const picture of document.querySelectorAll('canvas')) {
        if (!picture.getAttribute('aria-label')) found.push('a picture has no description')
      }
      const levels = [...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) => Number(tagName[1]))
      if (levels.some((level, at) => level > (levels[at - 1] ?? 0) + 1))
        found.push('a level of headings is skipped')
      if (document.documentElement.lang !== 'en') found.push('the language is not named')
      return found
    })
    expect(flaws).toEqual([])
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has enough contrast in the ${colorScheme}, and fits 360 pixels`, async () => {
      await context.close()
      context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } })
      const { page } = await open()
      await press(page, 'Tamper one byte')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      expect(await page.evaluate(contrastFlaws)).toEqual([])
    })
  }

  it('says in words what is missing', async () => {
    const blockless = await newPage()
    await blockless.page.route('**/holesky*.json', (route) => route.fulfill({ status: 404 }))
    await blockless.page.goto(origin)
    await blockless.page.waitForSelector('#alert:not([hidden])')
    expect(await blockless.page.getByRole('alert').textContent()).toContain('its set-up fetches it')

    const wasmless = await newPage()
    await wasmless.page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'))
    await wasmless.page.goto(origin)
    await wasmless.page.waitForSelector('#alert:not([hidden])')
    expect(await wasmless.page.getByRole('alert').textContent()).toContain('This browser cannot verify here')
    expect(await states(wasmless.page)).not.toContain('valid')
  })

  it('verifies in its own thread where workers are refused, and says so', async () => {
    const { page } = await newPage()
    await page.addInitScript(() => {
      globalThis.Worker = class {
        constructor() {
          throw new DOMException('no workers here', 'SecurityError')
        }
      } as unknown as typeof Worker
    })
    await page.goto(origin)
    await settled(page)
    expect(await states(page)).toEqual(Array(6).fill('valid'))
    expect(await page.textContent('#figure-workers')).toBe('0')
    expect(await page.textContent('#note-workers')).toContain('refused by the browser')
  })

  it('fetches one kernel for its verdicts, and the baseline only to confirm a refusal', async () => {
    const { page, requests } = await newPage()
    // Without the control, which is what asks for the baseline.
    await page.addInitScript(() => {
      globalThis.requestIdleCallback = () => 0
    })
    await page.goto(origin)
    await settled(page)
    const kernels = (): string[] =>
      requests
        .filter((path) => path.endsWith('.wasm'))
        .map((path) => path.replace(/.*blobcheck_(\w+?)-.*/, '$1'))
    expect(kernels()).toEqual(['relaxed_simd'])
    await press(page, 'Tamper one byte')
    expect(kernels()).toEqual(['relaxed_simd', 'simd128'])
    expect(
      requests.every((path) => path === '/' || path.startsWith('/assets/') || path.startsWith('/holesky_')),
    ).toBe(true)
    await report(requests)
  })

  it('accuses nobody while it cannot confirm a refusal, and asks again when it can', async () => {
    const { page } = await newPage()
    await page.addInitScript(() => {
      globalThis.requestIdleCallback = () => 0
    })
    await page.route('**/*simd128*.wasm', (route) => route.abort())
    await page.goto(origin)
    await settled(page)
    await page.getByLabel('Blob to tamper with').selectOption('4')
    await press(page, 'Tamper one byte')
    expect((await states(page))[4]).toBe('unknown')
    expect(await page.getByRole('article', { name: 'Blob 4' }).textContent()).toContain(
      'Nothing is known about it',
    )
    await page.unroute('**/*simd128*.wasm')
    await press(page, 'Verify again')
    expect((await states(page))[4]).toBe('rejected')
  })

  it('does not hold up its main thread', async () => {
    const { page } = await open()
    const figure = async (name: string): Promise<string | null> => await page.textContent(`#figure-${name}`)
    const cold = [await figure('first'), await figure('total'), await figure('block')]
    await controlled(page)
    await press(page, 'Forget and verify')
    const second = [await figure('first'), await figure('total'), await figure('block')]
    // A figure, whatever it is: it is measured, not asserted.
    expect(second[2]).toMatch(/^≤ [\d.,]+ ms$/)
    console.log(
      `page: first verdict, all six, longest main-thread block: first run ${cold.join(', ')}; second run ${second.join(', ')}`,
    )
  })

  /** What the page weighs, as it is served, and as a server that compresses would send it. */
  async function report(requests: readonly string[]): Promise<void> {
    const assets = await readdir(join(folder, 'dist/assets'))
    for (const name of assets.filter((asset) => requests.includes(`/assets/${asset}`))) {
      const bytes = await readFile(join(folder, 'dist/assets', name))
      console.log(`page: ${name} ${bytes.length} bytes, ${brotliCompressSync(bytes).length} with brotli`)
    }
  }
})

/** In the page: texts whose contrast with what lies behind them is below 4.5 (WCAG 2.2, 1.4.3), those that cannot be used apart. */
function contrastFlaws(): string[] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
  canvas.canvas.width = canvas.canvas.height = 1
  const over = (colours: readonly string[]): number[] => {
    canvas.clearRect(0, 0, 1, 1)
    for (const colour of colours) {
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
    }
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]
  }
  const luminance = (rgb: readonly number[]): number => {
    const [red = 0, green = 0, blue = 0] = rgb.map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const flaws: string[] = []
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent?.trim())
    if (
      text.join('') === '' ||
      element.closest('[aria-disabled=true], option, noscript, template') ||
      !element.checkVisibility()
    )
      continue
    const behind: string[] = []
    for (let at: Element | null = element; at !== null; at = at.parentElement)
      behind.unshift(getComputedStyle(at).backgroundColor)
    const [a, b] = [
      luminance(over(behind)),
      luminance(over([...behind, getComputedStyle(element).color])),
    ].sort((x, y) => x - y)
    const contrast = (b! + 0.05) / (a! + 0.05)
    if (contrast < 4.5) flaws.push(`${text.join(' ')}: ${contrast.toFixed(2)}`)
  }
  return flaws
}
