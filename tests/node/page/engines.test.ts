/** The demo page in Firefox and WebKit: what it finds out is the same as in Chromium, which has more tests of it, with whichever kernel. */
import type {} from 'blobcheck/elements'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Driver } from '../../support/engines/driver.ts'
import { engines } from '../../support/engines/engines.ts'
import { compilesRelaxed, modulesOfVerifier } from '../../support/kernels-of-page.ts'
import { hasChromium, Site } from '../../support/site.ts'

/** The links that can be broken, in the order of the chain, with how many blobs are refused for each. */
const breakable = [
  ['blob', 1],
  ['proof', 1],
  ['cell', 0],
  ['commitment', 1],
  ['branch', 1],
  ['root', 6],
] as const

describe.skipIf(!hasChromium)('the demo page', () => {
  let site: Site

  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())

  for (const { name, isHere, start } of engines.filter(({ name }) => name !== 'Chromium'))
    describe.skipIf(!isHere)(`in ${name}`, () => {
      let page: Driver

      beforeAll(async () => {
        page = await start(site)
      })
      afterAll(async () => await page?.close())

      it('verifies the block, with the kernel and the workers that it names', async () => {
        await page.open(site.origin)
        await whole(page)
        expect(await states(page)).toEqual(Array(6).fill('valid'))
        expect(await text(page, '#bar-verdict')).toMatch(/^Verified here: 6 blobs, 768 cells, [\d.,]+ ms$/)
        expect(await text(page, '#status')).toBe('6 of 6 blobs valid.')
        const kernel = await text(page, '#figure-kernel')
        expect(kernel).toMatch(/^(relaxed-simd|simd128)$/)
        // Not the other way round: an engine may compile it and not compute it soundly.
        if (kernel === 'relaxed-simd') expect(await page.evaluate(compilesRelaxed)).toBe(true)
        expect(await text(page, '#note-kernel')).not.toBe('')
        expect(await page.evaluate(modulesOfVerifier)).toContain(kernel!.replace('-', '_'))
        const workers = Number(await text(page, '#figure-workers'))
        expect(workers).toBeGreaterThan(0)
        const { lanes, busy } = await page.evaluate(() => {
          const { workers, spans } = document.querySelector('worker-timeline')!
          return { lanes: workers, busy: spans.map(({ worker }) => worker) }
        })
        expect(lanes).toBe(workers)
        for (const worker of busy) expect(worker ?? 0).toBeLessThan(workers)
      })

      it('fetches the block once: what is asked for beforehand is what the script takes', async () => {
        expect(await page.evaluate(fetchesOfBlock)).toBe(1)
      })

      it('refuses what is broken at each link, and verifies it again when it is restored', async () => {
        expect(await page.evaluate(breakableLinks)).toEqual(breakable.map(([link]) => link))
        for (const [link, refused] of breakable) {
          await page.click(breakButton, link)
          await page.waitFor(isMarked, link, 'broken')
          await page.waitFor(isSettled)
          expect(await barState(page), link).toBe('refused')
          expect(await text(page, '#bar-verdict')).toBe(
            refused === 0 ? 'Refused here: 1 of 768 cells' : `Refused here: ${refused} of 6 blobs`,
          )
          expect((await states(page)).filter((state) => state === 'rejected')).toHaveLength(refused)

          await page.click(breakButton, link)
          await page.waitFor(isMarked, link, link === 'root' ? 'unknown' : 'verified')
          await page.waitFor(isSettled)
          expect(await barState(page), link).toBe('verified')
          expect(await states(page)).not.toContain('rejected')
        }
      })

      it('is worked by keyboard alone', async () => {
        await page.evaluate(() => document.querySelector<HTMLElement>('#cancel')!.focus())
        await page.press('Tab')
        expect(await page.evaluate(focused)).toBe('blob-grid')
        await page.press('Home')
        expect(await text(page, '#inspector-cell')).toBe('Blob 0, column 0: bytes 0 to 2,047')
        for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft'] as const)
          await page.press(key)
        expect(await text(page, '#inspector-cell')).toBe('Blob 1, column 0: bytes 0 to 2,047')
        await page.press('End')
        expect(await text(page, '#inspector-cell')).toBe('Blob 1, column 127: parity')

        await page.press('Tab')
        expect(await page.evaluate(focused)).toBe('trust-chain')
        await page.press('Enter')
        await page.waitFor(isMarked, 'blob', 'broken')
        await page.waitFor(isSettled)
        expect((await states(page)).indexOf('rejected'), 'the blob that the cursor is on').toBe(1)
        await page.press('Enter')
        await page.waitFor(isMarked, 'blob', 'verified')
        await page.waitFor(isSettled)
        expect(await barState(page)).toBe('verified')
      })

      it('shows what its address names as broken', async () => {
        await page.open(`${site.origin}/?break=proof&blob=2`)
        await page.waitFor(isMarked, 'proof', 'broken')
        await page.waitFor(isSettled)
        expect((await states(page)).indexOf('rejected')).toBe(2)
        expect(await barState(page)).toBe('refused')
        await page.click(breakButton, 'proof')
        await page.waitFor(isMarked, 'proof', 'verified')
        await page.waitFor(isSettled)
        expect(await page.evaluate(() => location.search)).toBe('')
        await whole(page)
      })

      it('remembers what it has verified over a reload, says so, and forgets it when it is told to', async () => {
        await page.reload()
        await whole(page)
        expect(await states(page)).toEqual(Array(6).fill('remembered'))
        expect(await text(page, '#figure-cache')).toBe('6 of 6')
        expect(await page.evaluate(textOfLink, 'proof')).toContain('on an earlier visit')
        await page.click(() => document.querySelector('#forget'))
        await page.waitFor(() => document.querySelector('#figure-cache')!.textContent === '0 of 6')
        await page.waitFor(isSettled)
        expect(await states(page)).toEqual(Array(6).fill('valid'))
      })

      it('gives the browser nothing to complain of', async () => {
        expect(await page.complaints()).toEqual([])
      })
    })
})

/** Waits until all blobs and all cells have been verified, and the control has been refused: the page has nothing left to do. */
async function whole(page: Driver): Promise<void> {
  await page.waitFor(() => document.querySelector('#control')?.textContent !== '')
  await page.waitFor(isSettled)
}

async function states(page: Driver): Promise<(string | undefined)[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.card')].map(({ dataset }) => dataset['state']),
  )
}

async function text(page: Driver, selector: string): Promise<string | null | undefined> {
  return await page.evaluate((selector) => document.querySelector(selector)?.textContent, selector)
}

async function barState(page: Driver): Promise<string | undefined> {
  return await page.evaluate(() => document.querySelector<HTMLElement>('#bar')!.dataset['state'])
}

// These run in the page.

function fetchesOfBlock(): number {
  return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.ssz')).length
}

function isSettled(): boolean {
  return document.querySelector('#again')!.getAttribute('aria-disabled') === 'false'
}

function isMarked(name: string, mark: string): boolean {
  // Not yet an element of ours where its script has not come.
  const { links } = document.querySelector('trust-chain') as Partial<HTMLElementTagNameMap['trust-chain']>
  return links?.some((link) => link.name === name && link.mark === mark) === true
}

function breakableLinks(): string[] {
  const { links } = document.querySelector('trust-chain')!
  return links.flatMap(({ name, canBreak }) => (canBreak ? [name] : []))
}

function textOfLink(name: string): string | undefined {
  return document.querySelector('trust-chain')!.links.find((link) => link.name === name)?.text
}

/** The button of a link, “Break” or “Restore”. */
function breakButton(name: string): Element | null | undefined {
  const { links, shadowRoot } = document.querySelector('trust-chain')!
  return shadowRoot!
    .querySelectorAll('li')
    [links.findIndex((link) => link.name === name)]?.querySelector('button')
}

function focused(): string | undefined {
  return document.activeElement?.localName
}
