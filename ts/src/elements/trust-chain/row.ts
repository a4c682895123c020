/** A link of a chain in the shadow tree. It is kept while its link changes, so that its button keeps the focus. */
import { ENGLISH, make, mark, write } from '../shared/element.ts'
import { drawLink } from './drawing.ts'
import { type ChainLink, WORDS } from './link.ts'

/** The list item of a link. */
export class Row {
  readonly #title = make('span', { class: 'title' })
  readonly #mark = make('span', { class: 'mark', ...ENGLISH })
  readonly #button = make('button', { type: 'button', part: 'button' })
  readonly #text = make('p', { class: 'text', part: 'text' })
  readonly #reason = make('p', { class: 'reason' })
  readonly #expected = make('dd')
  readonly #got = make('dd')
  readonly #values: readonly (readonly [HTMLElement, HTMLElement])[] = [
    [make('dt', ENGLISH, 'expected'), this.#expected],
    [make('dt', ENGLISH, 'got'), this.#got],
  ]
  readonly #list = make('dl', {}, ...this.#values.flat())
  readonly node: HTMLLIElement = make(
    'li',
    { part: 'link' },
    drawLink(),
    make('div', { class: 'head' }, this.#title, this.#mark, this.#button),
    this.#text,
    this.#reason,
    this.#list,
  )
  #link: ChainLink | undefined

  /** `choose` is called when the button is pressed. */
  constructor(choose: (link: ChainLink) => void) {
    this.#button.addEventListener('click', () => {
      if (this.#link !== undefined) choose(this.#link)
    })
  }

  /** Shows a link. */
  show(link: ChainLink): void {
    this.#link = link
    const { title, text, reason, canBreak, isBroken } = link
    mark(this.node, 'data-mark', link.mark)
    write(this.#title, title)
    write(this.#mark, WORDS[link.mark])
    write(this.#text, text)
    mark(this.#text, 'part', link.mark === 'broken' ? 'text broken' : 'text')
    write(this.#reason, reason ?? '')
    this.#reason.hidden = isNone(reason)
    const values = [link.expected, link.got]
    for (const [at, value] of values.entries()) {
      const [term, shown] = this.#values[at]!
      write(shown, value ?? '')
      shown.title = value ?? ''
      term.hidden = shown.hidden = isNone(value)
    }
    this.#list.hidden = values.every(isNone)
    const verb = isBroken === true ? 'Restore' : 'Break'
    this.#button.hidden = canBreak !== true && isBroken !== true
    write(this.#button, verb)
    mark(this.#button, 'aria-label', `${verb}: ${title}`)
  }
}

/** Whether a link says nothing: JSON has null where others leave a field out. */
const isNone = (text: string | null | undefined): boolean => text === null || text === undefined
