/** Where the demo page is opened: under a path of a server, as a file, and where its script does not come. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasChromium, press, settled, Site, states, type Visitor } from '../../support/site.ts'

const PATH = '/some/where/'

describe.skipIf(!hasChromium)('the demo page, wherever it is opened', () => {
  let site: Site
  let visitor: Visitor

  beforeAll(async () => {
    site = await Site.open(PATH)
  })
  afterAll(async () => await site?.close())

  beforeEach(async () => {
    visitor = await site.visitor()
    return async () => await visitor.context.close()
  })

  it('verifies and refuses under a path of a server, and asks for nothing outside it', async () => {
    const { page, complaints, requests } = await visitor.newPage()
    await page.goto(`${site.origin}${PATH}`)
    await settled(page)
    expect(await states(page)).toEqual(Array(6).fill('valid'))
    expect(await page.locator('#unstarted').count()).toBe(0)
    await press(page, 'Tamper one byte')
    expect((await states(page)).filter((state) => state === 'rejected')).toHaveLength(1)
    expect(requests.filter((path) => !path.startsWith(PATH))).toEqual([])
    expect(requests.some((path) => path.endsWith('.wasm'))).toBe(true)
    expect(complaints).toEqual([])
  })

  it('says what to do where it was opened as a file', async () => {
    const { page } = await visitor.newPage()
    await page.goto(pathToFileURL(join(site.folder, 'index.html')).href)
    await page.locator('#unstarted').waitFor({ state: 'visible' })
    expect(await page.textContent('#unstarted')).toContain('npx blobcheck demo')
    expect(await page.getByRole('status').textContent()).toBe('Nothing has been verified yet.')
  })

  it('says so where its script does not come', async () => {
    const { page } = await visitor.newPage()
    await page.route('**/assets/index-*.js', (route) => route.abort())
    await page.goto(`${site.origin}${PATH}`)
    expect(await page.locator('#unstarted').isVisible(), 'it waits for the script').toBe(false)
    await page.locator('#unstarted').waitFor({ state: 'visible' })
    expect(await page.textContent('#unstarted')).toContain('reload')
  })
})
