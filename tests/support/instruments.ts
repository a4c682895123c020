/** What the instruments of the demo page show: how many cells of its grid are what, and the marks of its chain. */
import type {} from 'blobcheck/elements'
import type { Page } from 'playwright-core'

/** How many cells are in each state; `selector` names the grid where the page has several. */
export async function countsOf(
  page: Page,
  selector = 'blob-grid',
): Promise<HTMLElementTagNameMap['blob-grid']['counts']> {
  return await page.$eval(selector, (grid) => ({ ...(grid as HTMLElementTagNameMap['blob-grid']).counts }))
}

/** The mark of each link of the chain, by its name. */
export async function marksOf(page: Page): Promise<Readonly<Record<string, string>>> {
  return await page.$eval('trust-chain', ({ links }) =>
    Object.fromEntries(links.map(({ name, mark }) => [name, mark])),
  )
}
