/** Vitest's browser mode in the engines that Playwright cannot start here: its pages are opened by the drivers that test the demo page. */
import { defineBrowserProvider } from '@vitest/browser'
import { findFirefox, findWebKit } from '../../../scripts/engines.mjs'
import type { Driver } from './driver.ts'
import { FirefoxDriver } from './firefox.ts'
import { WebKitDriver } from './webkit.ts'

const starts: Readonly<Record<string, () => Promise<Driver>>> = {
  firefox: async () => await FirefoxDriver.start(findFirefox()!),
  webkit: async () => await WebKitDriver.start(findWebKit()!),
}

/** A provider of one page after the other, each in a browser of its own, which ends with the run. */
export const engines = defineBrowserProvider<object>({
  name: 'engines',
  supportedBrowser: Object.keys(starts),
  options: {},
  providerFactory: (project) => {
    const drivers: Driver[] = []
    return {
      name: 'engines',
      supportsParallelism: false,
      getCommandsContext: () => ({}),
      openPage: async (_session, url) => {
        const driver = await starts[project.config.browser.name]!()
        drivers.push(driver)
        await driver.open(url)
      },
      close: async () => void (await Promise.all(drivers.splice(0).map((driver) => driver.close()))),
    }
  },
})
