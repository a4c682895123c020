/** Tables of what was found. */
import { element } from '../../shared/page.ts'

/** Fills the body of a table: a heading first in each row, then its values. */
export function fillTable(
  selector: string,
  rows: readonly (readonly [heading: string, ...values: string[]])[],
): void {
  element(`${selector} tbody`, HTMLTableSectionElement).replaceChildren(
    ...rows.map(([heading, ...values]) => {
      const row = document.createElement('tr')
      const head = Object.assign(document.createElement('th'), { scope: 'row', textContent: heading })
      row.append(
        head,
        ...values.map((textContent) => Object.assign(document.createElement('td'), { textContent })),
      )
      return row
    }),
  )
}
