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

export function setIcon(name: string, inside: ParentNode): void {
  element('use', SVGUseElement, inside).setAttribute('href', `#icon-${name}`)
}

/**
 * A button that cannot be used now keeps the focus, and says so to those who do not see it; `onPress` is not called then.
 */
export function pressable(selector: string, onPress: () => void): { enable(enabled: boolean): void } {
  const button = element(selector, HTMLButtonElement)
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') !== 'true') onPress()
  })
  return { enable: (enabled) => button.setAttribute('aria-disabled', String(!enabled)) }
}
