/** What the elements are made of: a base class that Node can load, their definition, and the nodes in their shadow trees. */

/** `HTMLElement` where there is one. Elsewhere, under a server that only imports the module, a class that nobody makes objects of. */
export const ElementBase: typeof HTMLElement =
  globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement)

/** Defines an element, unless there are none here, as under Node and in content scripts, or another copy of this module has defined it. */
export function define(name: string, element: CustomElementConstructor): void {
  const registry = globalThis.customElements as CustomElementRegistry | null | undefined
  // Chromium has null for content scripts of extensions.
  if (registry && registry.get(name) === undefined) registry.define(name, element)
}

/**
 * Hands properties to their setters that were set on an element before it was defined, as frameworks do. Throws what the setter of a wrong one
 * throws, when the others are set.
 */
export function upgradeProperties<T extends HTMLElement>(
  element: T,
  [name, ...others]: readonly (keyof T)[],
): void {
  if (name === undefined) return
  const isSet = Object.hasOwn(element, name)
  const value = element[name]
  // None hides a property of the class any more when the first setter runs, which reads others.
  delete element[name]
  try {
    upgradeProperties(element, others)
  } finally {
    if (isSet) element[name] = value
  }
}

/**
 * What a property that is a number may be set to. Frameworks assign what a template has, as it is: digits, and null or undefined where it has
 * nothing any more.
 */
export type Count = number | string | null | undefined

/** The whole number that is given, also in digits; null where it is none from `least` to `most`. */
export function countOf(given: unknown, least: number, most: number): number | null {
  const count = (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given) as number
  return Number.isInteger(count) && count >= least && count <= most ? count : null
}

/** What a property is set to, or the error that says what it may be. */
export function readCount(name: string, given: unknown, least: number, most: number): number {
  const count = countOf(given, least, most)
  if (count !== null) return count
  throw new RangeError(`${name} is a whole number from ${least} to ${most}, not ${String(given)}`)
}

/** An HTML element with attributes and children. No markup is parsed, so that no policy of the page can forbid it. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Writes a text that may be there already: selections survive, and nothing is read out again. */
export function write(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text
}

/** Sets an attribute that may have its value already. */
export function mark(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** What the elements' own words are marked with; a page's own are of its language. */
export const ENGLISH = { lang: 'en' } as const

/**
 * Names a node for screen readers in an element's own words, after the name that the page has given the element, if it has. Then its language
 * is the page's.
 */
export function name(node: Element, host: Element, words: string): void {
  const given = host.getAttribute('aria-label')?.trim()
  mark(node, 'aria-label', given ? `${given}. ${words}` : words)
  if (given) node.removeAttribute('lang')
  else mark(node, 'lang', ENGLISH.lang)
}

/** `1 item`, `2 items`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
