/** How the demo page is laid out: that nothing jumps or blinks, that the outcome is in view, and that hashes can be copied. */
import type {} from 'blobcheck/elements'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockFile, controlled, hasChromium, press, settled, Site, states } from '../../support/site.ts'

const viewports = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const

describe.skipIf(!hasChromium)('the layout of the demo page', () => {
  let site: Site

  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())

  it('is all on paper, and nothing that belongs together is on two pages, wherever pages end', async () => {
    const visitor = await site.visitor({ viewport: { width: 717, height: 1_000 } })
    const { page } = await visitor.open()
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(beyondPaper)).toEqual([])
    for (const height of [500, 600, 700, 800, 900, 1_000, 1_100])
      expect(await page.evaluate(brokenByPages, height), `pages of ${height} pixels`).toEqual([])
    await visitor.context.close()
  })

  for (const [name, viewport] of Object.entries(viewports)) {
    it(`keeps everything where it is while it loads and is tampered with, on a ${name}`, async () => {
      const visitor = await site.visitor({ viewport, reducedMotion: 'reduce' })
      const { page } = await visitor.newPage()
      await page.addInitScript(noteShifts)
      // Late, so that the page is painted without it.
      await page.route('**/holesky*.ssz', async (route) => {
        await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0)
        await route.continue()
      })
      await page.goto(site.origin)
      const early = await tops(page)
      await settled(page)
      await controlled(page)
      expect(await shifted(page)).toBeLessThan(0.1)
      expect(moved(early, await tops(page))).toEqual([])

      // As much as there can be to say: bytes of several blobs, several of one blob.
      for (const at of ['1', '1', '4']) {
        await page.getByLabel('Blob to tamper with').selectOption(at)
        await press(page, 'Tamper one byte')
        expect(moved(early, await tops(page))).toEqual([])
      }
      expect((await states(page)).filter((state) => state === 'rejected')).toHaveLength(2)
      expect(await page.locator('.bytes', { hasText: 'Tampered' }).count()).toBe(2)
      expect(await page.locator('.bytes', { hasText: 'and 1 more' }).count()).toBe(1)
      await press(page, 'Restore')
      expect(moved(early, await tops(page))).toEqual([])

      // Nor does a cell that is inspected, or a chain that is broken, move anything.
      await page.$eval('blob-grid', (grid) => grid.select(3, 1))
      for (const title of ['Commitment', 'Header']) {
        await page.getByRole('button', { name: `Break: ${title}` }).click()
        await page.waitForSelector('#bar[data-state=refused]')
        await settled(page)
        expect(moved(early, await tops(page))).toEqual([])
      }
      await visitor.context.close()
    })

    it(`shows what became of a tampered blob, on a ${name}`, async () => {
      const visitor = await site.visitor({ viewport, reducedMotion: 'reduce' })
      const { page } = await visitor.open()
      for (const at of [0, 5]) {
        await page.evaluate(() => scrollTo(0, 0))
        await page.getByLabel('Blob to tamper with').selectOption(String(at))
        await press(page, 'Tamper one byte')
        const card = page.getByRole('article', { name: `Blob ${at}` })
        for (const part of ['h3', '.verdict', '.flip', '.what']) {
          const box = (await card.locator(part).boundingBox())!
          expect([at, part, box.y >= 0 && box.y + box.height <= viewport.height]).toEqual([at, part, true])
        }
        expect(await card.locator('.verdict').textContent()).toContain('Rejected')
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
      if (name === 'phone')
        expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4_500)
      await visitor.context.close()
    })
  }

  for (const source of ['live', 'file', 'simulated'])
    it(`does not jump where its address names the source “${source}”`, async () => {
      for (const viewport of Object.values(viewports)) {
        const visitor = await site.visitor({ viewport, reducedMotion: 'reduce' })
        const { page } = await visitor.newPage()
        await page.addInitScript(noteShifts)
        // On a machine that does everything else besides, the source may be late: what the page shows without it is seen elsewhere.
        await page.addInitScript(() => {
          const set = globalThis.setTimeout
          Object.assign(globalThis, {
            setTimeout: (act: () => void, ms: number) => set(act, ms === 3_000 ? 2 ** 30 : ms),
          })
        })
        await page.goto(`${site.origin}/?source=${source}`)
        await page.waitForSelector(`#panel-${source} button`)
        await page.waitForSelector('body:not(.arriving)')
        await controlled(page)
        expect(await shifted(page)).toBeLessThan(0.1)
        expect(await page.isVisible(`#panel-${source}`)).toBe(true)
        await visitor.context.close()
      }
    })

  it('does not blink: what a run takes away for a moment keeps its look', async () => {
    const visitor = await site.visitor()
    const { page } = await visitor.open()
    await controlled(page)
    const looks = await page.evaluate(async () => {
      const button = document.querySelector<HTMLButtonElement>('#tamper')!
      const look = (): string => {
        const { backgroundColor, color, borderColor } = getComputedStyle(button)
        return [button.getAttribute('aria-disabled'), backgroundColor, color, borderColor].join(' ')
      }
      // It may still fade in after the first run, when it could be pressed for the first time.
      await Promise.all(button.getAnimations().map(({ finished }) => finished))
      const seen = [look()]
      const started = performance.now()
      button.click()
      do {
        seen.push(look())
        await new Promise(requestAnimationFrame)
      } while (button.ariaDisabled === 'true' && performance.now() - started < 300)
      // What comes back has nothing to fade in.
      for (let frame = 0; frame < 3; frame++) {
        if (button.ariaDisabled === 'false' && performance.now() - started < 300) seen.push(look())
        await new Promise(requestAnimationFrame)
      }
      return seen
    })
    expect(looks.some((look) => look.startsWith('true'))).toBe(true)
    expect([...new Set(looks.map((look) => look.replace(/^(true|false) /, '')))]).toHaveLength(1)
    await visitor.context.close()
  })

  it('fits 390 pixels, however long a text is that an address or an endpoint brings', async () => {
    const visitor = await site.visitor({ viewport: viewports.phone })
    const { page } = await visitor.newPage()
    const long = 'W'.repeat(3_000)
    const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)
    await page.goto(`${site.origin}/?slot=${long}`)
    await settled(page)
    await page.waitForSelector('#alert:not([hidden])')
    expect((await page.textContent('#alert-text'))!.length).toBeLessThan(200)
    expect(await width()).toBeLessThanOrEqual(390)

    await page.route('https://node.example/**', (route) =>
      route.fulfill({
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
        json: { data: { genesis_validators_root: long } },
      }),
    )
    const address = new URLSearchParams({
      ...{ source: 'live', network: 'mainnet', beacon: 'https://node.example' },
      checkpoint: `0x${'11'.repeat(32)}`,
    })
    await page.goto(`${site.origin}/?${address.toString()}`)
    await page.click('#live-start')
    await page.waitForSelector('#live-trouble[data-kind=other-network]:not([hidden])')
    expect(await page.textContent('#live-trouble-text')).toContain('W'.repeat(60))
    expect(await width()).toBeLessThanOrEqual(390)
    await visitor.context.close()
  })

  for (const width of [320, 414])
    it(`fits ${width} pixels also with text of twice the usual size`, async () => {
      const visitor = await site.visitor({ viewport: { width, height: 800 } })
      for (const source of ['embedded', 'live', 'file', 'simulated']) {
        const { page } = await visitor.newPage()
        const browser = await visitor.context.newCDPSession(page)
        await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
        await page.goto(`${site.origin}/${source === 'embedded' ? '' : `?source=${source}`}`)
        await page.waitForSelector(`#panel-${source} button`)
        await page.waitForSelector('body:not(.arriving)')
        await page.waitForSelector('#bar[data-state=verified]')
        await page.locator('.experiments summary').click()
        await page.waitForSelector('#experiments-bench-run')
        expect([
          source,
          await page.evaluate(() => getComputedStyle(document.documentElement).fontSize),
        ]).toEqual([source, '32px'])
        expect([source, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
          source,
          width,
        ])
        expect([source, await cutOff(page)]).toEqual([source, []])
        await page.close()
      }
      await visitor.context.close()
    })

  it('has hashes whole, for who selects and copies them, and shortens what is seen', async () => {
    const visitor = await site.visitor()
    const { page } = await visitor.open()
    const block = JSON.parse(await readFile(blockFile, 'utf8')) as { data: { kzg_commitment: string }[] }
    const copied = await page.$$eval('.hex', (codes) =>
      codes.map((code) => {
        getSelection()!.selectAllChildren(code)
        const { width } = code.getBoundingClientRect()
        return { text: getSelection()!.toString(), title: (code as HTMLElement).title, width }
      }),
    )
    // Two of each blob, four roots of the header, and the block's in the bar.
    expect(copied).toHaveLength(17)
    for (const { text, title, width } of copied) {
      expect(text).toBe(title)
      expect(text).toMatch(/^0x([0-9a-f]{64}|[0-9a-f]{96})$/)
      expect(width).toBeLessThan(240)
    }
    for (const { kzg_commitment: commitment } of block.data)
      expect(copied.map(({ text }) => text)).toContain(commitment)
    await visitor.context.close()
  })
})

type Top = readonly [name: string, pixels: number]

/** What reaches out of its box where there is nothing to scroll: what is chosen, pressed and compared, and the verdict. */
async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const parts = [
      ...document.querySelectorAll('button, select, input, textarea, a, .hex, .bar strong, .figures dd'),
    ]
    return parts
      .filter((part) => {
        const { left, right } = part.getBoundingClientRect()
        const box = part.parentElement!.closest('p, div, dd, li, section, fieldset')!.getBoundingClientRect()
        const isShortened = part.localName === 'strong' && part.scrollWidth > part.clientWidth
        return right - left > 1 && (left < box.left - 1 || right > box.right + 1 || isShortened)
      })
      .map((part) => part.id || part.className || part.textContent)
  })
}

/** Where things are on the page, in pixels from its top. */
async function tops(page: Page): Promise<Top[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll('.controls, .outcome, .core > *, .card, .legend, h2:not(.cells > *)')].map(
      (part): [string, number] => [
        part.id || part.className.split(' ')[0]!,
        part.getBoundingClientRect().top + scrollY,
      ],
    ),
  )
}

/** What has moved by a pixel or more: lines of text have heights that are no whole pixels. */
function moved(before: readonly Top[], now: readonly Top[]): (readonly [Top, Top | undefined])[] {
  return before
    .map((top, at) => [top, now[at]] as const)
    .filter(([[, pixels], other]) => other === undefined || Math.abs(other[1] - pixels) >= 1)
}

/** Runs in the page: the cards that are not whole in its width, and the links whose sentence is not to be read. */
function beyondPaper(): string[] {
  const { children } = document.querySelector('trust-chain')!.shadowRoot!.querySelector('ol')!
  const sentences = Array.from(children, (link) => link.querySelector<HTMLElement>('[part~=text]')!)
  const unseen = sentences.filter(({ offsetHeight }) => offsetHeight < 10)
  const cards = [...document.querySelectorAll<HTMLElement>('.card')]
  const cut = cards.filter((card) => card.getBoundingClientRect().right > document.body.clientWidth)
  return [...unseen, ...cut].map(({ textContent }) => textContent)
}

/** Runs in the page: what is on two pages of a height in pixels. Columns are broken as pages are, and can be looked at. */
function brokenByPages(height: number): string[] {
  const { style } = document.body
  Object.assign(style, { columns: '717px', columnFill: 'auto', height: `${height}px` })
  const links = document.querySelector('trust-chain')!.shadowRoot!.querySelectorAll<HTMLElement>('li')
  const parts = document.querySelectorAll<HTMLElement>('.cells, .timeline, .card, .figures > div, .lines')
  const broken = [...links, ...parts].filter((part) => part.getClientRects().length > 1)
  return broken.map(({ className, textContent }) => className || textContent)
}

/** Runs in the page, before all else. */
function noteShifts(): void {
  const shifts: number[] = []
  Object.assign(globalThis, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      shifts.push(entry.value)
  }).observe({ type: 'layout-shift', buffered: true })
}

/** The cumulative layout shift so far. */
async function shifted(page: Page): Promise<number> {
  return await page.evaluate(() =>
    (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0),
  )
}
