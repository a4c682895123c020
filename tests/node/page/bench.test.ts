/** `npm run bench:page`: that what it measures is there. No test here is about how fast anything is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measurePage, tableOf } from '../../bench/page/main.mjs'
import { hasChromium, launchChromium, Site } from '../../support/site.ts'

describe.skipIf(!hasChromium)('the bench of the page', () => {
  let site: Site
  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())

  it('loads the page with nothing kept, and once more', async () => {
    const browser = await launchChromium()
    try {
      const loads = await measurePage({ browser, origin: site.origin, rounds: 1 })
      for (const [load] of [loads.cold, loads.warm])
        for (const measured of ['paint', 'script', 'module', 'first', 'all'] as const)
          expect(load![measured], measured).toBeGreaterThan(0)
      expect(tableOf(loads)).toMatch(/\| first verdict painted \| [\d.,]+ \| [\d.,]+ \|/)
    } finally {
      await browser.close()
    }
  })
})
