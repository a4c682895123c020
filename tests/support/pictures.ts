/**
 * Pictures of the page’s states, for people to look at: with `BLOBCHECK_PICTURES=docs/public/page` they are written into that folder, as small as
 * they can be read. Without it they are made, and looked at by nobody but the test.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = process.env['BLOBCHECK_PICTURES']
/** Whether pictures are kept, for people to look at. */
export const isLookedAt = folder !== undefined

/** Of three pixels, a picture has two, which is enough to read it. */
const SCALE = 2 / 3

/** Takes a picture of what is in view; fails where it is blank. A page that is no phone's is given the size of a desktop. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const isPhone = page.viewportSize()!.width < 500
  if (!isPhone) await page.setViewportSize({ width: 1440, height: 900 })
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    ...{ format: 'jpeg', quality: 60 },
    clip: { x: 0, y: 0, ...page.viewportSize()!, scale: isPhone ? 1 : SCALE },
  })
  await session.detach()
  const picture = Buffer.from(data, 'base64')
  // A blank one of this size has less than 10 kB.
  expect(picture.length).toBeGreaterThan(20_000)
  if (folder === undefined) return
  await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, folder, `${name}.jpg`), picture)
}
