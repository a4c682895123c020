import type { Page, Route } from 'playwright-core'

/** Holds requests of a page back, and lets those through that come after `letThrough`. */
export async function hold(
  page: Page,
  pattern: string,
): Promise<{ readonly routes: readonly Route[]; letThrough(): void }> {
  const routes: Route[] = []
  let holds = true
  await page.route(pattern, async (route) => {
    if (holds) routes.push(route)
    else await route.continue()
  })
  return { routes, letThrough: () => void (holds = false) }
}
