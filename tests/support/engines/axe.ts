/** What axe (https://github.com/dequelabs/axe-core) finds fault with in a page. */
import type { AxeResults } from 'axe-core'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const script = fileURLToPath(new URL('node_modules/axe-core/axe.min.js', import.meta.url))

/** Whether axe has been installed; in CI it must be. */
export const hasAxe = existsSync(script)
if (!hasAxe) {
  if (process.env['CI'] === 'true') throw new Error('axe is to look at the page, and is not here')
  console.warn('SKIPPED: what axe finds in the demo page, for want of axe (npm test installs it)')
}

/**
 * A line for each finding of each rule, shadow trees included: the rule, where it is broken, and why. The script comes over the browser's
 * protocol, which the page's policy does not concern.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(script, 'utf8'))
  const { violations } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<Pick<AxeResults, 'violations'>> }
    }
    return await axe.run({ resultTypes: ['violations'] })
  })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(' ')}: ${failureSummary}`),
  )
}
