/** The experiments of the demo page: what each finds, what it says of spoiled data, and how it is cancelled. */
import type {} from 'blobcheck/elements'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { contrastFlaws } from '../../support/contrast.ts'
import { copiedBy } from '../../support/copy.ts'
import { countsOf } from '../../support/instruments.ts'
import { runLines } from '../../support/lines.ts'
import { number } from '../../support/number.ts'
import { expectNotGivenUp, hasChromium, type Visit, visits } from '../../support/site.ts'

/** The grid of the experiment that recovers cells. */
const RECOVERED = '#experiments-recover-grid'

describe.skipIf(!hasChromium)('the experiments of the demo page', () => {
  const demo = visits({ permissions: ['clipboard-read', 'clipboard-write'] })

  async function opened(): Promise<Visit> {
    const visit = await demo.visitor.open()
    await visit.page.locator('#experiments summary').click()
    await visit.page.waitForSelector('#experiments-flood-run')
    return visit
  }

  it('floods a verifier with copies, and finds that each proof was verified once', async () => {
    const { page, complaints } = await opened()
    await run(page, 'flood')
    const rows = await table(page, 'flood')
    expect(rows.map(([heading]) => heading)).toEqual([
      'Blobs delivered',
      'Found valid',
      'Proofs computed with, by the trace',
      'Verdicts by a proof of their own',
      'Verdicts by the proof of another copy',
      'Verdicts by what the verifier remembers',
      'Time',
    ])
    const [delivered, valid, computed, own, copies, remembered] = rows.map(([, value]) => Number(value))
    expect([delivered, valid, computed, own]).toEqual([300, 300, 6, 6])
    expect(copies! + remembered!).toBe(294)
    expect(await status(page, 'flood')).toMatch(
      /^300 blobs were delivered, and 6 proofs verified, in .* 300 are valid\.$/,
    )
    expect(await runLines(await copied(page, 'flood'))).toBe('300 valid\n6 proofs verified\n')
    expect(complaints).toEqual([])
  })

  it('rebuilds a blob from any 64 of its columns, and not from 63', async () => {
    const { page, complaints } = await opened()
    await run(page, 'recover')
    expect(await status(page, 'recover')).toMatch(
      /^64 columns were dropped and rebuilt from the other 64 in .*: each of the 128 cells is the original, byte for byte\.$/,
    )
    expect(await countsOf(page, RECOVERED)).toMatchObject({ valid: 64, rebuilt: 64 })
    const lines = await copied(page, 'recover')
    expect(await runLines(lines)).toBe('true\n')

    await page.locator('#experiments-recover-blob').selectOption('5')
    await drop(page, 1)
    await run(page, 'recover')
    expect(await countsOf(page, RECOVERED)).toMatchObject({ valid: 127, rebuilt: 1 })
    expect(await copied(page, 'recover')).toContain('data[5].blob')

    await drop(page, 65)
    expect(await page.textContent('#experiments-recover-count')).toBe('65')
    await run(page, 'recover')
    expect(await status(page, 'recover')).toContain(
      'Refused (cell-count): 63 cells are left, and 64 are needed',
    )
    expect(await countsOf(page, RECOVERED)).toMatchObject({ valid: 63, missing: 65, rebuilt: 0 })
    await expect(runLines(await copied(page, 'recover'))).rejects.toThrow('cell-count')
    expect(complaints).toEqual([])
  })

  it('says what was rebuilt of the columns that a run dropped, wherever the slider is moved meanwhile', async () => {
    const { page } = await opened()
    await page.evaluate(() => {
      document.querySelector<HTMLButtonElement>('#experiments-recover-run')!.click()
      const slider = document.querySelector<HTMLInputElement>('#experiments-recover-dropped')!
      slider.value = '65'
      slider.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await ended(page, 'recover')
    expect(await status(page, 'recover')).toMatch(
      /^64 columns were dropped and rebuilt from the other 64 in .*: each of the 128 cells is the original/,
    )
    expect(await countsOf(page, RECOVERED)).toMatchObject({ valid: 64, rebuilt: 64 })
    expect(await copied(page, 'recover')).toMatch(/const dropped = \[(\d+, ){64}\d+\]/)
  })

  it('rebuilds nothing from cells whose proofs are false', async () => {
    const visit = await demo.visitor.newPage()
    const proofs = await readFile(join(demo.site.folder, 'holesky_1409759_cell.proofs'))
    // Each proof is that of the next cell: well formed, and false.
    await visit.page.route('**/*_cell.proofs', (route) =>
      route.fulfill({ body: Buffer.concat([proofs.subarray(48), proofs.subarray(0, 48)]) }),
    )
    await visit.page.goto(demo.site.origin)
    await visit.page.locator('#experiments summary').click()
    await visit.page.waitForSelector('#experiments-recover-run')
    await run(visit.page, 'recover')
    expect(await status(visit.page, 'recover')).toContain(
      'do not belong to their commitment: nothing is rebuilt',
    )
    expect(await countsOf(visit.page, RECOVERED)).toMatchObject({
      refused: 64,
      missing: 64,
      rebuilt: 0,
      valid: 0,
    })
    await run(visit.page, 'bench')
    expect(await status(visit.page, 'bench')).toContain('a verdict was not “valid”')
  })

  it('measures this browser, and says with what', async () => {
    const { page, complaints } = await opened()
    await run(page, 'bench')
    expect(await status(page, 'bench')).toMatch(
      /workers?, kernel (relaxed-simd|simd128) \(.+\)\. Each time is the median/,
    )
    const rows = await table(page, 'bench')
    expect(rows.map(([heading]) => heading)).toEqual([
      'One blob',
      'Six blobs',
      '128 cells',
      'The 128 cells of a blob, computed in one thread',
    ])
    for (const [, median, best] of rows) {
      expect(median).toMatch(/^[\d.,]+ ms$/)
      expect(number(best!)).toBeLessThanOrEqual(number(median!))
    }
    const printed = await runLines(await copied(page, 'bench'))
    expect(printed).toMatch(/one blob .* ms\nsix blobs .* ms\n128 cells .* ms\ncomputeCells .* ms\n$/)
    expect(complaints).toEqual([])
  })

  it('can be cancelled, one experiment at a time, and run again', async () => {
    const { page, complaints } = await opened()
    for (const name of ['flood', 'recover', 'bench']) {
      // In one task of the page, so that nothing ends before it is cancelled.
      const others = await page.evaluate((name) => {
        const button = (id: string): HTMLElement => document.getElementById(`experiments-${id}`)!
        button(`${name}-run`).click()
        const starts = ['flood', 'recover', 'bench'].map((other) => button(`${other}-run`).ariaDisabled)
        button(`${name}-cancel`).click()
        return starts
      }, name)
      expect(others).toEqual(['true', 'true', 'true'])
      await ended(page, name)
      expect(await status(page, name)).toBe('Cancelled.')
    }
    // While it is at work, too.
    await page.click('#experiments-bench-run')
    await page.waitForSelector('#experiments-bench-table tbody tr')
    await page.click('#experiments-bench-cancel')
    await ended(page, 'bench')
    expect(await status(page, 'bench')).toBe('Cancelled.')
    await run(page, 'recover')
    expect(await countsOf(page, RECOVERED)).toMatchObject({ valid: 64, rebuilt: 64 })
    expect(complaints).toEqual([])
  })

  it('have enough contrast in light and dark, and fit 360 pixels', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const narrow = await demo.site.visitor({
        colorScheme,
        reducedMotion: 'reduce',
        viewport: { width: 360, height: 740 },
      })
      const { page } = await narrow.open()
      await page.locator('#experiments summary').click()
      await page.waitForSelector('#experiments-flood-run')
      for (const name of ['flood', 'recover', 'bench']) await run(page, name)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      expect(await page.evaluate(contrastFlaws)).toEqual([])
      await narrow.context.close()
    }
  })

  it('says what is missing, and tries again', async () => {
    const { page } = await opened()
    await page.route('**/holesky*.ssz', (route) => route.fulfill({ status: 404 }))
    await run(page, 'recover')
    expect(await status(page, 'recover')).toContain('the server answered 404 instead of the block')
    await page.unroute('**/holesky*.ssz')
    await run(page, 'recover')
    expect(await status(page, 'recover')).toContain('byte for byte')
  })
})

async function run(page: Page, name: string): Promise<void> {
  await page.click(`#experiments-${name}-run`)
  await ended(page, name)
}

/** Waits until an experiment can be started again. Rejects where the page gave it up. */
async function ended(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`#experiments-${name}-run[aria-disabled=false]`)
  await expectNotGivenUp(page, `#experiments-${name}-status`)
}

async function status(page: Page, name: string): Promise<string> {
  return (await page.textContent(`#experiments-${name}-status`))!
}

async function table(page: Page, name: string): Promise<string[][]> {
  return await page.$$eval(`#experiments-${name}-table tbody tr`, (rows) =>
    rows.map((row) => [...row.children].map(({ textContent }) => textContent)),
  )
}

async function drop(page: Page, columns: number): Promise<void> {
  await page.locator('#experiments-recover-dropped').fill(String(columns))
}

/** What the button “Copy this” of an experiment copies. */
async function copied(page: Page, name: string): Promise<string> {
  const button = `#experiments-${name}-buttons .copy`
  return await copiedBy(page, button, async () => await page.locator(button).click())
}
