/** A table of what several implementations took for the same things, with a bar beside each time. */
import { element } from '../../shared/page.ts'
import { milliseconds } from '../../shared/words.ts'
import { medianOf } from './median.ts'

/** The times of several runs in milliseconds, or, in words, why there are none. */
export type Outcome = readonly number[] | string

export class SideBySide {
  /** By what was done, then by who did it. */
  readonly #outcomes = new Map<string, Map<string, Outcome>>()
  readonly #table: HTMLTableElement

  constructor(selector: string) {
    this.#table = element(selector, HTMLTableElement)
    this.#show()
  }

  /** A time; where something failed before, it stays so. */
  add(what: string, who: string, ms: number): void {
    const before = this.#outcomes.get(what)?.get(who) ?? []
    if (typeof before !== 'string') this.#set(what, who, [...before, ms])
  }

  /** Takes the place of all times. */
  fail(what: string, who: string, why: string): void {
    this.#set(what, who, why)
  }

  hasFailed(what: string, who: string): boolean {
    return typeof this.#outcomes.get(what)?.get(who) === 'string'
  }

  #set(what: string, who: string, outcome: Outcome): void {
    const group = this.#outcomes.get(what) ?? new Map<string, Outcome>()
    this.#outcomes.set(what, group.set(who, outcome))
    this.#show()
  }

  #show(): void {
    for (const body of [...this.#table.tBodies]) body.remove()
    for (const [what, group] of this.#outcomes) {
      const body = this.#table.createTBody()
      body.append(row(heading(what, 'rowgroup', 3)))
      const medians = [...group.values()].flatMap((outcome) =>
        typeof outcome === 'string' ? [] : [medianOf(outcome)],
      )
      const longest = Math.max(...medians)
      for (const [who, outcome] of group) body.append(rowOf(who, outcome, longest))
    }
  }
}

function rowOf(who: string, outcome: Outcome, longest: number): HTMLTableRowElement {
  const cell = document.createElement('td')
  if (typeof outcome === 'string') {
    cell.colSpan = 2
    cell.className = 'failed'
    cell.textContent = outcome
    return row(heading(who, 'row'), cell)
  }
  const median = medianOf(outcome)
  cell.textContent = milliseconds(median)
  const picture = document.createElement('td')
  picture.setAttribute('aria-hidden', 'true') // the time says it
  const bar = document.createElement('span')
  bar.className = 'time-bar'
  bar.style.width = `${(100 * median) / longest}%`
  picture.append(bar)
  return row(heading(who, 'row'), cell, picture)
}

function row(...cells: readonly HTMLElement[]): HTMLTableRowElement {
  const made = document.createElement('tr')
  made.append(...cells)
  return made
}

function heading(textContent: string, scope: 'row' | 'rowgroup', colSpan = 1): HTMLTableCellElement {
  return Object.assign(document.createElement('th'), { textContent, scope, colSpan })
}
