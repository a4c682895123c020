/** The chain, the grid and the timeline of the demo page: each link broken and restored, cells inspected, and addresses that name what is broken. */
import { readFile } from 'node:fs/promises'
import type {} from 'blobcheck/elements'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { pick } from '../../support/file-panel.ts'
import { countsOf } from '../../support/instruments.ts'
import { compilesRelaxed, modulesOfVerifier } from '../../support/kernels-of-page.ts'
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

/** What each link is when it is broken, in words of the verdict, how many blobs are refused, and how many cells are not valid. */
const broken = [
  {
    ...{ name: 'blob', title: 'Bytes', code: 'kzg: proof-mismatch', refused: 1 },
    cells: { refused: 1, missing: 0 },
  },
  // Each cell of the blob is good by a proof of its own: it is the sidecar that is refused.
  {
    ...{ name: 'proof', title: 'KZG proof', code: 'kzg: proof-mismatch', refused: 1 },
    cells: { refused: 64, missing: 64 },
  },
  {
    ...{ name: 'cell', title: 'Cells', code: 'kzg: proof-mismatch', refused: 0 },
    cells: { refused: 1, missing: 0 },
  },
  {
    ...{ name: 'commitment', title: 'Commitment', code: 'inclusion: inclusion-mismatch', refused: 1 },
    cells: { refused: 128, missing: 0 },
  },
  {
    ...{ name: 'branch', title: 'Merkle branch', code: 'inclusion: inclusion-mismatch', refused: 1 },
    cells: { refused: 64, missing: 64 },
  },
  {
    ...{ name: 'root', title: 'Header', code: 'anchor: header-mismatch', refused: 6 },
    cells: { refused: 384, missing: 384 },
  },
] as const

const order = [
  'blob',
  'proof',
  'cell',
  'commitment',
  'branch',
  'root',
  'signature',
  'committee',
  'checkpoint',
]

describe.skipIf(!hasChromium)('the chain of the demo page', () => {
  const demo = visits()

  /** Each leaves it whole. What the first run did is looked at first. */
  describe('one page', () => {
    const visit = sharedVisit(async () => {
      const opened = await (await demo.site.visitor()).open()
      await chained(opened.page)
      await controlled(opened.page)
      return opened
    })
    afterAll(() => expect(visit.complaints).toEqual([]))

    it('has a lane in its timeline for each worker, with what this run did, and names the kernel that it fetched', async () => {
      const { page } = visit
      const { lanes, spans } = await page.$eval('worker-timeline', ({ workers, spans }) => ({
        lanes: workers,
        spans: spans.map(({ stage, worker }) => ({ stage, worker })),
      }))
      expect(spans.map(({ stage }) => stage)).toEqual(expect.arrayContaining(['check', 'kzg']))
      expect(lanes).toBeGreaterThan(0)
      expect(String(lanes)).toBe(await page.textContent('#figure-workers'))
      for (const { worker } of spans) expect(worker ?? 0).toBeLessThan(lanes)

      const kernel = (await page.textContent('#figure-kernel'))!
      expect(kernel).toMatch(/^(relaxed-simd|simd128)$/)
      // Not the other way round: an engine may compile it and not compute it soundly.
      if (kernel === 'relaxed-simd') expect(await page.evaluate(compilesRelaxed)).toBe(true)
      expect(await page.textContent('#note-kernel')).not.toBe('')
      expect(await page.evaluate(modulesOfVerifier)).toContain(kernel.replace('-', '_'))
    })

    it('verifies each cell by a proof of its own, says what it is, and breaks the one that the cursor is on', async () => {
      const { page } = visit
      expect(await countsOf(page)).toEqual({ waiting: 0, valid: 768, rebuilt: 0, refused: 0, missing: 0 })
      expect(await page.textContent('#bar-verdict')).toMatch(
        /^Verified here: 6 blobs, 768 cells, [\d.,]+ ms$/,
      )
      await page.$eval('blob-grid', (grid) => grid.select(3, 1))
      expect(await page.textContent('#inspector-cell')).toBe('Blob 3, column 1: bytes 2,048 to 4,095')
      expect(await page.textContent('#inspector-reason')).toMatch(
        /^Blob: its proof was verified just now, .* ms after .* by a proof of its own: its proof was verified/,
      )
      expect(await page.textContent('#inspector-bytes')).toMatch(/^([0-9a-f]{2} ){16}/)
      await page.$eval('blob-grid', (grid) => grid.select(3, 64))
      expect(await page.textContent('#inspector-cell')).toBe('Blob 3, column 64: parity')
      expect(await page.textContent('#inspector-reason')).toContain('Computed here')
      const before = await page.textContent('#inspector-bytes')
      await page.getByRole('button', { name: 'Break: KZG proof' }).click()
      await marked(page, 'proof', 'broken')
      expect((await states(page)).indexOf('rejected')).toBe(3)
      await page.getByRole('button', { name: 'Restore: KZG proof' }).click()
      await marked(page, 'proof', 'verified')

      await page.getByRole('button', { name: 'Break: Cells' }).click()
      await marked(page, 'cell', 'broken')
      expect(await page.$eval('blob-grid', (grid) => grid.stateOf(3, 64))).toBe('refused')
      expect(await page.textContent('#inspector-reason')).toContain(
        'by a proof of its own: its data does not',
      )
      expect(await page.textContent('#inspector-bytes')).toBe(before) // its last byte is another one, and the first 64 are shown
      await page.getByRole('button', { name: 'Restore: Cells' }).click()
      await marked(page, 'cell', 'verified')
    })

    it('breaks the blob that the cursor is on, also where another source has shown as many blobs meanwhile', async () => {
      const { page } = visit
      const inspected = async (): Promise<unknown> => ({
        grid: await page.$eval(
          'blob-grid',
          (grid) => grid.shadowRoot!.querySelector('[part=cursor]')!.textContent,
        ),
        cell: await page.textContent('#inspector-cell'),
        reason: await page.textContent('#inspector-reason'),
      })
      await page.$eval('blob-grid', (grid) => grid.select(3, 5))
      const before = await inspected()
      await page.getByRole('tab', { name: 'File' }).click()
      await page.waitForSelector('#file-pick', { state: 'attached' })
      await pick(page, { name: 'answer.json', bytes: await readFile(blockFile) })
      expect(await page.textContent('#bar-block')).toContain('Network unknown')
      expect(await inspected()).toMatchObject({
        grid: 'Blob 3, column 5 (data): valid',
        cell: 'Blob 3, column 5: bytes 10,240 to 12,287',
        reason: 'Its proof was verified just now.',
      })
      await page.getByRole('tab', { name: 'Embedded' }).click()
      await marked(page, 'cell', 'verified')
      expect(await inspected()).toEqual(before)
      await page.getByRole('button', { name: 'Break: KZG proof' }).click()
      await marked(page, 'proof', 'broken')
      expect((await states(page)).indexOf('rejected')).toBe(3)
      expect(new URL(page.url()).searchParams.get('blob')).toBe('3')
      await page.getByRole('button', { name: 'Restore: KZG proof' }).click()
      await marked(page, 'proof', 'verified')
    })

    it('breaks at each link that can be broken, says what was expected, and is whole again when it is restored', async () => {
      const { page } = visit
      for (const { name, title, code, refused, cells } of broken) {
        await page.getByRole('button', { name: `Break: ${title}` }).click()
        await marked(page, name, 'broken')
        const links = await linksOf(page)
        const at = order.indexOf(name)
        expect(links.map((link) => link.name)).toEqual(order)
        expect(links[at]).toMatchObject({ mark: 'broken', isBroken: true })
        expect(links[at]!.reason).toContain(code)
        expect(links[at]!.expected).toMatch(/^0x[0-9a-f]{64,96}$/)
        expect(links[at]!.got).toMatch(/^0x[0-9a-f]{64,96}$/)
        expect(links[at]!.got).not.toBe(links[at]!.expected)
        expect(links.slice(at + 1).map(({ mark }) => mark)).toEqual(
          Array(order.length - at - 1).fill('unreached'),
        )
        expect((await states(page)).filter((state) => state === 'rejected')).toHaveLength(refused)
        expect(await page.getAttribute('#bar', 'data-state')).toBe('refused')
        expect(await page.textContent('#bar-verdict')).toBe(
          refused === 0 ? 'Refused here: 1 of 768 cells' : `Refused here: ${refused} of 6 blobs`,
        )
        expect(await countsOf(page)).toMatchObject(cells)
        expect(new URL(page.url()).searchParams.get('break')).toBe(name)

        await page.getByRole('button', { name: `Restore: ${title}` }).click()
        await marked(page, name, name === 'root' ? 'unknown' : 'verified')
        expect(await page.getAttribute('#bar', 'data-state')).toBe('verified')
        expect(new URL(page.url()).search).toBe('')
      }
    })

    it('is at work until its cells have verdicts: a broken one is verified at no time. The focus stays meanwhile', async () => {
      const { page } = visit
      const seen = await page.evaluateHandle(() => {
        const states: (string | null)[] = []
        const bar = document.querySelector('#bar')!
        new MutationObserver((changes) => states.push(...changes.map(({ oldValue }) => oldValue))).observe(
          bar,
          { attributeFilter: ['data-state'], attributeOldValue: true },
        )
        return states
      })
      const button = page.getByRole('button', { name: 'Break: Cells' })
      await button.focus()
      await page.keyboard.press('Enter')
      await marked(page, 'cell', 'broken')
      await page.keyboard.press('Enter')
      await marked(page, 'cell', 'verified')
      // What the bar said before each change.
      const states = (await seen.jsonValue()).filter((state, at, all) => state !== all[at - 1])
      expect(states).toEqual(['verified', 'working', 'refused', 'working'])
      expect(await page.getAttribute('#bar', 'data-state')).toBe('verified')
      expect(await button.evaluate((button) => button.matches(':focus'))).toBe(true)
    })

    it('says what was found where a run is cancelled before its cells have verdicts', async () => {
      const { page } = visit
      const cancelled = async (name: string): Promise<unknown> => {
        await page.evaluate(() => {
          const status = document.querySelector('#status')!
          const isOver = (): boolean => status.textContent === '6 of 6 blobs valid.'
          new MutationObserver((_, observer) => {
            if (!isOver()) return
            observer.disconnect()
            document.querySelector<HTMLButtonElement>('#cancel')!.click()
          }).observe(status, { childList: true })
        })
        await page.getByRole('button', { name, exact: true }).click()
        await page.waitForFunction(() =>
          document.querySelector('#status')!.textContent.startsWith('Cancelled.'),
        )
        await settled(page)
        return {
          status: await page.textContent('#status'),
          state: await page.getAttribute('#bar', 'data-state'),
          verdict: (await page.textContent('#bar-verdict'))!.replace(/[\d.]+ ms/, 'N ms'),
          cells: (await linksOf(page)).find(({ name }) => name === 'cell'),
        }
      }
      const unknown = { name: 'cell', mark: 'unknown', canBreak: true }
      expect(await cancelled('Break: Cells')).toMatchObject({
        ...{ status: 'Cancelled. 6 of 6 blobs valid.', state: 'unknown', verdict: 'Not all verified' },
        cells: { ...unknown, isBroken: true },
      })
      await press(page, 'Verify again')
      expect(await page.textContent('#bar-verdict')).toBe('Refused here: 1 of 768 cells')
      // Of what is whole, the verdicts on the blobs are true by themselves.
      expect(await cancelled('Restore: Cells')).toMatchObject({
        ...{ status: 'Cancelled. 6 of 6 blobs valid.', state: 'verified' },
        ...{ verdict: 'Verified here: 6 blobs, N ms', cells: { ...unknown, isBroken: false } },
      })
      await press(page, 'Verify again')
      expect(await page.textContent('#bar-verdict')).toMatch(/^Verified here: 6 blobs, 768 cells/)
    })

    it('is broken in several places at the first of them; “Restore” mends all', async () => {
      const { page } = visit
      await page.getByRole('button', { name: 'Break: Header' }).click()
      await marked(page, 'root', 'broken')
      await page.getByRole('button', { name: 'Break: Merkle branch' }).click()
      await marked(page, 'branch', 'broken')
      expect((await linksOf(page)).find(({ name }) => name === 'root')).toMatchObject({
        mark: 'unreached',
        isBroken: true,
      })
      await press(page, 'Restore')
      await marked(page, 'branch', 'verified')
      expect(await states(page)).toEqual(Array(6).fill('remembered'))
    })
  })

  it('is shown by an address that names what is broken', async () => {
    const { page } = await demo.visitor.newPage()
    await page.goto(`${demo.site.origin}/?slot=1409759&break=proof&blob=2`)
    await marked(page, 'proof', 'broken')
    expect((await states(page)).indexOf('rejected')).toBe(2)
    expect(await page.locator('#alert').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Restore: KZG proof' }).click()
    await marked(page, 'proof', 'verified')
    expect(page.url()).toBe(`${demo.site.origin}/?slot=1409759`)

    // As the page writes the slot.
    await page.goto(`${demo.site.origin}/?slot=1,409,759&break=proof`)
    await marked(page, 'proof', 'broken')
    expect(await page.locator('#alert').isVisible()).toBe(false)

    // What an address says that there is not is said, or ignored, and never believed.
    await page.goto(`${demo.site.origin}/?slot=12&break=everything&blob=-1`)
    await marked(page, 'proof', 'verified')
    // The last one may not have been remembered before the page was left.
    expect((await states(page)).filter((state) => state === 'remembered').length).toBeGreaterThanOrEqual(5)
    expect(await page.locator('.card[data-state=rejected]').count()).toBe(0)
    expect((await linksOf(page))[1]!.text).toContain('on an earlier visit')
    expect(await page.getByRole('alert').textContent()).toContain('slot 12 is not here')
    await page.goto(`${demo.site.origin}/?break=blob&blob=77`)
    await marked(page, 'blob', 'broken')
    expect((await states(page)).indexOf('rejected')).toBe(5)

    // Cells are known after the blobs.
    await page.goto(`${demo.site.origin}/?break=cell&blob=4`)
    await marked(page, 'cell', 'broken')
    expect(await page.getByRole('status').textContent()).toContain('Column 70 of blob 4:')
    expect(await states(page)).toEqual(Array(6).fill('remembered'))
  })

  it('says nothing of single cells where their proofs cannot be had', async () => {
    const { page } = await demo.visitor.newPage()
    await page.route('**/*.proofs', (route) => route.fulfill({ status: 404 }))
    await page.goto(demo.site.origin)
    await chained(page)
    await controlled(page)
    expect(await countsOf(page)).toMatchObject({ waiting: 384, valid: 384 })
    expect(await page.textContent('#bar-verdict')).toMatch(/^Verified here: 6 blobs, [\d.,]+ ms$/)
    expect(await page.getByRole('button', { name: 'Break: Cells' }).count()).toBe(0)
  })

  it('shows what was found of blobs before there was an instrument to show it on', async () => {
    const { page } = await demo.visitor.newPage()
    await page.route('**/*.proofs', (route) => route.fulfill({ status: 404 })) // so that no cells are shown in their place
    // From the first verdict until there is a grid, the page hears nothing more of its workers.
    await page.addInitScript(() => {
      const isHeld = (): boolean =>
        document.querySelector('.card[data-state=valid]') !== null &&
        document.querySelector('blob-grid')?.blobs !== 6
      const hear = (worker: Worker, event: MessageEvent<unknown>): void => {
        if (!isHeld()) return
        event.stopImmediatePropagation()
        const { data, ports } = event
        setTimeout(() => worker.dispatchEvent(new MessageEvent('message', { data, ports: [...ports] })), 5)
      }
      window.Worker = class extends Worker {
        constructor(...from: ConstructorParameters<typeof Worker>) {
          super(...from)
          this.addEventListener('message', (event) => hear(this, event))
        }
      }
    })
    await page.goto(demo.site.origin)
    await chained(page)
    await controlled(page)
    expect(await countsOf(page)).toMatchObject({ waiting: 384, valid: 384 })
  })

  it('does not believe false proofs of cells', async () => {
    const { page } = await demo.visitor.newPage()
    await page.route('**/*.proofs', async (route) => {
      const response = await route.fetch()
      const body = await response.body()
      // Those of two cells in each other's place.
      await route.fulfill({
        response,
        body: Buffer.concat([body.subarray(48, 96), body.subarray(0, 48), body.subarray(96)]),
      })
    })
    await page.goto(demo.site.origin)
    await marked(page, 'cell', 'broken')
    expect(await page.textContent('#bar-verdict')).toBe('Refused here: 2 of 768 cells')
    expect(await states(page)).toEqual(Array(6).fill('valid'))
  })

  it('leaves the verdicts where its code cannot be loaded', async () => {
    const { page } = await demo.visitor.newPage()
    await page.route('**/instrument-*.js', (route) => route.abort())
    await page.goto(demo.site.origin)
    await settled(page)
    expect(await states(page)).toEqual(Array(6).fill('valid'))
    expect(await page.getAttribute('#bar', 'data-state')).toBe('verified')
  })
})

/** Waits until the chain shows a run’s verdicts. */
async function chained(page: Page): Promise<void> {
  await marked(page, 'branch', 'verified')
}

async function marked(page: Page, name: string, mark: string): Promise<void> {
  await page.waitForFunction(
    ([name, mark]) => {
      const { links } = document.querySelector('trust-chain')!
      return links?.some((link) => link.name === name && link.mark === mark)
    },
    [name, mark] as const,
  )
  await settled(page)
}

async function linksOf(page: Page): Promise<HTMLElementTagNameMap['trust-chain']['links']> {
  return await page.$eval('trust-chain', ({ links }) => links)
}
