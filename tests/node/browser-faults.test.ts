/**
 * What browsers do to a page and to what it keeps: a disk that is full or damaged, two tabs, a page that is frozen, left and come back to, a
 * service worker that is stopped. Whatever it is, the six blobs of the real block are valid in the end, and nothing else is said of them.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.mjs'
import { engines } from '../support/engines/engines.ts'
import { readVerifierModule } from '../support/modules.ts'
import { blockFile, hasChromium, Visitor } from '../support/site.ts'

const inlineFile = fileURLToPath(new URL('../../dist/inline/index.js', import.meta.url))

/** Who says that a blob is valid, for each, or what else is said of it; and how often the store failed. */
interface Outcome {
  readonly vias: readonly string[]
  readonly failures: number
}

const check = `import { createVerifier } from './inline.js'
export const fetchBlock = async () => await (await fetch('./block.json')).text()
export async function check(workers, block, wasm) {
  const verifier = await createVerifier({ network: 'holesky', workers, wasm })
  const verdicts = await verifier.verifyBlobSidecars(block ?? (await fetchBlock()))
  await verifier.dispose()
  return { vias: verdicts.map(({ status, via }) => via ?? status), failures: verifier.stats().cacheFailures }
}`

/** Leaves at some moment, begins to verify with these modules, and tells the server of its outcome once it is come back to, from memory or anew. */
const leaving = (moment: string, wasm: string): string => `import { check, fetchBlock } from './check.js'
const isBack = sessionStorage.getItem('left') !== null
sessionStorage.setItem('left', '')
// A page that leaves while it is loaded is not one to come back to.
const loaded = new Promise((resolve) => addEventListener('load', () => setTimeout(resolve)))
// Whatever it fetches when it leaves, WebKit forgets without a word to it.
const outcome = Promise.all([fetchBlock(), loaded]).then(([block]) => {
  if (!isBack) void ${moment}.then(() => location.assign('./elsewhere'))
  return check(1, block, ${wasm})
})
const tell = async (persisted) => {
  const told = await outcome.catch((error) => ({ vias: [String(error)], failures: 0 }))
  await fetch('./outcome', { method: 'POST', body: JSON.stringify({ ...told, persisted }) })
}
if (isBack) void tell(false)
addEventListener('pageshow', ({ persisted }) => persisted && void tell(true))`

const page = (script: string): string =>
  `<!doctype html><title>blobs</title><link rel="icon" href="data:,"><script type="module">${script}</script>`

const files: Readonly<Record<string, readonly [type: string, body: () => Promise<string | Buffer>]>> = {
  '/': ['text/html', async () => page("globalThis.check = (await import('./check.js')).check")],
  '/leaving': ['text/html', async () => page(leaving('new Promise((resolve) => setTimeout(resolve))', '{}'))],
  '/leaving-for-module': [
    'text/html',
    async () => page(leaving("fetch('./module-is-asked-for')", "{ simd128: './module.wasm' }")),
  ],
  '/module-is-asked-for': ['text/plain', async () => (await moduleAsked.hasCome, '')],
  // It is long in coming: the page is left by then.
  '/module.wasm': [
    'application/wasm',
    async () => {
      moduleAsked.come()
      await elsewhereAsked.hasCome
      return Buffer.from(await readVerifierModule('simd128'))
    },
  ],
  '/elsewhere': [
    'text/html',
    async () => {
      elsewhereAsked.come()
      return page("addEventListener('pageshow', () => setTimeout(() => history.back()))")
    },
  ],
  '/check.js': ['text/javascript', async () => check],
  '/inline.js': ['text/javascript', async () => await readFile(inlineFile)],
  '/block.json': ['application/json', async () => await readFile(blockFile)],
  '/service-worker.js': [
    'text/javascript',
    async () => `import { check } from './check.js'
      addEventListener('message', ({ ports: [port] }) => {
        port.postMessage('begun')
        check(0).then((outcome) => port.postMessage(outcome))
      })`,
  ],
}

/** Something that happens once. */
class Moment {
  come!: () => void
  readonly hasCome = new Promise<void>((resolve) => (this.come = resolve))
}
let moduleAsked: Moment
let elsewhereAsked: Moment

const each = (via: string): string[] => Array<string>(6).fill(via)

/** Called when the last byte of the block was sent. */
let blockSent: (() => void) | undefined

/** That all blobs are valid, whether they were verified now or before. */
function expectValid(vias: readonly string[]): void {
  // As text: the first line of a failure says what it was.
  expect(vias.filter((via) => via !== 'kzg' && via !== 'cache').join()).toBe('')
  expect(vias).toHaveLength(6)
}

let server: Server
let origin: string
beforeAll(async () => {
  server = createServer((request, response) => {
    const [type, body] = files[request.url ?? '/'] ?? []
    if (request.url === '/outcome') {
      void json(request).then((value) => (told = value as typeof told))
      return void response.end()
    }
    if (body === undefined) return void response.writeHead(404).end()
    if (request.url === '/block.json') response.once('finish', () => blockSent?.())
    void body().then((bytes) => response.writeHead(200, { 'content-type': type }).end(bytes))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

let profile: string
beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), 'blobcheck-faults-'))
})
afterEach(async () => await rm(profile, { recursive: true, force: true, maxRetries: 20 }))

/** Chromium with the profile as it was left, and, unlike Playwright's, with pages that are kept in memory when they are left. */
async function startChromium(): Promise<BrowserContext> {
  return await chromium.launchPersistentContext(profile, {
    executablePath: findChromium() ?? '',
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: CHROMIUM_ARGS,
  })
}

/** The ids of the processes that run pages and their workers. */
async function renderersOf(context: BrowserContext): Promise<number[]> {
  const protocol = await context.browser()!.newBrowserCDPSession()
  const { processInfo } = await protocol.send('SystemInfo.getProcessInfo')
  return processInfo.flatMap(({ type, id }) => (type === 'renderer' ? [id] : []))
}

describe.skipIf(!hasChromium)('Chromium', () => {
  let context: BrowserContext
  beforeEach(async () => {
    context = await startChromium()
  })
  afterEach(async () => await context.close())

  async function openTab(path = '/'): Promise<Page> {
    const tab = await context.newPage()
    await tab.goto(origin + path)
    if (path === '/') await tab.waitForFunction(() => 'check' in globalThis)
    return tab
  }

  const checkIn = async (tab: Page): Promise<Outcome> =>
    await tab.evaluate(async () => {
      return await (globalThis as unknown as { check(workers: number): Promise<Outcome> }).check(1)
    })

  it('whose two tabs verify at once, and a third one afterwards', async () => {
    const tabs = [await openTab(), await openTab()]
    for (const { vias, failures } of await Promise.all(tabs.map(checkIn))) {
      // One may be late enough to find what the other has kept.
      expectValid(vias)
      expect(failures).toBe(0)
    }
    expect(await checkIn(await openTab())).toEqual({ vias: each('cache'), failures: 0 })
  })

  it('whose disk is full', async () => {
    const tab = await openTab()
    const protocol = await context.newCDPSession(tab)
    await protocol.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
    const full = await checkIn(tab)
    expect(full.vias).toEqual(each('kzg'))
    expect(full.failures).toBeGreaterThan(0)
    await protocol.send('Storage.overrideQuotaForOrigin', { origin })
    expect(await checkIn(tab)).toEqual({ vias: each('kzg'), failures: 0 })
    expect(await checkIn(tab)).toEqual({ vias: each('cache'), failures: 0 })
  })

  it('whose disk has damaged what was kept', async () => {
    expect((await checkIn(await openTab())).vias).toEqual(each('kzg'))
    await context.close()
    const stored = (await readdir(profile, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && entry.parentPath.endsWith('.indexeddb.leveldb') && entry.name !== 'LOCK',
    )
    expect(stored.length).toBeGreaterThan(2)
    for (const { parentPath, name } of stored) {
      const path = join(parentPath, name)
      await writeFile(path, (await readFile(path)).fill(0xa5))
    }
    context = await startChromium()
    expect((await checkIn(await openTab())).vias).toEqual(each('kzg'))
    // It is made anew.
    expect((await checkIn(await openTab())).vias).toEqual(each('cache'))
  })

  // Windows has no signal that stops a process.
  it.skipIf(process.platform === 'win32')('whose page is frozen in the middle of a call', async () => {
    const tab = await openTab()
    const renderers = await renderersOf(context)
    expect(renderers.length).toBeGreaterThan(0)
    /** What is over. */
    const over: string[] = []
    // The page has its workers then, and all bytes of its block are on their way.
    const stopped = new Promise<void>((resolve) => {
      blockSent = () => {
        for (const id of renderers) process.kill(id, 'SIGSTOP')
        resolve()
      }
    })
    const call = checkIn(tab).finally(() => over.push('call'))
    try {
      // A call that fails before it has its block is told.
      await Promise.race([stopped, call])
      const question = tab.evaluate(() => {}).finally(() => over.push('question'))
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(over, 'nothing goes on').toEqual([])
      for (const id of renderers) process.kill(id, 'SIGCONT')
      await question
    } finally {
      blockSent = undefined
      for (const id of renderers) process.kill(id, 'SIGCONT')
    }
    expect((await call).vias).toEqual(each('kzg'))
  })

  it('that stops a service worker in the middle of its work, and after it', async () => {
    const tab = await openTab()
    const protocol = await context.newCDPSession(tab)
    await protocol.send('ServiceWorker.enable')
    await tab.evaluate(async () => {
      await navigator.serviceWorker.register('./service-worker.js', { type: 'module' })
      await navigator.serviceWorker.ready
    })
    /** What a service worker says first, or the first thing after that it has begun. */
    const ask = async (isPatient: boolean): Promise<unknown> =>
      await tab.evaluate(async (isPatient) => {
        const { active } = await navigator.serviceWorker.ready
        const { port1, port2 } = new MessageChannel()
        active!.postMessage(null, [port2])
        return await new Promise((resolve) => {
          port1.onmessage = ({ data }) => {
            if (data !== 'begun' || !isPatient) resolve(data as unknown)
          }
        })
      }, isPatient)
    expect(await ask(false)).toBe('begun')
    await protocol.send('ServiceWorker.stopAllWorkers')
    expectValid(((await ask(true)) as Outcome).vias)
    await protocol.send('ServiceWorker.stopAllWorkers')
    expect(await ask(true)).toEqual({ vias: each('cache'), failures: 0 })
  })
})

/** What a page says that left in the middle of its call, and whether it was in memory when it was come back to. */
let told: (Outcome & { readonly persisted: boolean }) | undefined
beforeEach(() => {
  told = undefined
  ;[moduleAsked, elsewhereAsked] = [new Moment(), new Moment()]
})

async function expectTold(engine: string): Promise<void> {
  await expect.poll(() => told, { timeout: 60_000 }).toBeDefined()
  console.log(`${engine}: the page was ${told!.persisted ? 'kept in memory' : 'loaded again'}`)
  expectValid(told!.vias)
}

describe.skipIf(!hasChromium)('a page that is left in the middle of a call, and come back to', () => {
  const site = { visitor: async () => new Visitor(origin, await startChromium()) }
  for (const { name, isHere, start } of engines)
    for (const [when, path] of [
      ['', 'leaving'],
      [', before its module is there', 'leaving-for-module'],
    ] as const)
      it.skipIf(!isHere)(`in ${name}${when}`, async () => {
        const browser = await start(site)
        try {
          await browser.open(`${origin}/${path}`)
          await expectTold(name)
        } finally {
          await browser.close()
        }
      })
})
