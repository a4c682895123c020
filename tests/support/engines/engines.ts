/** The engines that the page is tested in. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findFirefox, findWebKit } from '../../../scripts/engines.mjs'
import type { Site } from '../site.ts'
import { ChromiumDriver } from './chromium.ts'
import type { Driver } from './driver.ts'
import { FirefoxDriver } from './firefox.ts'
import { WebKitDriver } from './webkit.ts'

export interface Engine {
  readonly name: 'Chromium' | 'Firefox' | 'WebKit'
  /** Whether it is on this machine; in CI it must be. */
  readonly isHere: boolean
  /** A browser, or a context of one, that shares nothing with any other. */
  readonly start: (site: Pick<Site, 'visitor'>) => Promise<Driver>
}

const firefox = findFirefox()
const webKit = findWebKit()
const hasPackages = existsSync(fileURLToPath(new URL('node_modules/puppeteer-core', import.meta.url)))

/** Chromium is the site's own: where there is none, there is no site. */
export const engines: readonly Engine[] = [
  {
    ...{ name: 'Chromium', isHere: true },
    start: async (site) =>
      await ChromiumDriver.start(await site.visitor({ viewport: { width: 1440, height: 900 } })),
  },
  {
    ...{ name: 'Firefox', isHere: firefox !== undefined && hasPackages },
    start: async () => await FirefoxDriver.start(firefox!),
  },
  {
    ...{ name: 'WebKit', isHere: webKit !== undefined },
    start: async () => await WebKitDriver.start(webKit!),
  },
]

for (const { name, isHere } of engines) {
  if (isHere) continue
  if (process.env['CI'] === 'true')
    throw new Error(`the page is to be tested in ${name}, and it is not here: npm test installs it`)
  console.warn(`SKIPPED: the demo page in ${name}, which is not here (npm test installs it where it can)`)
}
