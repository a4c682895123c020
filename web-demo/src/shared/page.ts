/** Finding elements, once and for sure. */
export function element<T extends Element>(
  selector: string,
  type: abstract new () => T,
  inside: ParentNode = document,
): T {
  const found = inside.querySelector(selector)
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`)
  return found
}

/** A copy of a template's only element. */
export function fromTemplate(id: string): HTMLElement {
  const copy = document.importNode(element(`#${id}`, HTMLTemplateElement).content, true).firstElementChild
  if (!(copy instanceof HTMLElement)) throw new Error(`template ${id} is empty`)
  return copy
}

export function setText(selector: string, text: string, inside: ParentNode = document): void {
  const target = element(selector, HTMLElement, inside)
  if (target.textContent !== text) target.textContent = text
}

/** Long hex, whole, so that it can be copied; the style sheet leaves its middle out. */
export function setHex(code: HTMLElement, hex: string): void {
  const part = (name: string, text: string): HTMLElement => {
    const span = document.createElement('span')
    span.className = name
    span.textContent = text
    return span
  }
  code.classList.add('hex')
  code.title = hex
  code.replaceChildren(part('head', hex.slice(0, -8)), part('tail', hex.slice(-8)))
}

export function setIcon(name: string, inside: ParentNode): void {
  element('use', SVGUseElement, inside).setAttribute('href', `#icon-${name}`)
}

/** Milliseconds for which a button keeps its look; most runs are over by then. */
const PAUSE_MS = 400

/** A button, for who knows when it may be pressed. */
export interface Pressable {
  /** `isBusy`: where it may not, because of a run that is soon over. */
  enable(enabled: boolean, isBusy?: boolean): void
}

/**
 * A button that cannot be used now keeps the focus, and says so to those who do not see it; `onPress` is not called then. One that a run
 * takes away keeps its look for as long as most runs take: it would blink in each of them.
 */
export function pressable(selector: string, onPress: () => void): Pressable {
  const button = element(selector, HTMLButtonElement)
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') !== 'true') onPress()
  })
  let timer = 0
  return {
    enable(enabled, isBusy = false) {
      const wasEnabled = button.getAttribute('aria-disabled') === 'false'
      window.clearTimeout(timer)
      button.classList.toggle('paused', isBusy && !enabled && wasEnabled)
      timer = window.setTimeout(() => button.classList.remove('paused'), PAUSE_MS)
      button.setAttribute('aria-disabled', String(!enabled))
    },
  }
}

/** What is scrolled where it does not fit takes the focus there, so that it is scrolled by keyboard, too; elsewhere it would be an idle stop. */
export function focusWhereScrolled(row: HTMLElement): void {
  new ResizeObserver(() => {
    if (row.scrollWidth > row.clientWidth) row.tabIndex = 0
    else row.removeAttribute('tabindex')
  }).observe(row)
}
