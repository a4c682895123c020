/** What the tests of the elements share: a page that forbids inline styles, frames, and pixels. */
import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

/** Forbids inline styles in this page from now on, and returns what has been refused since. */
export function forbidInlineStyles(): readonly string[] {
  const refused: string[] = []
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
    refused.push(violatedDirective),
  )
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = "style-src 'self'"
  document.head.append(policy)
  return refused
}

/** Puts an element into the page for this test, `width` CSS pixels wide. */
export function place<K extends keyof HTMLElementTagNameMap>(name: K, width = 900): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  element.style.width = `${width}px`
  document.body.append(element)
  onTestFinished(() => element.remove())
  return element
}

/** Gives text twice its size in this test. */
export function doubleText(): void {
  document.documentElement.style.fontSize = '200%'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
}

/** Shows the page as it is on paper, for this test, in Chromium alone. */
export async function onPaper(): Promise<void> {
  const session = cdp() as unknown as { send(method: string, params: object): Promise<void> }
  const set = (media: string): Promise<void> => session.send('Emulation.setEmulatedMedia', { media })
  onTestFinished(async () => await set(''))
  await set('print')
}

/** Resolves when what was to be drawn has been drawn, by this window or by another one. */
export async function drawn(view: Window = window): Promise<void> {
  for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => view.requestAnimationFrame(resolve))
}

/** What is in an element's shadow tree. */
export function inside(element: HTMLElement, selector: string): HTMLElement {
  const found = element.shadowRoot!.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`there is no ${selector}`)
  return found
}

/** The element's large canvas. */
export const canvasOf = (element: HTMLElement): HTMLCanvasElement =>
  inside(element, '[tabindex] > canvas') as HTMLCanvasElement

/** A key is pressed while the element's control has the focus. Whether the page is to do nothing of its own. */
export function press(element: HTMLElement, key: string, options: KeyboardEventInit = {}): boolean {
  const control = inside(element, '[tabindex]')
  control.focus()
  return !control.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options }),
  )
}

/** The pixels of a part of a canvas: `.` where nothing is, `o` where white paper is, or more of it than of anything else, `#` where anything else is; and all colours but these. */
export function pixels(
  canvas: HTMLCanvasElement,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): { readonly shape: string; readonly colours: ReadonlySet<string> } {
  const { data } = canvas.getContext('2d')!.getImageData(x, y, width, height)
  const colours = new Set<string>()
  let shape = ''
  for (let at = 0; at < data.length; at += 4) {
    if (at > 0 && (at / 4) % width === 0) shape += '\n'
    const [red, green, blue, alpha] = data.subarray(at, at + 4)
    const isPaper = Math.min(red!, green!, blue!) > 190
    shape += alpha! < 128 ? '.' : isPaper ? 'o' : '#'
    if (alpha === 255 && !isPaper) colours.add([red, green, blue].join())
  }
  return { shape, colours }
}
