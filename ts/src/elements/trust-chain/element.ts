/** `<trust-chain>`: what a verdict rests on, link by link. */
import { ElementBase, ENGLISH, make, name, upgradeProperties } from '../shared/element.ts'
import { adoptStyle, openShadow } from '../shared/palette.ts'
import { type ChainLink, type LinkChoice, WORDS } from './link.ts'
import { Row } from './row.ts'
import { css } from './style.ts'

/**
 * `<trust-chain>`: an ordered list of links, each drawn as a link of a chain, with its state in words, one sentence, and, where it is
 * broken, the reason and both values whole. A link that can be broken has a button: it fires `linkbreak`, or `linkrestore` where the link is
 * broken already. The element breaks nothing by itself: the page answers with other `links`.
 *
 * @example
 * ```ts browser
 * import 'blobcheck/elements/trust-chain'
 *
 * const chain = document.createElement('trust-chain')
 * document.body.append(chain)
 * chain.links = [
 *   { name: 'proof', title: 'Proof', mark: 'verified', text: 'The blob belongs to the commitment.', canBreak: true },
 *   { name: 'checkpoint', title: 'Checkpoint', mark: 'trusted', text: 'You gave it.' },
 * ]
 * chain.addEventListener('linkbreak', ({ detail }) => {
 *   const broken = { mark: 'broken', reason: 'The proof is false.', isBroken: true } as const
 *   chain.links = chain.links.map((link) => (link.name === detail.name ? { ...link, ...broken } : link))
 * })
 * chain.focus() // its first button
 * console.log(chain.links.length === 2) // true
 * ```
 */
export class TrustChainElement extends ElementBase {
  /** The name that a page gives it. */
  static readonly observedAttributes: readonly string[] = ['aria-label']

  #links: readonly ChainLink[] = []
  readonly #rows = new Map<string, Row>()
  readonly #list = make('ol', { part: 'list', hidden: '' })
  readonly #empty = make('p', { class: 'empty', ...ENGLISH }, 'No links yet.')

  constructor() {
    super()
    openShadow(this, css, this.#list, this.#empty)
    name(this.#list, this, 'Chain of trust')
  }

  /**
   * The links, from the data to what is trusted; null, undefined and an empty string are none. TypeError for what is no array, where two have the
   * same name, and for a mark that there is not: nothing has changed then.
   */
  get links(): readonly ChainLink[] {
    return this.#links
  }
  set links(given: readonly ChainLink[] | null | undefined) {
    // Frameworks assign null or undefined where a template has no links any more, and Preact an empty string.
    const links = (given as unknown) === '' ? [] : (given ?? [])
    if (!Array.isArray(links)) throw new TypeError('links are an array')
    const names = new Set(links.map(({ name }) => name))
    if (names.size < links.length) throw new TypeError('two links have the same name')
    // None may look like another one, least of all like a verdict.
    for (const { mark } of links)
      if (!Object.hasOwn(WORDS, mark))
        throw new TypeError(`a link is ${Object.keys(WORDS).join(', ')}, not ${String(mark)}`)
    this.#links = [...links]
    for (const [name, row] of this.#rows) {
      if (names.has(name)) continue
      row.node.remove()
      this.#rows.delete(name)
    }
    links.forEach((link, at) => {
      let row = this.#rows.get(link.name)
      if (row === undefined) this.#rows.set(link.name, (row = new Row((chosen) => this.#choose(chosen))))
      row.show(link)
      // Not moved where it is already: what is moved loses the focus.
      const there = this.#list.children[at] ?? null
      if (there !== row.node) this.#list.insertBefore(row.node, there)
    })
    this.#list.hidden = links.length === 0
    this.#empty.hidden = links.length > 0
  }

  /** Gives the focus to what takes the keyboard: the first button, or where there is none the element itself, if it has a `tabindex`. */
  override focus(options?: FocusOptions): void {
    const button = this.#list.querySelector<HTMLElement>('button:not([hidden])')
    if (button === null) super.focus(options)
    else button.focus(options)
  }

  /** Called by the page: it has another name. */
  attributeChangedCallback(): void {
    name(this.#list, this, 'Chain of trust')
  }

  /** Called by the page: the element is in a document. */
  connectedCallback(): void {
    adoptStyle(this, css)
    upgradeProperties(this, ['links'])
  }

  #choose({ name, isBroken }: ChainLink): void {
    const detail: LinkChoice = { name }
    const type = isBroken === true ? 'linkrestore' : 'linkbreak'
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}
