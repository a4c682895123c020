/** How the source *File* of the demo page takes what is dropped and pasted, and lets go of it: of one for another, and of what hangs. */
import type {} from 'blobcheck/elements'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSidecars, type MadeSidecars } from '../../support/blocks.ts'
import { contrastFlaws } from '../../support/contrast.ts'
import {
  done,
  filePanel,
  openFilePanel,
  pick,
  realSidecars,
  said,
  spoiledHex,
  status,
} from '../../support/file-panel.ts'
import { hold } from '../../support/hold.ts'
import { countsOf, marksOf } from '../../support/instruments.ts'
import { hasChromium } from '../../support/site.ts'
import type { BlobSidecarJson } from '../../support/ssz.ts'

/** A slot of Fulu on mainnet. */
const SLOT = 411_392n * 32n + 5n

const json = (value: unknown): string => JSON.stringify(value)

describe.skipIf(!hasChromium)('the source File of the demo page', () => {
  const demo = filePanel()
  const { visit } = demo
  let real: readonly BlobSidecarJson[]
  let made: MadeSidecars

  beforeAll(async () => {
    real = await realSidecars()
    made = await makeSidecars(SLOT, [3, 5, 7])
  })

  it('takes what is dropped anywhere or pasted, and shows where it may be dropped', async () => {
    const visitor = await demo.site.visitor()
    const { page } = await visitor.open()
    const drag = async (type: string, text: string): Promise<void> =>
      await page.evaluate(
        ([type, text]) => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([text!], 'dropped.json'))
          const options = { dataTransfer: transfer, bubbles: true, cancelable: true }
          document.querySelector('footer')!.dispatchEvent(new DragEvent(type!, options))
        },
        [type, text],
      )
    const isOutlined = (): Promise<boolean> =>
      page.evaluate(() => getComputedStyle(document.documentElement, '::after').borderStyle === 'dashed')
    const answer = json({ data: real.slice(0, 2) })
    expect(await isOutlined()).toBe(false)
    await drag('dragover', answer)
    expect(await isOutlined()).toBe(true)
    await drag('dragleave', answer)
    expect(await isOutlined()).toBe(false)
    await drag('dragover', answer)
    await drag('drop', answer)
    await page.waitForSelector('#file-status', { state: 'visible' })
    await said(page, 'dropped.json: 2 blob sidecars, JSON. 2 of 2 valid')
    expect(await isOutlined()).toBe(false)
    expect(await page.getAttribute('#tab-file', 'aria-selected')).toBe('true')

    const paste = async (selector: string, text: string, file = ''): Promise<void> =>
      await page.evaluate(
        ([selector, text, file]) => {
          const clipboardData = new DataTransfer()
          if (text !== '') clipboardData.setData('text/plain', text!)
          if (file !== '') clipboardData.items.add(new File([file!], 'pasted.json'))
          const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
          document.querySelector(selector!)!.dispatchEvent(event)
        },
        [selector, text, file],
      )
    await paste('body', json(real[4]))
    await said(page, 'The pasted text: 1 blob sidecar, JSON. 1 of 1 valid')
    await paste('#file-text', 'no sidecar')
    await done(page)
    expect(await status(page)).toContain('The pasted text: It is text')
    // In another text field it is nothing but text.
    await paste('#file-values', json(real[4]))
    expect(await status(page)).toContain('The pasted text: It is text')
    // So it is with text beside a file, while a file alone is nothing that such a field takes.
    await paste('#file-values', 'name', json(real[4]))
    expect(await status(page)).toContain('The pasted text: It is text')
    await paste('#file-values', '', json(real[4]))
    await said(page, 'pasted.json: 1 blob sidecar, JSON. 1 of 1 valid')
    await paste('#file-text', '', json(real.slice(0, 2)))
    await said(page, 'pasted.json: 2 blob sidecars, JSON. 2 of 2 valid')
    // What takes no text is no text field.
    for (const [at, field] of [
      '#file-anchor',
      '#file-network',
      '#file-pick',
      '#experiments summary',
    ].entries()) {
      await paste(field, json(real.slice(0, 1 + at)))
      await said(page, `The pasted text: ${1 + at} blob sidecar`)
    }
    await done(page)
    await visitor.context.close()
  })

  it('ends with one file when another comes, and when it is cancelled or another source is chosen', async () => {
    const { page, complaints } = visit
    const columns = json({ data: Array.from({ length: 128 }, (_, index) => made.column(index)) })
    const give = async (...files: readonly string[]): Promise<void> =>
      await page.evaluate((files) => {
        for (const [at, text] of files.entries()) {
          const transfer = new DataTransfer()
          transfer.items.add(new File([text], `${at}.json`))
          document.body.dispatchEvent(
            new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
          )
        }
      }, files)
    await give(columns, json(real.slice(0, 1)))
    await said(page, '1.json: 1 blob sidecar, JSON. 1 of 1 valid')
    expect(await countsOf(page)).toMatchObject({ valid: 64, missing: 64 })

    await page.evaluate(() => document.querySelector<HTMLButtonElement>('#file-again')!.click())
    await page.evaluate(() => document.querySelector<HTMLButtonElement>('#file-cancel')!.click())
    await done(page)
    // One blob may be verified before the second press.
    expect(await status(page)).toMatch(/^Cancelled\.$|1 of 1 valid/)
    await page.evaluate(() => {
      for (const name of ['again', 'cancel'])
        document.querySelector<HTMLButtonElement>(`#file-${name}`)!.click()
    })
    await done(page)
    expect(await status(page)).toBe('Cancelled.')
    expect(await bar(page)).toBe('Nothing verified resting on nothing')

    await page.evaluate(() => {
      for (const id of ['file-again', 'tab-embedded']) document.getElementById(id)!.click()
    })
    await page.waitForSelector('#bar[data-state=verified]')
    expect(await bar(page)).toContain('6 blobs')
    await page.getByRole('tab', { name: 'File' }).click()
    await done(page)
    expect(await status(page)).toContain('the page shows another source now')
    await page.getByRole('button', { name: 'Verify again' }).click()
    await done(page)
    expect(await status(page)).toContain('1 of 1 valid')
    expect(complaints).toEqual([])
  })

  it('gives up what hangs, and says so; goes on when it is asked to try again, and rests on the anchor that the run had, whatever is chosen while it goes on', async () => {
    const visitor = await demo.site.visitor()
    const { page, complaints } = await visitor.newPage()
    await page.clock.install()
    const held = await hold(page, '**/verifier*.wasm')
    await page.goto(`${demo.site.origin}/?source=file`)
    await page.waitForSelector('#file-pick', { state: 'attached' })
    await page.setInputFiles('#file-pick', {
      name: 'a.json',
      mimeType: 'a/b',
      buffer: Buffer.from(json(real)),
    })
    await said(page, 'Verifying…')
    await page.clock.fastForward(21_000)
    await expect(done(page)).rejects.toThrow('The verification was given up')
    expect(await status(page)).toContain('given up: the verifier has not been loaded in 20 seconds')
    expect(await bar(page)).toBe('Nothing verified resting on nothing')
    expect(await countsOf(page)).toMatchObject({ waiting: 384, valid: 0 })

    const { length: before } = held.routes
    await page.getByRole('button', { name: 'Verify again' }).click()
    await said(page, 'Verifying…')
    // No root is written yet: nothing is verified anew.
    await page.getByLabel('It must belong to').selectOption('header')
    await expect.poll(() => held.routes.length, { timeout: 60_000 }).toBeGreaterThan(before)
    held.letThrough()
    // Those of the run that was given up never come.
    for (const route of held.routes.slice(before)) await route.continue()
    await said(page, '6 of 6 valid')
    expect(await bar(page)).toMatch(/^Verified here: 6 blobs.* resting on nothing$/)
    expect(await marksOf(page)).toMatchObject({ header: 'unknown' })
    expect(complaints).toEqual([])
    await visitor.context.close()
  })

  it('has enough contrast in light and dark, fits 360 pixels, and is moved by nothing that it says', async () => {
    const narrow = await demo.site.visitor({ reducedMotion: 'reduce', viewport: { width: 360, height: 740 } })
    const { page } = await openFilePanel(demo.site, narrow)
    // Until there is a file, the lines are those of the embedded block.
    expect(await page.textContent('#lines')).toContain('readEmbeddedSidecars')
    const below = (): Promise<number> =>
      page.$eval('.core', (core) => core.getBoundingClientRect().top + scrollY)
    const top = await below()
    const bad = real.map((sidecar) => ({ ...sidecar, blob: spoiledHex(sidecar.blob, 999) }))
    await pick(page, { name: `${'long-name-'.repeat(9)}.json`, bytes: json(bad) })
    expect(await status(page)).toContain('0 of 6 valid')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await below()).toBe(top)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      expect(await page.evaluate(contrastFlaws), colorScheme).toEqual([])
    }
    await narrow.context.close()
  })
})

async function bar(page: Page): Promise<string> {
  return `${await page.textContent('#bar-verdict')} ${await page.textContent('#bar-resting')}`
}
