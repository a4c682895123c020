/** The demo page for those who do not see it, see it in colours of their own, want no motion, or have no pointer. */
import type {} from 'blobcheck/elements'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contrastFlaws } from '../../support/contrast.ts'
import { copiedBy } from '../../support/copy.ts'
import { axeFindings, hasAxe } from '../../support/engines/axe.ts'
import { controlled, hasChromium, settled, Site, states, type Visitor } from '../../support/site.ts'

const viewports = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const

type Options = Parameters<Site['visitor']>[0]

describe.skipIf(!hasChromium)('the demo page', () => {
  let site: Site
  let contexts: BrowserContext[]

  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())

  beforeEach(() => {
    contexts = []
    return async () => {
      for (const context of contexts) await context.close()
    }
  })

  async function visitor(options?: Options): Promise<Visitor> {
    const visitor = await site.visitor(options)
    contexts.push(visitor.context)
    return visitor
  }

  /** A page that has nothing left to do. */
  async function openWhole(options?: Options): Promise<Page> {
    const { page } = await (await visitor(options)).open()
    await controlled(page)
    await settled(page)
    return page
  }

  /** What axe finds in the page as it is now, in each look and size. */
  async function findings(page: Page): Promise<string[]> {
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [size, viewport] of Object.entries(viewports)) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        // The page is told of the new size with the next frame: what is scrolled then takes the focus.
        await page.evaluate(async () => {
          for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
        })
        for (const finding of await axeFindings(page)) found.push(`${colorScheme}, ${size}: ${finding}`)
      }
    return found
  }

  it.skipIf(!hasAxe)('gives axe nothing to find, verified or refused, in each look and size', async () => {
    const page = await openWhole({ reducedMotion: 'reduce' })
    expect(await page.getAttribute('#bar', 'data-state')).toBe('verified')
    expect(await findings(page)).toEqual([])

    await page.getByRole('button', { name: 'Break: KZG proof' }).click()
    await page.waitForSelector('#bar[data-state=refused]')
    await settled(page)
    expect(await findings(page)).toEqual([])
  })

  it.skipIf(!hasAxe)('gives axe nothing to find where its block does not come', async () => {
    const { page } = await (await visitor({ reducedMotion: 'reduce' })).newPage()
    await page.route('**/holesky*.ssz', (route) => route.fulfill({ status: 404 }))
    await page.goto(site.origin)
    await page.waitForSelector('#alert:not([hidden])')
    expect(await findings(page)).toEqual([])
  })

  it.skipIf(!hasAxe)('gives axe nothing to find in any of its tabs, nor in its experiments', async () => {
    const page = await openWhole({ reducedMotion: 'reduce' })
    await page.locator('#experiments summary').click()
    await loaded(page, 'panel-experiments')
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      expect(await tab.getAttribute('aria-selected')).toBe('true')
      await loaded(page, (await tab.getAttribute('aria-controls'))!)
      expect(await axeFindings(page), (await tab.textContent())!.trim()).toEqual([])
    }
  })

  it('tells everything apart in colours that the reader forces', async () => {
    const page = await openWhole({ forcedColors: 'active', reducedMotion: 'reduce' })
    /** What shows the state: the drawings of the bar and of a card, and where the grid has ink. */
    const looks = async (): Promise<unknown[]> => [
      await page.$eval('#bar use', (icon) => icon.getAttribute('href')),
      await page.$eval('.card use', (icon) => icon.getAttribute('href')),
      await page.$eval('blob-grid', inkOf),
    ]
    const verified = await looks()
    await page.getByRole('button', { name: 'Break: Commitment' }).click()
    await page.waitForSelector('#bar[data-state=refused]')
    await settled(page)
    for (const [at, look] of (await looks()).entries()) expect(look, `look ${at}`).not.toEqual(verified[at])

    // What is chosen, and what is switched on, differ in more than a background, which is taken away.
    const rims = await page
      .getByRole('tab')
      .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBottomWidth))
    expect(new Set(rims).size, 'the chosen tab has a rim of its own').toBe(2)
    const trust = page.getByRole('switch', { name: 'I trust this header' })
    const off = await trust.screenshot()
    await trust.check()
    await page.waitForSelector('#bar-resting:text("your word")')
    expect(off.equals(await trust.screenshot()), 'the switch shows that it is on').toBe(false)

    const progress = page.getByRole('progressbar')
    const full = await progress.screenshot()
    await progress.evaluate((bar) => ((bar as HTMLProgressElement).value = 0))
    expect(full.equals(await progress.screenshot()), 'the progress shows how far it is').toBe(false)

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await page.evaluate(contrastFlaws), colorScheme).toEqual([])
      expect(await page.evaluate(rimless), colorScheme).toEqual([])
    }
  })

  it('moves nothing for who wants no motion', async () => {
    const movements: number[] = []
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      const page = await openWhole({ reducedMotion })
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe(
        'auto',
      )
      movements.push(await page.evaluate(animationsOfRun))
    }
    expect(movements[0]).toBe(0)
    expect(movements[1], 'there is something that could move').toBeGreaterThan(0)
  })

  for (const [size, viewport] of Object.entries(viewports))
    it(`takes the focus to every control, and shows where it is, on a ${size}`, async () => {
      const { page } = await (await visitor({ viewport })).newPage()
      // A broken link has values to copy, and “Restore” is enabled.
      await page.goto(`${site.origin}/?break=proof`)
      await page.waitForSelector('#bar[data-state=refused]')
      await controlled(page)
      await settled(page)
      const { all } = await page.evaluate(stopsOfPage)
      expect(all.length).toBeGreaterThan(20)
      const reached: string[] = []
      for (const _ of all) {
        await page.keyboard.press('Tab')
        const { focused, isShown } = await page.evaluate(stopsOfPage)
        expect(isShown, `${focused} is in view, and shows that it has the focus`).toBe(true)
        reached.push(focused!)
      }
      expect(reached).toEqual(all)
      // On the way back a browser scrolls no further than it has to, and what is behind the bar counts as in view.
      for (const key of ['Shift+Tab', 'Tab'])
        for (const _ of all) {
          await page.keyboard.press(key)
          expect(await page.evaluate(coveredByBar), `nothing is behind the bar after ${key}`).toBeNull()
        }
    })

  it('is worked by keyboard alone: each control does what it says', async () => {
    const page = await openWhole({ permissions: ['clipboard-write', 'clipboard-read'] })
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key)
    }
    /** From the control that has the focus on: nothing but Tab. */
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 60; presses++) {
        await press('Tab')
        if ((await page.evaluate(stopsOfPage)).focused === name) return
      }
      throw new Error(`Tab does not come to ${name}`)
    }
    const run = async (key: string): Promise<void> => {
      await press(key)
      await settled(page)
    }
    const rejected = async (): Promise<number> => (await states(page)).indexOf('rejected')

    await tabTo('#target')
    await press('ArrowDown', 'ArrowDown', 'ArrowDown') // of any blob, of blob 0, 1, 2
    expect(await page.inputValue('#target')).toBe('2')
    await press('Shift+Tab')
    await run('Enter')
    expect(await rejected()).toBe(2)
    await tabTo('#restore')
    await run('Space')
    expect(await rejected()).toBe(-1)
    await tabTo('#again')
    await run('Enter')
    expect(await states(page)).toEqual(Array(6).fill('remembered'))
    await tabTo('#forget')
    await run('Space')
    expect(await states(page)).toEqual(Array(6).fill('valid'))

    await tabTo('blob-grid [role=grid]')
    await press('Control+Home', 'ArrowDown', 'End')
    expect(await page.textContent('#inspector-cell')).toBe('Blob 1, column 127: parity')
    // What is said at each of these keys: which cell, and its verdict, and none of its bytes.
    const said = await page.$$eval('#inspector *', (parts) =>
      parts
        .filter((part) => part.childElementCount === 0 && part.closest('[aria-live]') !== null)
        .map(({ id }) => id),
    )
    expect(said).toEqual(['inspector-cell', 'inspector-reason'])
    const titles = await page.$eval('trust-chain', ({ links }) =>
      links.flatMap(({ title, canBreak }) => (canBreak ? [title] : [])),
    )
    expect(titles).toHaveLength(6)
    for (const title of titles) {
      await tabTo(`trust-chain [aria-label="Break: ${title}"]`)
      await press('Enter')
      await page.waitForSelector('#bar[data-state=refused]')
      await settled(page)
      expect((await page.evaluate(stopsOfPage)).focused, 'the focus stays').toBe(
        `trust-chain [aria-label="Restore: ${title}"]`,
      )
      await press('Space')
      await page.waitForSelector('#bar[data-state=verified]')
      await settled(page)
    }
    await tabTo('worker-timeline [role=slider]')
    await press('End')
    const end = await page.evaluate(sliderText)
    await press('Home')
    expect(await page.evaluate(sliderText)).not.toBe(end)
    await tabTo('#trust')
    await press('Space')
    await page.waitForSelector('#bar-resting:text("your word")')
    await settled(page)

    await tabTo('summary')
    await press('Enter')
    await page.waitForSelector('#experiments[open]')
    await tabTo('.copy')
    expect(await copiedBy(page, '.copy:focus', async () => await press('Enter'))).toContain(
      "from 'blobcheck'",
    )

    // The tabs are one stop, and arrows go from one to the next and around.
    await page.reload()
    await settled(page)
    await tabTo('#tab-embedded')
    for (const name of ['live', 'file', 'simulated', 'embedded']) {
      await press('ArrowRight')
      expect((await page.evaluate(stopsOfPage)).focused).toBe(`#tab-${name}`)
      expect(await page.getAttribute(`#tab-${name}`, 'aria-selected')).toBe('true')
      expect(await page.locator(`#panel-${name}`).isVisible()).toBe(true)
    }
    // With these keys an arrow is the browser's: it goes back, for example.
    for (const key of ['altKey', 'ctrlKey', 'metaKey']) {
      await page.dispatchEvent('#tab-embedded', 'keydown', { key: 'ArrowLeft', [key]: true })
      expect(await page.getAttribute('#tab-embedded', 'aria-selected'), key).toBe('true')
    }
  })
})

/** Waits until a panel has come, or has been given up. */
async function loaded(page: Page, id: string): Promise<void> {
  await page.waitForFunction((id) => document.getElementById(id)!.textContent !== 'Loading…', id)
}

// These run in the page.

/** What Tab should come to: all controls that are seen, in the page and in the shadow trees of its elements, and which of them has the focus. */
function stopsOfPage(): { all: string[]; focused: string | null; isShown: boolean } {
  const name = (element: Element): string => {
    const root = element.getRootNode()
    if (root instanceof ShadowRoot) {
      const { role, ariaLabel } = element
      return `${root.host.localName} ${role === null ? `[aria-label="${ariaLabel}"]` : `[role=${role}]`}`
    }
    if (element.id !== '') return `#${element.id}`
    return element.className === '' ? element.localName : `.${element.className}`
  }
  const within = (root: Document | ShadowRoot): Element[] =>
    [...root.querySelectorAll('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot === null ? [] : within(element.shadowRoot)),
    ])
  const all = within(document).filter(
    (element) =>
      element.matches('button, select, input, a[href], summary, [tabindex]') &&
      !element.matches('[tabindex="-1"], :disabled') &&
      element.checkVisibility(),
  )
  // An element of a shadow tree has the focus, and so has its host.
  const focused = all.findLast((element) => element.matches(':focus'))
  if (focused === undefined) return { all: all.map(name), focused: null, isShown: false }
  const box = focused.getBoundingClientRect()
  const isInView = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
  const { outlineStyle, outlineWidth } = getComputedStyle(focused)
  const isShown = isInView && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
  return { all: all.map(name), focused: name(focused), isShown }
}

/** The control that has the focus, if the bar, which stays in view, lies over its middle. */
function coveredByBar(): string | null {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  if (focused === null || focused === document.body || focused.closest('#bar') !== null) return null
  const { left, top, width, height } = focused.getBoundingClientRect()
  const above = document.elementFromPoint(left + width / 2, top + height / 2)
  return above?.closest('#bar') ? focused.outerHTML.slice(0, 80) : null
}

function sliderText(): string | null | undefined {
  const { shadowRoot } = document.querySelector('worker-timeline')!
  return shadowRoot!.querySelector('[role=slider]')!.getAttribute('aria-valuetext')
}

/** Controls that nothing sets apart from what lies around them. */
function rimless(): string[] {
  const { shadowRoot } = document.querySelector('trust-chain')!
  // That of the document's root is transparent.
  const behind = getComputedStyle(document.body).backgroundColor
  return [...document.querySelectorAll('button, select'), ...shadowRoot!.querySelectorAll('button')]
    .filter((control) => control.checkVisibility() && !control.matches('[role=tab]'))
    .filter((control) => {
      const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(control)
      return borderTopStyle === 'none' || borderTopWidth === '0px' || borderTopColor === behind
    })
    .map((control) => control.textContent)
}

/** Which pixels of the grid are drawn on, whatever their colour, as text. */
function inkOf(grid: HTMLElementTagNameMap['blob-grid']): string {
  const canvas = grid.shadowRoot!.querySelector('canvas')!
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
  let ink = ''
  for (let at = 3; at < data.length; at += 4) ink += data[at]! > 127 ? '#' : ' '
  return ink
}

/** Tampers, and counts the animations and transitions that are seen until the run is over, in the page and in its elements. */
async function animationsOfRun(): Promise<number> {
  const roots = [
    document,
    ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []),
  ]
  const seen = new Set<Animation>()
  const look = (): void => {
    for (const root of roots) for (const animation of root.getAnimations()) seen.add(animation)
  }
  document.querySelector<HTMLButtonElement>('#tamper')!.click()
  do {
    look()
    await new Promise(requestAnimationFrame)
  } while (document.querySelector('#again')!.getAttribute('aria-disabled') === 'true')
  look()
  return seen.size
}
