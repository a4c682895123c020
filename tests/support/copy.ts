/** Buttons that copy text. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What a button copies when it is pressed. It must say so, which it does for a second and a half: a busy machine may not look in that time. */
export async function copiedBy(page: Page, selector: string, press: () => Promise<void>): Promise<string> {
  const said = await page.locator(selector).evaluateHandle((button) => ({
    first: new Promise<string>((resolve) =>
      new MutationObserver(() => resolve(button.textContent)).observe(button, { childList: true }),
    ),
  }))
  await press()
  expect(await said.evaluate(async ({ first }) => await first)).toBe('Copied')
  return await page.evaluate(() => navigator.clipboard.readText())
}
