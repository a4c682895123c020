/** Chromium, over its own protocol. */
import type { ElementHandle } from 'playwright-core'
import type { Visit, Visitor } from '../site.ts'
import { type Argument, callOf, Driver, type Key, type PageFunction } from './driver.ts'

export class ChromiumDriver extends Driver {
  readonly #visitor: Visitor
  readonly #visit: Visit

  private constructor(visitor: Visitor, visit: Visit) {
    super()
    this.#visitor = visitor
    this.#visit = visit
  }

  /** In a context of its own, of the browser that has been started for all tests of a file. */
  static async start(visitor: Visitor): Promise<ChromiumDriver> {
    return new ChromiumDriver(visitor, await visitor.newPage())
  }

  async open(url: string): Promise<void> {
    await this.#visit.page.goto(url)
  }

  async reload(): Promise<void> {
    await this.#visit.page.reload()
  }

  async evaluate<Arguments extends readonly Argument[], Result>(
    read: PageFunction<Arguments, Result>,
    ...given: Arguments
  ): Promise<Result> {
    return (await this.#visit.page.evaluate(callOf(read, given))) as Result
  }

  async click<Arguments extends readonly Argument[]>(
    find: PageFunction<Arguments, Element | null | undefined>,
    ...given: Arguments
  ): Promise<void> {
    const found = await this.#visit.page.evaluateHandle(callOf(find, given))
    const element = found.asElement() as ElementHandle | null
    if (element === null) throw new Error(`nothing to click: ${String(find)}`)
    await element.click()
    await element.dispose()
  }

  async press(key: Key): Promise<void> {
    await this.#visit.page.keyboard.press(key)
  }

  async screenshot(): Promise<Uint8Array> {
    return await this.#visit.page.screenshot()
  }

  async complaints(): Promise<readonly string[]> {
    return this.#visit.complaints
  }

  async close(): Promise<void> {
    await this.#visitor.context.close()
  }
}
