/** What the demo page shows, says and draws. */
import { createVerifier } from 'blobcheck'
import type {} from 'blobcheck/elements'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contrastFlaws } from '../../support/contrast.ts'
import {
  blockFile,
  controlled,
  hasChromium,
  press,
  settled,
  states,
  sharedVisit,
  visits,
} from '../../support/site.ts'

interface Block {
  readonly data: readonly { readonly kzg_commitment: string }[]
}

describe.skipIf(!hasChromium)('the demo page', () => {
  const demo = visits()
  beforeAll(() => {
    expect(existsSync(blockFile), 'the block is there after the set-up').toBe(true)
  })

  it('verifies the real block, rejects exactly what is tampered with, and recovers', async () => {
    const { page, complaints } = await demo.visitor.open()
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
    expect(await card.textContent()).toMatch(/Tampered\s+byte [\d,]+ was 0x[0-9a-f]{2}, is 0x[0-9a-f]{2}/)
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

  /** Each leaves it as it was: whole, and with its verdicts. */
  describe('one page', () => {
    const visit = sharedVisit(async () => await (await demo.site.visitor()).open())
    afterAll(() => expect(visit.complaints).toEqual([]))

    it('shows what the first verification took, and the next one', async () => {
      const { page } = visit
      const figure = async (name: string): Promise<string | null> => await page.textContent(`#figure-${name}`)
      const cold = [await figure('first'), await figure('total')]
      await controlled(page)
      await press(page, 'Forget and verify')
      const second = [await figure('first'), await figure('total')]
      console.log(
        `page: first verdict, all six: first run ${cold.join(', ')}; second run ${second.join(', ')}`,
      )
      // Figures, whatever they are: they are measured, not asserted.
      for (const figure of [...cold, ...second]) expect(figure).toMatch(/^[\d.,]+ ms$/)
      // What the page names are costs of the verification alone, not of its own timers and drawing.
      expect(await page.$$eval('#figures dt', (terms) => terms.map((term) => term.textContent))).toEqual([
        'First verdict',
        'All verdicts',
        'Kernel',
        'Workers',
        'Cache',
      ])
    })

    it('computes the versioned hashes and the block root that the verifier accepts as anchors', async () => {
      const { page } = visit
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
      const { page } = visit
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

    it('shows a blob as a picture, in hex and as text, as it is now', async () => {
      const { page } = visit
      const block = JSON.parse(await readFile(blockFile, 'utf8')) as { data: { blob: string }[] }
      const card = page.getByRole('article', { name: 'Blob 1' })
      const dump = card.locator('.dump')
      expect(await dump.count()).toBe(0)
      await page.getByLabel('Show blobs as').selectOption('raw')
      await dump.waitFor()
      const digits = async (): Promise<string> =>
        (await dump.textContent())!
          .split('\n')
          .map((line) => line.replace(/^[0-9a-f]{5} {2}/, ''))
          .join('')
      expect(await digits()).toBe(block.data[1]!.blob.slice(2))

      await page.getByLabel('Blob to tamper with').selectOption('1')
      await press(page, 'Tamper one byte')
      const tampered = [...(await digits())].filter((digit, at) => digit !== block.data[1]!.blob[2 + at])
      expect(tampered).toHaveLength(1)
      await press(page, 'Restore')
      expect(await digits()).toBe(block.data[1]!.blob.slice(2))

      await page.getByLabel('Show blobs as').selectOption('text')
      await page.waitForFunction(() => document.querySelectorAll('.dump')[1]!.textContent.includes('·'))
      const text = new TextDecoder().decode(Buffer.from(block.data[1]!.blob.slice(2), 'hex'))
      const letters = (from: string): string => from.replaceAll(/[^A-Za-z]/g, '')
      expect(letters((await dump.textContent())!)).toBe(letters(text))
      await page.getByLabel('Show blobs as').selectOption('picture')
      await dump.waitFor({ state: 'detached' })
    })

    it('keeps the focus where it was, and says its states in words', async () => {
      const { page } = visit
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
      await press(page, 'Restore')
      // axe, which finds other flaws, has no rule for this any more.
      const ids = await page.$$eval('[id]', (elements) => elements.map(({ id }) => id))
      expect(new Set(ids).size, 'no id is used twice').toBe(ids.length)
    })

    it('says what is verified, trusted and absent, and takes a trusted header from its reader alone', async () => {
      const { page } = visit
      const links = (): Promise<[string, string][]> =>
        page.$eval('trust-chain', (chain) => chain.links.map(({ name, mark }) => [name, mark]))
      await controlled(page)
      const before = [
        ['blob', 'verified'],
        ['proof', 'verified'],
        ['cell', 'verified'],
        ['commitment', 'verified'],
        ['branch', 'verified'],
        ['root', 'unknown'],
        ['signature', 'unknown'],
        ['committee', 'unknown'],
        ['checkpoint', 'unknown'],
      ]
      expect(await links()).toEqual(before)
      expect(await page.textContent('#conclusion')).toContain(
        'Nothing here says that this header is part of the chain',
      )
      await page.getByRole('switch', { name: 'I trust this header' }).check()
      await page.waitForSelector('#bar-resting:text("your word")')
      await settled(page)
      expect(await links()).toEqual(before.map(([link, mark]) => [link, link === 'root' ? 'trusted' : mark]))
      await page.getByRole('switch', { name: 'I trust this header' }).uncheck()
      await page.waitForSelector('#bar-resting:text("nothing")')
      await settled(page)
      expect(await links()).toEqual(before)
    })

    it('remembers valid blobs over a reload, until it is told to forget them', async () => {
      const { page } = visit
      await controlled(page)
      await page.reload()
      await settled(page)
      expect(await states(page)).toEqual(Array(6).fill('remembered'))
      expect(await page.textContent('#figure-cache')).toBe('6 of 6')
      await press(page, 'Forget and verify')
      expect(await states(page)).toEqual(Array(6).fill('valid'))
      expect(await page.textContent('#figure-cache')).toBe('0 of 6')
    })
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has enough contrast in the ${colorScheme}, and fits 360 pixels`, async () => {
      // Without the motion of buttons, whose colours are between two for a while.
      const narrow = await demo.site.visitor({
        ...{ colorScheme, reducedMotion: 'reduce', viewport: { width: 360, height: 740 } },
      })
      const { page } = await narrow.open()
      await press(page, 'Tamper one byte')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      expect(await page.evaluate(contrastFlaws)).toEqual([])
      await narrow.context.close()
    })
  }
})
