/** As much of WebDriver (https://www.w3.org/TR/webdriver2/) as the tests need: JSON over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The key under which an answer names an element of the page. */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

export class WebDriverSession {
  readonly #base: string

  private constructor(base: string) {
    this.#base = base
  }

  /** Waits until a server answers that was just started, and has it start a browser. */
  static async open(server: string, capabilities: object): Promise<WebDriverSession> {
    for (let tries = 0; !(await isReady(server)); tries++) {
      if (tries === 200) throw new Error('the WebDriver server does not answer')
      await sleep(50)
    }
    const asked = { capabilities: { alwaysMatch: { ...capabilities, timeouts: { script: 120_000 } } } }
    const { sessionId } = (await ask('POST', `${server}/session`, asked)) as { sessionId: string }
    return new WebDriverSession(`${server}/session/${sessionId}`)
  }

  async get(path: string): Promise<unknown> {
    return await ask('GET', this.#base + path)
  }

  async post(path: string, body: object): Promise<unknown> {
    return await ask('POST', this.#base + path, body)
  }

  /** The value of an expression in the page, or that of the promise that it is. */
  async run(expression: string): Promise<unknown> {
    return await this.post('/execute/sync', { script: `return ${expression}`, args: [] })
  }
}

async function isReady(server: string): Promise<boolean> {
  try {
    return ((await ask('GET', `${server}/status`)) as { ready: boolean }).ready
  } catch {
    return false
  }
}

async function ask(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const { value } = (await response.json()) as { value: unknown }
  if (response.ok) return value
  const { error, message } = value as { error: string; message: string }
  throw new Error(`${method} ${new URL(url).pathname}: ${error}: ${message}`)
}
