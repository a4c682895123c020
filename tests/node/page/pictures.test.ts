/**
 * Pictures of the states of the embedded block on the demo page: that each is of its state. Those of other sources are taken in their tests.
 * Without `BLOBCHECK_PICTURES` nobody looks at them: one of each size shows then that they can be taken. What the others are of is tested
 * in `chain.test.ts` (each broken link) and in `accessible.test.ts` (colours).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLookedAt, takePicture } from '../../support/pictures.ts'
import { controlled, hasChromium, settled, Site } from '../../support/site.ts'

const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 }

const always = [
  { name: 'light', context: desktop, search: '', state: 'verified' },
  { name: 'phone', context: phone, search: '', state: 'verified' },
] as const

const others = [
  { name: 'dark', context: { ...desktop, colorScheme: 'dark' }, search: '', state: 'verified' },
  { name: 'forced-colors', context: { ...desktop, forcedColors: 'active' }, search: '', state: 'verified' },
  ...(['blob', 'proof', 'cell', 'commitment', 'branch', 'root'] as const).map(
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

  it.each(isLookedAt ? [...always, ...others] : always)('$name', async ({ name, context, search, state }) => {
    const visitor = await site.visitor({ reducedMotion: 'reduce', ...context })
    const { page, complaints } = await visitor.newPage()
    await page.goto(`${site.origin}/${search}`)
    await settled(page)
    await controlled(page)
    await page.waitForSelector(`#bar[data-state=${state}]`)
    await settled(page)
    await takePicture(page, name)
    expect(complaints).toEqual([])
    await visitor.context.close()
  })
})
