/**
 * Pictures of the main states of the demo page. They are looked at by people: with `BLOBCHECK_PICTURES=docs/public/page` they are written into that
 * folder. The tests say that each is of its state, and not blank.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlled, hasChromium, settled, Site } from '../../support/site.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = process.env['BLOBCHECK_PICTURES']

const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 }

const pictures = [
  { name: 'light', context: desktop, search: '', state: 'verified' },
  { name: 'dark', context: { ...desktop, colorScheme: 'dark' }, search: '', state: 'verified' },
  { name: 'phone', context: phone, search: '', state: 'verified' },
  { name: 'forced-colors', context: { ...desktop, forcedColors: 'active' }, search: '', state: 'verified' },
  ...(['blob', 'proof', 'commitment', 'branch', 'root'] as const).map(
    (link) =>
      ({
        name: `broken-${link}`,
        context: desktop,
        search: `?break=${link}&blob=2`,
        state: 'refused',
      }) as const,
  ),
] as const

describe.skipIf(!hasChromium)('pictures of the demo page', () => {
  let site: Site

  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())

  it.each(pictures)('$name', async ({ name, context, search, state }) => {
    const visitor = await site.visitor({ reducedMotion: 'reduce', ...context })
    const { page, complaints } = await visitor.newPage()
    await page.goto(`${site.origin}/${search}`)
    await settled(page)
    await controlled(page)
    expect(await page.getAttribute('#bar', 'data-state')).toBe(state)
    const png = await page.screenshot()
    // A blank picture of this size has less than 10 kB.
    expect(png.length).toBeGreaterThan(25_000)
    expect(complaints).toEqual([])
    if (folder !== undefined) {
      await mkdir(join(root, folder), { recursive: true })
      await writeFile(join(root, folder, `${name}.png`), png)
    }
    await visitor.context.close()
  })
})
