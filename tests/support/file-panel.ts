/** The source *File* of the demo page, as a visitor uses it: files are picked or dropped, and it says what it finds in them. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { readText } from './files.ts'
import { expectNotGivenUp, sharedVisit, Site, type Visit, type Visitor } from './site.ts'
import type { BlobSidecarJson } from './ssz.ts'

/** A file, as text or bytes. */
export interface Given {
  readonly name: string
  readonly bytes: Uint8Array | string
}

/** The six sidecars of blobs of a block of Holesky, as its node answered. */
export async function realSidecars(): Promise<readonly BlobSidecarJson[]> {
  const text = await readText('data/holesky_1409759_blob_sidecars.json')
  return (JSON.parse(text) as { data: BlobSidecarJson[] }).data
}

/** Hex with another digit in the place of one. */
export function spoiledHex(hex: string, at: number): string {
  return hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1)
}

/** The page with this source, in a tab of its own. */
export async function openFilePanel({ origin }: Site, visitor: Visitor): Promise<Visit> {
  const visit = await visitor.newPage()
  await visit.page.goto(`${origin}/?source=file`)
  await visit.page.waitForSelector('#file-pick', { state: 'attached' })
  return visit
}

/** For the tests of a `describe`: the site, and a page with this source that they share, whose choices are those of a new page before each. */
export function filePanel(): { readonly site: Site; readonly visit: Visit } {
  let site: Site
  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())
  const visit = sharedVisit(async () => await openFilePanel(site, await site.visitor()))
  beforeEach(async () => {
    visit.complaints.length = 0
    await chooseNothing(visit.page)
  })
  return {
    get site() {
      return site
    },
    visit,
  }
}

/** Makes its choices those of a new page: what was chosen before would hold for the next file, too. */
async function chooseNothing(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('#tab-file')!.click()
    document.querySelector<HTMLSelectElement>('#file-network')!.value = ''
    document.querySelector<HTMLSelectElement>('#file-anchor')!.value = 'none'
    const values = document.querySelector<HTMLInputElement>('#file-values')!
    values.value = ''
    values.disabled = true
  })
}

/** Picks a file, or several at once, and waits until they have been verified or refused. */
export async function pick(page: Page, ...files: readonly Given[]): Promise<void> {
  await page.setInputFiles(
    '#file-pick',
    files.map(({ name, bytes }) => ({
      ...{ name, mimeType: 'application/octet-stream' },
      buffer: Buffer.from(bytes as string),
    })),
  )
  await done(page)
}

/** Drops a file of so many bytes, all zero, which is made in the page: what is picked goes there as text. */
export async function dropZeros(page: Page, name: string, length: number): Promise<void> {
  await page.evaluate(
    ([name, length]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(length)], name))
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
      )
    },
    [name, length] as const,
  )
}

/** Drops files at once; the panel gets them a moment later. */
export async function drop(page: Page, ...files: readonly Given[]): Promise<void> {
  await page.evaluate(
    (files) => {
      const dataTransfer = new DataTransfer()
      for (const { name, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
        dataTransfer.items.add(new File([bytes], name))
      }
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    },
    files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes as string).toString('base64') })),
  )
}

/** What the panel lists below its status: what is refused or left out, and the files where there are several. */
export async function listed(page: Page): Promise<Readonly<Record<'faults' | 'files', readonly string[]>>> {
  return await page.evaluate(() => {
    const entries = (list: string): string[] =>
      Array.from(document.querySelectorAll(`${list} li`), ({ textContent }) => textContent)
    return { faults: entries('#file-faults'), files: entries('#file-list') }
  })
}

/** Says what the file must belong to, as the panel's list names it, and waits for the verdict on that. */
export async function anchor(page: Page, name: string, values: string): Promise<void> {
  await page.getByLabel('It must belong to').selectOption(name)
  await page.locator('#file-values').fill(values)
  await page.locator('#file-values').blur()
  await done(page)
}

/** Waits until nothing is under way. Rejects where the page gave it up. */
export async function done(page: Page): Promise<void> {
  await page.waitForSelector('#file-again[aria-disabled=false]')
  await expectNotGivenUp(page, '#file-status')
}

/** Waits for a part of the status: what is dropped or pasted is handed to the panel a moment later. */
export async function said(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (text) => document.querySelector('#file-status')?.textContent.includes(text),
    text,
  )
}

/** What the panel says. */
export async function status(page: Page): Promise<string> {
  return (await page.textContent('#file-status'))!
}
