/** WebKit, as GTK has it: its smallest browser, in a screen that nobody sees, over WebDriver. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { findWebKit } from '../../../scripts/engines.mjs'
import { freePort } from '../free-port.ts'
import { type Argument, callOf, Driver, type Key, type PageFunction } from './driver.ts'
import { endWithUs, makeHome } from './program.ts'
import { ELEMENT, WebDriverSession } from './webdriver.ts'

/** Where the programs are. */
export type WebKitPaths = NonNullable<ReturnType<typeof findWebKit>>

/** What WebDriver calls the keys (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
const KEYS: Readonly<Record<Key, string>> = {
  Tab: '\uE004',
  Enter: '\uE006',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
}

export class WebKitDriver extends Driver {
  readonly #session: WebDriverSession
  readonly #end: () => Promise<void>

  private constructor(session: WebDriverSession, end: () => Promise<void>) {
    super()
    this.#session = session
    this.#end = end
  }

  static async start({ driver, browser, xvfb }: WebKitPaths): Promise<WebKitDriver> {
    const home = await makeHome()
    const ends: (() => Promise<void>)[] = [home.remove]
    const end = async (): Promise<void> => {
      for (const end of ends.splice(0).reverse()) await end()
    }
    try {
      const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1440x940x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
        detached: true,
      })
      ends.push(endWithUs(screen))
      const display = await numberOf(screen)
      const port = await freePort()
      const server = spawn(driver, [`--port=${port}`], {
        stdio: 'ignore',
        detached: true,
        env: {
          ...process.env,
          ...{ DISPLAY: `:${display}`, HOME: home.path, XDG_RUNTIME_DIR: home.path },
          // Neither a graphics card nor a service for assistive technology is there.
          ...{ LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1', NO_AT_BRIDGE: '1' },
        },
      })
      ends.push(endWithUs(server))
      const session = await WebDriverSession.open(`http://127.0.0.1:${port}`, {
        'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
      })
      await session.post('/window/rect', { x: 0, y: 0, width: 1440, height: 938 })
      return new WebKitDriver(session, end)
    } catch (error) {
      await end()
      throw error
    }
  }

  async open(url: string): Promise<void> {
    await this.#session.post('/url', { url })
    await this.#listen()
  }

  async reload(): Promise<void> {
    await this.#session.post('/refresh', {})
    await this.#listen()
  }

  async evaluate<Arguments extends readonly Argument[], Result>(
    read: PageFunction<Arguments, Result>,
    ...given: Arguments
  ): Promise<Result> {
    return (await this.#session.run(callOf(read, given))) as Result
  }

  async click<Arguments extends readonly Argument[]>(
    find: PageFunction<Arguments, Element | null | undefined>,
    ...given: Arguments
  ): Promise<void> {
    const found = (await this.#session.run(callOf(find, given))) as { readonly [ELEMENT]: string } | null
    if (found === null) throw new Error(`nothing to click: ${String(find)}`)
    await this.#session.post(`/element/${found[ELEMENT]}/click`, {})
  }

  async press(key: Key): Promise<void> {
    const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] }))
    await this.#session.post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  async screenshot(): Promise<Uint8Array> {
    return Buffer.from((await this.#session.get('/screenshot')) as string, 'base64')
  }

  async complaints(): Promise<readonly string[]> {
    return await this.evaluate(() => (globalThis as { complaints?: string[] }).complaints ?? [])
  }

  async close(): Promise<void> {
    await this.#end()
  }

  /** WebDriver says nothing of the console, nor does it run anything before the page's own script: what comes after the page has loaded is heard. */
  async #listen(): Promise<void> {
    await this.evaluate(() => {
      const complaints: string[] = []
      Object.assign(globalThis, { complaints })
      addEventListener('error', ({ message }) => complaints.push(message))
      addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)))
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        complaints.push(`policy: ${effectiveDirective} ${blockedURI}`),
      )
      for (const level of ['error', 'warn'] as const)
        console[level] = (...said: unknown[]) => complaints.push(said.join(' '))
    })
  }
}

/** The number that a screen gives itself, the first that is free, and tells in its fourth stream. */
async function numberOf(screen: ChildProcess): Promise<string> {
  let told = ''
  for await (const chunk of screen.stdio[3] as Readable) {
    told += String(chunk)
    if (told.endsWith('\n')) return told.trim()
  }
  throw new Error('Xvfb ended before it had a screen')
}
