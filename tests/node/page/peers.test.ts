/** The bench of the demo page beside other libraries: what is loaded when, what is measured, and what is said of a library that is wrong, fails or hangs. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contrastFlaws } from '../../support/contrast.ts'
import { axeFindings, hasAxe } from '../../support/engines/axe.ts'
import { number } from '../../support/number.ts'
import { expectNotGivenUp, hasChromium, Site, type Visit, type Visitor, visits } from '../../support/site.ts'

const support = (path: string): string =>
  fileURLToPath(new URL(`../../support/peers/${path}`, import.meta.url))

/** The page’s build with the peers, which are played by this package. */
const played = {
  mode: 'with-peers',
  resolve: {
    alias: [
      { find: /^kzg-wasm$/, replacement: support('kzg-wasm.js') },
      { find: /^micro-eth-signer\/kzg\.js$/, replacement: support('micro-eth-signer.js') },
      { find: /^@paulmillr\/trusted-setups\/.*$/, replacement: support('micro-eth-signer.js') },
    ],
  },
}

const OURS = ['blobcheck', 'blobcheck, one worker']
const ALL = [...OURS, 'kzg-wasm', 'micro-eth-signer']
const POLL = { timeout: 60_000 }
const ROWS = ['From nothing to the first verdict', 'One blob', 'Six blobs', '128 cells']

describe.skipIf(!hasChromium)('the demo page with peers', () => {
  let site: Site
  let visitor: Visitor

  beforeAll(async () => {
    site = await Site.open('/', played)
  })
  afterAll(async () => await site?.close())
  beforeEach(async () => {
    visitor = await site.visitor({ reducedMotion: 'reduce' })
    return async () => await visitor.context.close()
  })

  async function opened(): Promise<Visit> {
    const visit = await visitor.open()
    await openExperiments(visit.page)
    return visit
  }

  it('loads nothing of them before it is asked for, says how much that is, and measures them side by side', async () => {
    const { page, complaints, requests } = await opened()
    const files = await peerFiles(site)
    expect(files).toHaveLength(3)
    expect(requests.filter((path) => path.includes('/peer'))).toEqual([])
    const bytes = await Promise.all(
      files.filter((name) => name.startsWith('peer-')).map(async (name) => await sizeOf(site, name)),
    )
    const whole = bytes.reduce((sum, size) => sum + size, 0)
    expect(await page.textContent('#experiments-peers-run')).toBe(
      `Load peers (${(whole / 1e6).toFixed(1)} MB)`,
    )
    expect(await page.textContent('#experiments-peers-note')).toMatch(/kzg-wasm 1\.\d+\.\d+ \(\d\.\d MB\)/)

    await run(page)
    expect(new Set(requests.filter((path) => path.includes('/peer')))).toEqual(
      new Set(files.map((name) => `/assets/${name}`)),
    )
    const groups = await table(page)
    expect(groups.map(({ what }) => what)).toEqual(ROWS)
    for (const { rows } of groups) {
      expect(rows.map(({ who }) => who)).toEqual(ALL)
      for (const { words, bar } of rows) {
        expect(words).toMatch(/^[\d.,]+ ms$/)
        expect(bar).toBeGreaterThan(0)
      }
      // Bars are as long as times: the longest one fills its column.
      expect(Math.max(...rows.map(({ bar }) => bar!))).toBeCloseTo(100)
      const shortest = rows.reduce((least, row) => (row.bar! < least.bar! ? row : least))
      expect(number(shortest.words)).toBe(Math.min(...rows.map(({ words }) => number(words))))
    }
    expect(await status(page)).toMatch(/^Each time is the median of 5 runs in turns/)
    expect(complaints).toEqual([])
  })

  it.skipIf(!hasAxe)('gives axe nothing to find, has enough contrast, and fits 360 pixels', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const narrow = await site.visitor({
        ...{ colorScheme, reducedMotion: 'reduce' },
        viewport: { width: 360, height: 740 },
      })
      const { page } = await narrow.open()
      await openExperiments(page)
      await play(page, 'kzg-wasm', 'throw new Error("broken")')
      await run(page)
      expect(await axeFindings(page), colorScheme).toEqual([])
      expect(await page.evaluate(contrastFlaws), colorScheme).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      await narrow.context.close()
    }
  })

  it('lists a library that finds everything valid as wrong, and does not time it', async () => {
    const { page } = await opened()
    await play(page, 'kzg-wasm', 'onmessage = ({ data }) => data.call && postMessage({ answer: true })')
    await play(page, 'micro-eth-signer', 'onmessage = ({ data }) => data.call && postMessage({ answer: 1 })')
    await run(page)
    const [first, ...others] = await table(page)
    // A first verdict is of a good blob: it is the others that show what it is worth.
    expect(wordsOf(first!, 'kzg-wasm')).toMatch(/ ms$/)
    for (const group of [first!, ...others])
      expect(wordsOf(group, 'micro-eth-signer')).toBe('a wrong answer, so not timed')
    for (const group of others) {
      expect(wordsOf(group, 'kzg-wasm')).toBe('a wrong answer, so not timed')
      for (const who of OURS) expect(wordsOf(group, who)).toMatch(/ ms$/)
    }
  })

  it('lists a library that fails, or does not come, with what it says, and measures the others', async () => {
    const { page } = await opened()
    await play(
      page,
      'kzg-wasm',
      'onmessage = ({ data }) => data.call && postMessage({ failure: "no table" })',
    )
    await page.route('**/peer-micro-eth-signer-*', (route) => route.fulfill({ status: 404 }))
    await run(page)
    const [first, ...others] = await table(page)
    expect(wordsOf(first!, 'kzg-wasm')).toBe('failed: no table')
    expect(wordsOf(first!, 'micro-eth-signer')).toBe('failed: its worker did not start')
    expect(others).toHaveLength(3)
    for (const { rows } of others) expect(rows.map(({ who }) => who)).toEqual(OURS)
  })

  it('leaves the page free while a library computes, and ends it when it is cancelled', async () => {
    const { page, complaints } = await opened()
    await play(page, 'micro-eth-signer', 'onmessage = ({ data }) => { while (data.call) {} }')
    await page.click('#experiments-peers-run')
    const computing = (): number =>
      page.workers().filter((worker) => worker.url().includes('/peer-micro')).length
    await expect.poll(computing, POLL).toBe(1)
    await page.click('#experiments-peers-cancel')
    await ended(page)
    expect(await status(page)).toBe('Cancelled.')
    await expect.poll(computing, POLL).toBe(0)
    await page.unroute('**/peer-micro-eth-signer-*')
    await run(page)
    expect((await table(page)).map(({ rows }) => rows.length)).toEqual([4, 4, 4, 4])
    expect(complaints).toEqual([])
  })

  it('keeps none of them for when there is no network', async () => {
    expect(await readFile(join(site.folder, 'service-worker.js'), 'utf8')).not.toContain('assets/peer')
  })
})

describe.skipIf(!hasChromium)('the demo page as it is packed', () => {
  const demo = visits()

  it('has no peers, and says where there are some', async () => {
    const { page } = await demo.visitor.open()
    await openExperiments(page)
    expect(await page.textContent('#experiments-peers-note')).toContain('npm run demo -- --peers')
    expect(await page.$('#experiments-peers-run')).toBeNull()
    expect(await peerFiles(demo.site)).toEqual([])
  })
})

async function openExperiments(page: Page): Promise<void> {
  await page.locator('#experiments summary').click()
  await page.waitForSelector('#experiments-peers-note')
}

/** Has a script in the place of a peer’s worker. */
async function play(page: Page, peer: string, body: string): Promise<void> {
  await page.route(`**/peer-${peer}-*`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}

async function run(page: Page): Promise<void> {
  await page.click('#experiments-peers-run')
  await ended(page)
}

/** A peer may take long to begin. Rejects where the page gave it up. */
async function ended(page: Page): Promise<void> {
  await page.waitForSelector('#experiments-peers-run[aria-disabled=false]', { timeout: 150_000 })
  await expectNotGivenUp(page, '#experiments-peers-status')
}

async function status(page: Page): Promise<string> {
  return (await page.textContent('#experiments-peers-status'))!
}

interface Group {
  readonly what: string
  readonly rows: readonly { readonly who: string; readonly words: string; readonly bar: number | null }[]
}

/** Bars by their length, as a percentage; null where there is none. */
async function table(page: Page): Promise<Group[]> {
  return await page.$$eval('#experiments-peers-table tbody', (bodies) =>
    bodies.map((body) => {
      const [head, ...rows] = [...body.querySelectorAll('tr')]
      return {
        what: head!.textContent,
        rows: rows.map((row) => {
          const bar = row.querySelector<HTMLElement>('.time-bar')
          const [who, words] = [...row.children].map(({ textContent }) => textContent)
          return { who: who!, words: words!, bar: bar === null ? null : Number.parseFloat(bar.style.width) }
        }),
      }
    }),
  )
}

function wordsOf({ rows }: Group, who: string): string | undefined {
  return rows.find((row) => row.who === who)?.words
}

async function peerFiles({ folder }: Site): Promise<string[]> {
  return (await readdir(join(folder, 'assets'))).filter((name) => name.startsWith('peer'))
}

async function sizeOf({ folder }: Site, name: string): Promise<number> {
  return (await readFile(join(folder, 'assets', name))).length
}
