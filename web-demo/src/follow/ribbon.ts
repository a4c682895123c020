/** The last slots of a chain that is followed, newest first: a button for each, with its state as a drawing and as words. */
import './ribbon.css'
import { type FollowedSlot, RIBBON_SLOTS, type SlotState } from './slot.ts'
import { integer } from '../shared/words.ts'

/** One drawing for each state, in a square of 20: colour is never the only sign. */
const drawings: Readonly<Record<SlotState, string>> = {
  sampling: 'M10 3a7 7 0 1 1-7 7',
  available: 'M4 10.5l4.2 4.2L16.2 6',
  refused: 'M5 5l10 10M15 5L5 15',
  unavailable: 'M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M5.2 5.2l9.6 9.6',
  'not-revealed': 'M4 8h12v8H4zM7 8V6a3 3 0 0 1 6 0v2',
  'no-blobs': 'M4 10h12',
  empty: 'M4 4h3M9 4h3M14 4h2v3M16 10v3M16 15v1h-3M10 16H7M4 16v-3M4 10V7',
  unknown: 'M7.2 7.6c0-3.6 5.6-3.6 5.6-.2 0 2.2-2.8 2.2-2.8 4.6M10 15.4v.4',
  missed: 'M5 4l6 6-6 6M11 4l6 6-6 6',
}

/** Its own elements are all in `root`, which is empty. `onChoose`: of a slot, or of null for the newest from now on. */
export class Ribbon {
  readonly #list = document.createElement('ol')
  readonly #words = document.createElement('p')
  readonly #newest = document.createElement('button')
  readonly #onChoose: (slot: number | null) => void
  /** In the order of their slots. */
  readonly #slots = new Map<number, { readonly item: HTMLElement; view: FollowedSlot }>()
  #chosen: number | null = null

  constructor(root: HTMLElement, onChoose: (slot: number | null) => void) {
    this.#onChoose = onChoose
    root.classList.add('ribbon')
    const title = document.createElement('p')
    title.className = 'note'
    title.textContent = `The last ${RIBBON_SLOTS} slots, newest first. Press one to see it again.`
    this.#list.setAttribute('aria-label', `The last ${RIBBON_SLOTS} slots, newest first`)
    this.#words.className = 'ribbon-words'
    this.#newest.type = 'button'
    this.#newest.textContent = 'Show the newest slot'
    this.#newest.addEventListener('click', () => this.#choose(null))
    const head = document.createElement('div')
    head.className = 'ribbon-head'
    head.append(title, this.#newest)
    root.append(head, this.#list, this.#words)
    this.clear()
  }

  get isEmpty(): boolean {
    return this.#slots.size === 0
  }

  clear(): void {
    this.#slots.clear()
    this.#chosen = null
    this.#list.replaceChildren()
    this.#say()
  }

  /** Adds a slot, or says something else of one that is there. */
  set(view: FollowedSlot): void {
    const { slot } = view
    const known = this.#slots.get(slot)
    if (known !== undefined) {
      known.view = view
      fill(known.item, view)
    } else {
      const item = itemOf(view, () => this.#choose(slot))
      const older = [...this.#slots.keys()].filter((other) => other < slot)
      const next = this.#slots.get(Math.max(...older))
      this.#slots.set(slot, { item, view })
      this.#list.insertBefore(item, next?.item ?? null)
      for (const [old, { item }] of this.#slots) {
        if (old > Math.max(...this.#slots.keys()) - RIBBON_SLOTS) continue
        remove(item)
        this.#slots.delete(old)
        if (old === this.#chosen) this.#chosen = null
      }
    }
    this.#say()
  }

  #choose(slot: number | null): void {
    this.#chosen = slot
    this.#say()
    this.#onChoose(slot)
  }

  /** Says what is known of the slot that is shown. */
  #say(): void {
    const shown = this.#chosen ?? Math.max(...this.#slots.keys())
    for (const [slot, { item }] of this.#slots)
      item.firstElementChild!.setAttribute('aria-pressed', String(slot === shown))
    const view = this.#slots.get(shown)?.view
    const text =
      view === undefined
        ? 'No slot has been sampled yet.'
        : `Slot ${integer(view.slot)}, ${view.label}. ${view.words}`
    if (this.#words.textContent !== text) this.#words.textContent = text
    this.#newest.setAttribute('aria-disabled', String(this.#chosen === null))
  }
}

/** Removes an item. Who is on it by keyboard goes on from the next newer one; nothing scrolls for that. */
function remove(item: HTMLElement): void {
  if (item.contains(document.activeElement))
    item.previousElementSibling?.querySelector('button')?.focus({ preventScroll: true })
  item.remove()
}

function itemOf(view: FollowedSlot, onPress: () => void): HTMLElement {
  const item = document.createElement('li')
  const button = document.createElement('button')
  button.type = 'button'
  button.addEventListener('click', onPress)
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  svg.append(document.createElementNS('http://www.w3.org/2000/svg', 'path'))
  const label = document.createElement('span')
  button.append(svg, label)
  item.append(button)
  fill(item, view)
  return item
}

function fill(item: HTMLElement, { slot, state, label, words }: FollowedSlot): void {
  const button = item.firstElementChild as HTMLButtonElement
  button.dataset['state'] = state
  button.dataset['slot'] = String(slot)
  button.querySelector('path')!.setAttribute('d', drawings[state])
  button.querySelector('span')!.textContent = label
  // The figure and what it rests on belong together, for those who hear it, too.
  button.setAttribute('aria-label', `Slot ${integer(slot)}, ${label}. ${words}`)
  button.title = `Slot ${integer(slot)}`
}
