/** The demo page as its visitors get it: built, served, and opened in Chromium. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type InlineConfig, preview, type PreviewServer } from 'vite'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.mjs'
import { buildPage, configFile, copyPage } from './page-build.ts'

export const blockFile = fileURLToPath(
  new URL('../../data/holesky_1409759_blob_sidecars.json', import.meta.url),
)

const executablePath = findChromium()
/** Whether there is a Chromium to open the page in; in CI there must be. */
export const hasChromium = executablePath !== undefined
if (!hasChromium) {
  if (process.env['CI'] === 'true') throw new Error('the page is to be tested in Chromium, and there is none')
  console.warn('SKIPPED: the demo page, for want of a Chromium (npm test installs one)')
}

export interface Visit {
  readonly page: Page
  /** Everything that the browser complained about: console errors, uncaught errors, violations of the page's policy. */
  readonly complaints: string[]
  /** Paths that were asked for, in order. */
  readonly requests: string[]
}

export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: executablePath ?? '',
    args: CHROMIUM_ARGS,
  })
}

export class Site {
  /** Where the page is served. */
  readonly origin: string
  /** The built files. */
  readonly folder: string
  readonly #server: PreviewServer
  readonly #browser: Browser

  private constructor(folder: string, server: PreviewServer, browser: Browser) {
    const address = server.httpServer.address()
    if (address === null || typeof address === 'string') throw new Error('the preview has no port')
    this.origin = `http://127.0.0.1:${address.port}`
    this.folder = folder
    this.#server = server
    this.#browser = browser
  }

  /** `base`: the path under which the page is served, from slash to slash. `config`: what is to be otherwise in the page’s build, of its own then. */
  static async open(base = '/', config?: InlineConfig): Promise<Site> {
    const folder = await mkdtemp(join(tmpdir(), 'blobcheck-page-'))
    const outDir = join(folder, 'dist')
    await (config === undefined ? copyPage(outDir) : buildPage(outDir, config))
    const server = await preview({
      configFile,
      logLevel: 'error',
      base,
      build: { outDir },
      preview: { host: '127.0.0.1', port: 0 },
    })
    return new Site(outDir, server, await launchChromium())
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await this.#server.close()
    await rm(join(this.folder, '..'), { recursive: true, force: true })
  }

  /** A visitor, whose IndexedDB starts empty. Without a service worker by default: it would answer in the place of the tests' routes. */
  async visitor(options: Parameters<Browser['newContext']>[0] = {}): Promise<Visitor> {
    return new Visitor(this.origin, await this.#browser.newContext({ serviceWorkers: 'block', ...options }))
  }

  /** From now on nobody answers at the origin; the browser stays. */
  async stopServing(): Promise<void> {
    await this.#server.close()
  }
}

export class Visitor {
  readonly context: BrowserContext
  readonly #origin: string

  constructor(origin: string, context: BrowserContext) {
    this.#origin = origin
    this.context = context
  }

  /** A page before it goes anywhere. */
  async newPage(): Promise<Visit> {
    const page = await this.context.newPage()
    // Of a machine that does everything else besides: a chain of 2 s a slot has taken a minute there to its third.
    page.setDefaultTimeout(240_000)
    const complaints: string[] = []
    const requests: string[] = []
    page.on('console', (message) => {
      const isOurs = !message.text().includes('registration blocked by Playwright')
      if (isOurs && ['error', 'warning'].includes(message.type())) complaints.push(message.text())
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

  /** Goes to the page, and waits until its first run is over. */
  async open(): Promise<Visit> {
    const visit = await this.newPage()
    await visit.page.goto(this.#origin)
    await settled(visit.page)
    return visit
  }
}

/** For the tests of a `describe`: one site for all of them, and a visitor of its own for each. */
export function visits(options?: Parameters<Site['visitor']>[0]): {
  readonly site: Site
  readonly visitor: Visitor
} {
  let site: Site
  let visitor: Visitor
  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())
  beforeEach(async () => {
    visitor = await site.visitor(options)
    return async () => await visitor.context.close()
  })
  return {
    get site() {
      return site
    },
    get visitor() {
      return visitor
    },
  }
}

/** For the tests of a `describe` that share one page: it is opened before them, and left with its visitor after them. */
export function sharedVisit(open: () => Promise<Visit>): Visit {
  let visit: Visit
  beforeAll(async () => {
    visit = await open()
  })
  // Where it could not be opened there is none.
  afterAll(async () => await (visit as Visit | undefined)?.page.context().close())
  return {
    get page() {
      return visit.page
    },
    get complaints() {
      return visit.complaints
    },
    get requests() {
      return visit.requests
    },
  }
}

/** The state of each blob's card. */
export async function states(page: Page): Promise<(string | undefined)[]> {
  return await page.$$eval('.card', (cards) => cards.map((card) => (card as HTMLElement).dataset['state']))
}

/** Waits until a run is over: “Cancel” has nothing to cancel, and “Verify again” may be pressed. Rejects where the page gave it up. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('#again[aria-disabled=false]')
  await expectNotGivenUp(page, '#alert:not([hidden]) #alert-text')
}

/** Rejects with what the page says in a place, where that is that a run showed no sign of life: what is looked for next is not there. */
export async function expectNotGivenUp(page: Page, place: string): Promise<void> {
  const words = await page.evaluate((place) => document.querySelector(place)?.textContent ?? '', place)
  if (words.startsWith('The verification was given up')) throw new Error(words)
}

/** Waits for the control, the last thing that a first visit does. */
export async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('#control')?.textContent !== '')
}

/** Presses a button and waits for the run that it starts. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await settled(page)
}
