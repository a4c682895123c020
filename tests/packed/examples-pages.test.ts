/** The examples that run in a browser say what their READMEs say, in Chromium: with two workers, where there can be any. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createServer as createDevServer } from 'vite'
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.mjs'
import { serveFolder, typeOf } from '../support/consumers.ts'
import { type Example, installShared, openExample, type Shared } from '../support/examples.ts'
import { blockFile, hasChromium, launchChromium } from '../support/site.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** What is to be undone after a test, in the order in which it was done. */
const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

let shared: Shared
beforeAll(async () => {
  shared = await installShared()
})
afterAll(async () => await shared?.remove())

async function open(name: string, from: Shared | null = shared): Promise<Example> {
  const example = await openExample(name, from)
  undo.push(() => example.remove())
  return example
}

/** The block that the package carries, with one bit of its first blob changed: a file to choose. */
async function spoiledBlock(folder: string): Promise<string> {
  const answer = JSON.parse(await readFile(blockFile, 'utf8')) as { data: { blob: string }[] }
  const [first] = answer.data
  first!.blob = first!.blob.replace(/.$/, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16))
  const path = join(folder, 'spoiled.json')
  await writeFile(path, JSON.stringify(answer))
  return path
}

/** A README's line about six blobs, as it is where one of them is not valid. */
function withOneLess(promised: string | undefined): string {
  const spoiled = promised!.replace('6', '5')
  expect(spoiled).not.toBe(promised)
  return spoiled
}

/** Waits until the page's summary is the given line of a README. */
async function summary(page: Page, promised: string | undefined): Promise<void> {
  const expected = promised!.trim()
  await expect.poll(() => page.textContent('#summary'), { timeout: 60_000, interval: 20 }).toBe(expected)
}

describe.skipIf(!hasChromium)('in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(async () => await browser?.close())

  /** A page that is given two cores, whatever the machine has; what it complains of is collected. */
  async function newPage(): Promise<{ readonly page: Page; readonly complaints: string[] }> {
    const context = await browser.newContext()
    undo.push(() => context.close())
    const page = await context.newPage()
    await page.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { value: 2 })`,
    )
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !/favicon/.test(message.location().url))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    return { page, complaints }
  }

  describe('explorer-vite', () => {
    async function tellsApart(origin: string, [valid, spoiled]: readonly string[]): Promise<void> {
      const { page, complaints } = await newPage()
      await page.goto(origin)
      await summary(page, valid)
      await page.getByRole('button', { name: 'Change a bit of the first blob' }).click()
      await summary(page, spoiled)
      // As a reader of the screen has it: a table with names, and words, not colours.
      const table = page.getByRole('table', { name: 'Each blob, and what was checked about it' })
      const first = table.getByRole('row', { name: /^0 / })
      expect(await first.getByRole('cell').allTextContents()).toContain(
        'invalid: it does not belong to its commitment',
      )
      expect(await table.getByRole('rowheader').count()).toBe(6)
      expect(complaints).toEqual([])
    }

    it('as it is built', async () => {
      const { folder, promised } = await open('explorer-vite')
      await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], { cwd: folder })
      await tellsApart(await serveFolder(join(folder, 'dist')), promised)
    })

    it('as it is developed', async () => {
      // Its server serves no file of other folders.
      const { folder, promised } = await open('explorer-vite', null)
      const server = await createDevServer({
        root: folder,
        configFile: false,
        logLevel: 'error',
        server: { host: '127.0.0.1', port: 0, hmr: false },
      })
      undo.push(() => server.close())
      await server.listen()
      const { port } = server.httpServer!.address() as AddressInfo
      await tellsApart(`http://127.0.0.1:${port}`, promised)
    })
  })

  it('cdn-page', async () => {
    const { folder, promised } = await open('cdn-page')
    const { page, complaints } = await newPage()
    const asked: string[] = []
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    await page.route('https://cdn.jsdelivr.net/**', async (route) => {
      const path = new URL(route.request().url()).pathname.replace(`/npm/blobcheck@${version}/`, '')
      asked.push(path)
      await route.fulfill({
        body: await readFile(join(shared.folder, path)),
        headers: { 'access-control-allow-origin': '*', 'content-type': typeOf(path) },
      })
    })
    await page.goto(await serveFolder(folder))
    await summary(page, promised[0])
    await page.setInputFiles('#file', await spoiledBlock(folder))
    await summary(page, withOneLess(promised[0]))
    expect(await page.locator('#verdicts li').allTextContents()).toEqual([
      'invalid: proof-mismatch',
      ...Array<string>(5).fill('valid'),
    ])
    expect(asked).toEqual(['dist/inline/index.js', 'data/holesky_1409759_blob_sidecars.json.gzip'])
    expect(complaints).toEqual([])
  })
})

it.skipIf(!hasChromium)('extension-mv3', async () => {
  const { folder, promised, start } = await open('extension-mv3')
  expect(await start('start')).toEqual({ printed: promised[0], code: 0 })
  const extension = join(folder, 'extension')
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: findChromium() ?? '',
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [...CHROMIUM_ARGS, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  })
  undo.push(() => context.close())
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const page = await context.newPage()
  await page.goto(new URL('popup.html', worker.url()).href)
  await page.setInputFiles('#file', blockFile)
  await summary(page, promised[1])
  await page.setInputFiles('#file', await spoiledBlock(folder))
  await summary(page, withOneLess(promised[1]))
  expect(await page.locator('#verdicts li').first().textContent()).toBe('invalid: proof-mismatch')
  for (const [name, text] of [
    ['none.json', '{"data":[]}'],
    ['error.json', '{"code":404,"message":"NOT_FOUND"}'],
  ] as const) {
    await writeFile(join(folder, name), text)
    await page.setInputFiles('#file', join(folder, name))
    await summary(page, 'The file has no blobs in it.')
    expect(await page.locator('#verdicts li').count()).toBe(0)
    await page.setInputFiles('#file', blockFile)
    await summary(page, promised[1])
  }
  // A service worker that is ended while it verifies: the first answer is none, and the next message starts another one.
  await page.evaluate(`{
    const { sendMessage } = chrome.runtime
    let sent = 0
    chrome.runtime.sendMessage = async (message) => (sent++ === 0 ? undefined : sendMessage.call(chrome.runtime, message))
  }`)
  await page.setInputFiles('#file', await spoiledBlock(folder))
  await summary(page, withOneLess(promised[1]))
  await page.evaluate(`chrome.runtime.sendMessage = async () => undefined`)
  await page.setInputFiles('#file', blockFile)
  await summary(
    page,
    'The browser ended the service worker, so nothing is known of the blobs. Choose the file again.',
  )
})
