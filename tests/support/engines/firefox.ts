/** Firefox, over WebDriver BiDi. */
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { type Argument, callOf, Driver, type Key, type PageFunction } from './driver.ts'
import { endWithUs, makeHome } from './program.ts'

export class FirefoxDriver extends Driver {
  readonly #page: Page
  readonly #complaints: string[] = []
  readonly #end: () => Promise<void>

  private constructor(page: Page, end: () => Promise<void>) {
    super()
    this.#page = page
    this.#end = end
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) this.#complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.#complaints.push(String(error)))
  }

  static async start(executablePath: string): Promise<FirefoxDriver> {
    const { launch } = await import('puppeteer-core')
    const home = await makeHome()
    const browser: Browser = await launch({
      ...{ browser: 'firefox', executablePath, headless: true },
      defaultViewport: { width: 1440, height: 900 },
      env: { ...process.env, HOME: home.path, MOZ_CRASHREPORTER_DISABLE: '1' },
    })
    const endFirefox = endWithUs(browser.process()!)
    const end = async (): Promise<void> => {
      await browser.close().catch(() => {}) // it is ended below in any case
      await endFirefox()
      await home.remove()
    }
    try {
      const page = await browser.newPage()
      await page.evaluateOnNewDocument(() =>
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
          console.error(`policy: ${effectiveDirective} ${blockedURI}`),
        ),
      )
      return new FirefoxDriver(page, end)
    } catch (error) {
      await end()
      throw error
    }
  }

  /** Installs the extension in a folder for as long as the browser runs. Rejects with what Firefox says is wrong with it. */
  async install(folder: string): Promise<void> {
    await this.#page.browser().installExtension(folder)
  }

  async open(url: string): Promise<void> {
    await this.#page.goto(url)
  }

  async reload(): Promise<void> {
    await this.#page.reload()
  }

  async evaluate<Arguments extends readonly Argument[], Result>(
    read: PageFunction<Arguments, Result>,
    ...given: Arguments
  ): Promise<Result> {
    return (await this.#page.evaluate(callOf(read, given))) as Result
  }

  async click<Arguments extends readonly Argument[]>(
    find: PageFunction<Arguments, Element | null | undefined>,
    ...given: Arguments
  ): Promise<void> {
    const found = await this.#page.evaluateHandle(callOf(find, given))
    const element = found.asElement() as ElementHandle<Element> | null
    if (element === null) throw new Error(`nothing to click: ${String(find)}`)
    await element.click()
    await element.dispose()
  }

  async press(key: Key): Promise<void> {
    await this.#page.keyboard.press(key)
  }

  async screenshot(): Promise<Uint8Array> {
    return await this.#page.screenshot()
  }

  async complaints(): Promise<readonly string[]> {
    return this.#complaints
  }

  async close(): Promise<void> {
    await this.#end()
  }
}
