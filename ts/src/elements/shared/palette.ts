/**
 * Colours and style sheets of the elements. Each colour is a custom property that a page may set; its default follows the page's
 * `color-scheme`. Where the user forces colours, theirs are used. Sheets are adopted: `style-src 'self'` allows that.
 */
import { make } from './element.ts'

/** The colours by name: in light, in dark, and where colours are forced. */
const colours = {
  valid: ['#1b7a4b', '#6fcf9a', 'CanvasText'],
  rebuilt: ['#2563a8', '#7fb5f2', 'CanvasText'],
  refused: ['#b3261e', '#ff8d7e', 'CanvasText'],
  trusted: ['#8a5a00', '#e6bd66', 'CanvasText'],
  ink: ['#1c1d1f', '#e9e7e2', 'CanvasText'],
  soft: ['#5a5d63', '#a3a6ac', 'CanvasText'],
  rule: ['#dedad1', '#3b3f45', 'GrayText'],
  paper: ['#ffffff', '#1b1d20', 'Canvas'],
} as const

/** `--blobcheck-NAME` sets it. */
export type ColourName = keyof typeof colours

/** The colours as they are now: what a canvas takes. */
export type Palette = Readonly<Record<ColourName, string>>

const names = Object.keys(colours) as ColourName[]

const host = (valueOf: (name: ColourName, of: readonly [string, string, string]) => string): string =>
  `:host{${names.map((name) => `--_${name}:${valueOf(name, colours[name])}`).join(';')}}`

const own = (name: ColourName, value: string): string => `var(--blobcheck-${name},${value})`

/** What all elements have. Browsers without `light-dark` take the system's scheme for the page's. */
const common = `
${host((name, [light, dark]) => own(name, `light-dark(${light},${dark})`))}
@supports not (color:light-dark(red,red)){
${host((name, [light]) => own(name, light))}
@media (prefers-color-scheme:dark){${host((name, [, dark]) => own(name, dark))}}
}
@media (forced-colors:active){${host((_, [, , forced]) => forced)}}
:host{display:block;color:var(--_ink);font:.8125rem/1.4 system-ui,sans-serif;font-variant-numeric:tabular-nums;text-align:start}
:host([hidden]),[hidden]{display:none!important}
*{box-sizing:border-box;margin:0;padding:0}
:focus-visible{outline:3px solid var(--blobcheck-focus,var(--_ink));outline-offset:3px;border-radius:3px}
canvas{display:block}
[tabindex]>canvas{width:20rem;min-width:100%;max-width:100%;height:auto}
.measure{height:0}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;scroll-margin:.5rem}
.line{min-height:1.4em;width:0;min-width:100%}
.legend{display:flex;flex-wrap:wrap;gap:.125rem 1rem;list-style:none;color:var(--_soft);font-size:.75rem}
.legend li{display:flex;align-items:center;gap:.375rem}
.probes{transition:font-size 1ms step-start}
.probes span{forced-color-adjust:none;transition:color 1ms step-start}
${names.map((name) => `.${name}{color:var(--_${name})}`).join('')}
`

/** The sheets of each document by their rules: a document takes none that was made in another one. */
const sheets = new WeakMap<Document, Map<string, CSSStyleSheet>>()

/**
 * Gives the shadow tree of an element the common rules and its own, where it has none: whoever moves it into another document, such as a frame,
 * takes them away from it.
 */
export function adoptStyle({ ownerDocument, shadowRoot }: HTMLElement, css: string): void {
  const view = ownerDocument.defaultView
  // A document without a window shows nothing, nor does jsdom, which has no such sheets.
  if (view === null || shadowRoot!.adoptedStyleSheets?.length !== 0) return
  const own = sheets.get(ownerDocument) ?? new Map<string, CSSStyleSheet>()
  sheets.set(ownerDocument, own)
  shadowRoot!.adoptedStyleSheets = [common, css].map((rules) => {
    const sheet = own.get(rules) ?? new view.CSSStyleSheet()
    if (!own.has(rules)) sheet.replaceSync(rules)
    own.set(rules, sheet)
    return sheet
  })
}

/** Gives an element its shadow tree, with the common rules and its own. */
export function openShadow(element: HTMLElement, css: string, ...children: readonly Node[]): void {
  element.attachShadow({ mode: 'open' }).append(...children)
  adoptStyle(element, css)
}

/**
 * Reads the colours out of a shadow tree that `node` is in. They and the size of text have a transition of a millisecond, at whose start they are what
 * they become: by its end, which bubbles, what a page changes by itself is noticed.
 */
export class Probes {
  readonly node: HTMLElement
  readonly #spans: readonly (readonly [ColourName, HTMLElement])[]

  constructor() {
    this.#spans = names.map((name) => [name, make('span', { class: name })] as const)
    this.node = make('div', { class: 'probes' }, ...this.#spans.map(([, span]) => span))
  }

  /** The colours that the style sheets of this moment come to. */
  read(): Palette {
    const entries = this.#spans.map(([name, span]) => [name, getComputedStyle(span).color] as const)
    return Object.fromEntries(entries) as Record<ColourName, string>
  }
}
