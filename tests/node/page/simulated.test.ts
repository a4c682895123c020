/** The Simulated tab: a chain that the page makes itself is followed, whatever its node does is shown as what it is, and all of it without a network. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callOf } from '../../support/engines/driver.ts'
import { marksOf } from '../../support/instruments.ts'
import { firstLineOf } from '../../support/lines.ts'
import { takePicture } from '../../support/pictures.ts'
import {
  type Fork,
  type RibbonSlot,
  simulatedDeliveries,
  type SimulatedFault,
  simulatedLies,
  slotAfter as slotIn,
  type WantedSlot,
} from '../../support/simulated-faults.ts'
import { hasChromium, sharedVisit, Site, type Visit } from '../../support/site.ts'

/** Who answers for the node. */
type Host = 'a service worker' | 'a worker of the page'

const words: Readonly<Record<Host, string>> = {
  'a service worker': 'A service worker answers for its node',
  'a worker of the page':
    'A worker of this page answers for its node, instead of a service worker: this browser refused a service worker.',
}

/** Milliseconds. The default, once a frame, has the browser make frames in which nothing has changed. */
const POLL = { polling: 100 }

describe.skipIf(!hasChromium)('the simulated chain of the demo page', () => {
  let site: Site

  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())

  /** A page that follows a chain, whose slots are short and have one blob. */
  async function follow(fork: Fork, host: Host): Promise<Visit> {
    const serviceWorkers = host === 'a service worker' ? 'allow' : 'block'
    const visitor = await site.visitor({ viewport: { width: 1440, height: 900 }, serviceWorkers })
    const visit = await visitor.newPage()
    const { page } = visit
    await page.goto(`${site.origin}/?source=simulated&fork=${fork}&seconds=2&blobs=1`)
    await page.click('#simulated-start')
    await page.waitForFunction(
      () => document.querySelector('#simulated-host')?.textContent !== '',
      undefined,
      POLL,
    )
    expect(await page.textContent('#simulated-host')).toContain(words[host])
    return visit
  }

  // Most of the time nothing is done but to wait for the next slot: three chains are followed at a time. The tests of each are done in order, on
  // its one page. Each leaves it without faults, and with the newest slot shown.
  describe.concurrent('of Fulu, in a service worker', () => {
    const visit = sharedVisit(async () => await follow('fulu', 'a service worker'))

    it.sequential('is followed slot by slot, resting on a sync committee', () => isFollowed(visit, 'fulu'))

    it.sequential('shows each lie of its node as what it is, and none as valid', () =>
      showsFaults(visit.page, simulatedLies.fulu))

    it.sequential('stays where it is when no sync committee signs, says so, and goes on when one does', async () => {
      const { page } = visit
      await page.getByRole('button', { name: 'Break: Sync committee' }).click()
      await page.waitForFunction(
        () => document.querySelector('#bar-verdict')?.textContent.includes('no sync committee signed'),
        undefined,
        POLL,
      )
      expect(await page.getAttribute('#bar', 'data-state')).toBe('refused')
      expect((await marksOf(page))['committee']).toBe('broken')
      expect(await page.textContent('#simulated-health')).toContain('simulated.invalid')
      const last = await newest(page)
      await page.getByRole('button', { name: 'Restore: Sync committee' }).click()
      await slotAfter(page, last)
    })

    it.sequential('answers other tabs, which follow it as any other node', async () => {
      const { page, complaints } = visit
      const before = complaints.length
      await set(page, 'withheld', '128')
      const [other] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'follow it live' }).click(),
      ])
      await other.click('#live-start')
      await other.waitForSelector('#live-ribbon [data-state=unavailable]', { timeout: 60_000 })
      await set(page, 'withheld', '0')
      await other.waitForSelector('#live-ribbon [data-state=available]', { timeout: 60_000 })
      const status = async (path: string): Promise<number> =>
        await other.evaluate(async (url) => (await fetch(url)).status, new URL(path, await nodeOf(page)).href)
      // What takes a prover, which is loaded then.
      expect(await status('node/eth/v1/beacon/blob_sidecars/head')).toBe(200)
      expect(complaints.slice(before)).toEqual([])
      expect(await status('../no-chain/node/eth/v1/beacon/headers/head')).toBe(404)
      expect(await status('../fulu-1-blobs-2-seconds-1700000000/node/eth/v1/beacon/headers/head')).toBe(404)
      await other.close()
    })

    // The last one of this page.
    it.sequential('gives lines that find the same in Node.js', async () => {
      const { page } = visit
      await set(page, 'withheld', '128')
      await slotAfter(page, await newest(page), { state: 'unavailable' })
      const lines = await page.textContent('#lines')
      await page.context().close()
      expect(await firstLineOf(lines ?? '')).toMatch(/^\d+ unavailable columns-missing/)
    })
  })

  describe.concurrent('of Gloas, in a service worker', () => {
    const visit = sharedVisit(async () => await follow('gloas', 'a service worker'))

    it.sequential('is followed slot by slot, resting on a sync committee', () => isFollowed(visit, 'gloas'))

    it.sequential('shows each fault of its node as what it is, and none as valid', () =>
      showsFaults(visit.page, [...simulatedLies.gloas, ...simulatedDeliveries], 'simulated-lie'))

    it.sequential('goes on as the same chain when the browser has ended its service worker', async () => {
      const { page, complaints } = visit
      const complaintsBefore = complaints.length
      await set(page, 'payloads', '1')
      const { slot } = await slotAfter(page, (await newest(page)) + 2, { state: 'not-revealed' })
      await set(page, 'payloads', '0')
      await set(page, 'withheld', '128')
      await slotAfter(page, await newest(page), { state: 'unavailable' })
      const node = await nodeOf(page)
      const roots = async (): Promise<unknown[]> =>
        await page.evaluate(
          async ([node, slot]) => {
            const answers = [slot - 2, slot - 1, slot].map(async (id) => {
              const response = await fetch(`${node}/eth/v1/beacon/headers/${id}`)
              return ((await response.json()) as { data: { root: string } }).data.root
            })
            return await Promise.all(answers)
          },
          [node, slot] as const,
        )
      const before = await roots()
      expect(new Set(before).size).toBe(3)
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('ServiceWorker.enable')
      const last = await newest(page)
      await devtools.send('ServiceWorker.stopAllWorkers')
      expect(await roots()).toEqual(before)
      // Its faults are what they were, too, and it takes others.
      await slotAfter(page, last + 1, { state: 'unavailable' })
      await page.click('#simulated-reset')
      await slotAfter(page, await newest(page))
      expect(complaints.slice(complaintsBefore)).toEqual([])
    })
  })

  describe.concurrent('in a worker of the page', () => {
    const visit = sharedVisit(async () => await follow('gloas', 'a worker of the page'))

    it.sequential('shows however its answers come as what it is, and nothing as valid', () =>
      showsFaults(visit.page, simulatedDeliveries))

    it.sequential('stops, and starts another chain', async () => {
      const { page } = visit
      expect(await page.textContent('#lines')).toContain('gloasForkEpoch')
      const { slot } = await slotAfter(page, 0)
      await slotAfter(page, slot)
      await page.click('#simulated-stop')
      await said(page, 'Stopped.')
      await gone(page)
      // What was found can be looked at still.
      await choose(page, slot)
      expect(await page.getAttribute(`#simulated-ribbon [data-slot="${slot}"]`, 'aria-pressed')).toBe('true')
      await set(page, 'fork', 'fulu')
      await set(page, 'honest', '1')
      // At once: a slot may be verified as soon as the page has a turn.
      await page.evaluate(() => {
        for (const id of ['simulated-start', 'simulated-stop']) document.getElementById(id)!.click()
      })
      await said(page, 'Stopped.')
      expect(await page.getAttribute('#bar', 'data-state')).toBe('unknown')
      await page.click('#simulated-start')
      await slotAfter(page, 0)
      expect(await page.textContent('#lines')).not.toContain('gloasForkEpoch')
    })

    it.sequential('needs one honest node, and names the one that lies', async () => {
      const { page } = visit
      await set(page, 'lie', 'cell')
      const { slot } = await slotAfter(page, await newest(page))
      await choose(page, slot)
      expect(await page.textContent('.ribbon-words')).toMatch(
        /simulated\.invalid delivered .* that are false/,
      )
    })

    it.sequential('ends when another tab takes the instrument, and takes it back to show a slot again', async () => {
      const { page } = visit
      const { slot } = await slotAfter(page, 0)
      await page.getByRole('tab', { name: 'Embedded' }).click()
      await page.getByRole('button', { name: 'Verify again' }).click()
      await gone(page)
      await page.waitForSelector('#bar-verdict:text("6 blobs")')
      await page.getByRole('tab', { name: 'Simulated' }).click()
      await said(page, 'Stopped.')
      expect(await page.textContent('#bar-block')).toBe('Holesky, slot 1,409,759')
      await choose(page, slot)
      expect(await page.textContent('#bar-verdict')).toMatch(/^Verified here: \d+ columns/)
      expect((await marksOf(page))['committee']).toBe('verified')
      // The embedded block is shown when it is chosen.
      await page.getByRole('tab', { name: 'Embedded' }).click()
      await page.waitForSelector('#bar-block:text("Holesky, slot 1,409,759")')
      expect(await page.textContent('#bar-verdict')).toMatch(/^Verified here: 6 blobs/)
    })
  })

  describe('before a chain is there', () => {
    let page: Page
    beforeAll(async () => {
      ;({ page } = await (await site.visitor()).newPage())
      await page.addInitScript(() => {
        ServiceWorkerContainer.prototype.register = () => new Promise(() => {})
      })
    })
    afterAll(async () => await page?.context().close())

    it('begins with what the address names of its controls, and leaves what is no number as it is', async () => {
      const controls = async (search: string): Promise<unknown> => {
        await page.goto(`${site.origin}/?source=simulated&${search}`)
        await page.waitForSelector('#simulated-start[aria-disabled=false]')
        return await page.evaluate(() =>
          Object.fromEntries(
            ['fork', 'withheld', 'delay'].map((name) => [
              name,
              document.querySelector<HTMLInputElement>(`#simulated-form [name=${name}]`)!.value,
            ]),
          ),
        )
      }
      expect(await controls('fork=gloas&withheld=65&delay=')).toEqual({
        ...{ fork: 'gloas', withheld: '65', delay: '0' },
      })
      expect(await controls('fork=abc&withheld=abc&delay=0x41')).toEqual({
        ...{ fork: 'fulu', withheld: '0', delay: '0' },
      })
    })

    // On the page that the test before has left.
    it('stops at once, also where the service worker has not come yet', async () => {
      await page.click('#simulated-start')
      await page.click('#simulated-stop')
      await page.waitForSelector('#simulated-status:text("Stopped.")')
      await page.waitForSelector('#simulated-start[aria-disabled=false]')
    })
  })

  it('leaves a page of a former build its service worker, and has a worker answer then', async () => {
    const visitor = await site.visitor({ serviceWorkers: 'allow' })
    const { page } = await visitor.newPage()
    await page.goto(`${site.origin}/?seconds=2&blobs=1`)
    await page.waitForFunction(() => document.querySelector('#offline')?.textContent !== '', undefined, POLL)
    // Nobody has asked for the node yet.
    expect(await page.evaluate(controllerOf)).toBe(`${site.origin}/service-worker.js`)
    const [build] = await page.evaluate(async () => await caches.keys())
    const file = join(site.folder, 'service-worker.js')
    const script = await readFile(file, 'utf8')
    await writeFile(file, script.replace(build!.slice(-16), '0123456789abcdef'))
    try {
      await page.getByRole('tab', { name: 'Simulated' }).click()
      await page.click('#simulated-start')
      await slotAfter(page, 0)
      expect(await page.textContent('#simulated-host')).toContain('waits for other tabs')
      expect(await page.evaluate(async () => await caches.keys())).toContain(build)
    } finally {
      await writeFile(file, script)
    }
    await visitor.context.close()
  })

  // The last one: nobody answers any more.
  it('goes on without a network', async () => {
    const visitor = await site.visitor({ serviceWorkers: 'allow' })
    const { page, complaints } = await visitor.newPage()
    await page.goto(`${site.origin}/?source=simulated&seconds=2&blobs=1`)
    await page.waitForSelector('#simulated-start')
    await expect
      .poll(async () => await page.evaluate(keptFiles), { timeout: 60_000 })
      .toContain('simulated-node')
    await page.waitForFunction(
      () => navigator.serviceWorker.controller?.scriptURL.endsWith('?simulated') === true,
      undefined,
      POLL,
    )
    await site.stopServing()
    await page.reload()
    await page.click('#simulated-start')
    await slotAfter(page, (await slotAfter(page, 0)).slot)
    expect(await page.textContent('#simulated-host')).toContain(words['a service worker'])
    expect(complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
    await visitor.context.close()
  })
})

async function isFollowed({ page, complaints }: Visit, fork: Fork): Promise<void> {
  await slotAfter(page, (await slotAfter(page, (await slotAfter(page, 0)).slot)).slot)
  // In one look: a slot of Gloas is sampled once more when the next one comes, and the instrument is at work then.
  const seen = await page.waitForFunction(
    () => {
      if (document.querySelector('#bar')?.getAttribute('data-state') !== 'verified') return null
      const resting = document.querySelector('#bar-resting')!.textContent
      const { links } = document.querySelector('trust-chain')!
      return { resting, marks: Object.fromEntries(links.map(({ name, mark }) => [name, mark])) }
    },
    undefined,
    POLL,
  )
  const { resting, marks } = (await seen.jsonValue())!
  expect(resting).toContain('a sync committee')
  for (const link of ['cell', 'commitment', 'root', 'committee', 'checkpoint'])
    expect(marks[link], link).toBe('verified')
  // Columns of Gloas bring no signed header.
  expect(marks['signature']).toBe(fork === 'fulu' ? 'verified' : 'unknown')
  await takePicture(page, `simulated-${fork}`)
  // On a machine that does much else, a slot goes by before it can be sampled.
  const may = ['available', 'sampling', 'missed']
  expect((await slots(page)).filter(({ state }) => !may.includes(state))).toEqual([])
  expect(complaints).toEqual([])
}

/** Sets one fault after the other, without a good slot in between, and none at the end, from where on the chain is good. `picture`: of a false cell. */
async function showsFaults(page: Page, faults: readonly SimulatedFault[], picture?: string): Promise<void> {
  for (const fault of faults) {
    const { control: name, value, link } = fault
    await page.click('#simulated-reset')
    let before: number
    if (name === 'payloads') before = await withholdPayloads(page)
    else {
      await set(page, name, value)
      // What was under way when it was set may have had its answer.
      before = await newest(page)
    }
    const { slot } = await slotAfter(page, before, fault)
    if (link !== undefined) {
      await choose(page, slot)
      // A slot of Gloas is sampled once more when the next block shows whether its payload was revealed, and the bar is at work then.
      await page.waitForFunction(isRefusedFor, link, POLL)
      if (value === 'cell' && picture !== undefined) await takePicture(page, picture)
      await page.getByRole('button', { name: 'Show the newest slot' }).click()
    }
    const since = (await slots(page)).filter((one) => one.slot > before)
    expect(
      since.filter(({ state }) => state === 'available'),
      `${name} ${value}`,
    ).toEqual([])
  }
  const last = await newest(page)
  await page.click('#simulated-reset')
  await slotAfter(page, last)
}

/** The slot after which the node reveals no payload. A busy page may show it much later: the chain goes on by the clock. */
async function withholdPayloads(page: Page): Promise<number> {
  const isSet = page.waitForResponse((response) => {
    const request = response.request()
    return request.method() === 'PUT' && request.postData()?.includes('"payloadsWithheld":true') === true
  })
  await Promise.all([isSet, set(page, 'payloads', '1')])
  return await page.evaluate(
    async (node) => {
      const response = await fetch(`${node}/eth/v1/beacon/headers/head`)
      const { data } = (await response.json()) as { data: { header: { message: { slot: string } } } }
      return Number(data.header.message.slot)
    },
    await nodeOf(page),
  )
}

async function controllerOf(): Promise<string | undefined> {
  return (await navigator.serviceWorker.ready) && navigator.serviceWorker.controller?.scriptURL
}

/** The address of the node, as the page hands it to its live source. */
async function nodeOf(page: Page): Promise<string> {
  const href = await page.getByRole('link', { name: 'follow it live' }).getAttribute('href')
  return new URL(href!).searchParams.get('beacon')!
}

/** Sets a control of the panel, as a visitor does. */
async function set(page: Page, name: string, value: string): Promise<void> {
  const control = page.locator(`#simulated-form [name=${name}]`)
  const kind = await control.evaluate((element) => (element as HTMLInputElement).type)
  if (kind === 'checkbox') await control.setChecked(value === '1')
  else if (kind === 'range') await control.fill(value)
  else await control.selectOption(value)
}

/** The slots of the ribbon. */
async function slots(page: Page): Promise<RibbonSlot[]> {
  return await page.$$eval('#simulated-ribbon li button', (buttons) =>
    buttons.map((button) => {
      const { slot, state } = (button as HTMLElement).dataset
      return { slot: Number(slot), state: state! }
    }),
  )
}

async function newest(page: Page): Promise<number> {
  return Math.max(0, ...(await slots(page)).map(({ slot }) => slot))
}

async function slotAfter(page: Page, before: number, wanted?: WantedSlot): Promise<RibbonSlot> {
  return await slotIn(
    { evaluate: (read, ...given) => page.evaluate(callOf(read, given)) as Promise<never> },
    before,
    wanted,
  )
}

/** Shows a slot of the ribbon, and waits until it is on the instrument. */
async function choose(page: Page, slot: number): Promise<void> {
  // By its keys: a new slot moves the others on, and a pointer would press what is there by then.
  await page.press(`#simulated-ribbon li button[data-slot="${slot}"]`, 'Enter')
  const shown = `slot ${slot.toLocaleString('en')}`
  await page.waitForFunction(
    (shown) =>
      document.querySelector('#bar-block')?.textContent.includes(shown) === true &&
      document.querySelector('#bar')?.getAttribute('data-state') !== 'working',
    shown,
    POLL,
  )
}

/** Whether the instrument shows that link of the chain as broken, and its block as refused. It runs in the page. */
function isRefusedFor(link: string): boolean {
  const chain = document.querySelector('trust-chain') as unknown as {
    links: { name: string; mark: string }[]
  }
  const isBroken = chain.links.some(({ name, mark }) => name === link && mark === 'broken')
  return isBroken && document.querySelector('#bar')?.getAttribute('data-state') === 'refused'
}

async function said(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (text) => document.querySelector('#simulated-status')?.textContent === text,
    text,
    POLL,
  )
}

/** Waits until the node’s worker has ended. */
async function gone(page: Page): Promise<void> {
  const isNode = (url: string): boolean => url.includes('simulated-node')
  for (const worker of page.workers()) if (isNode(worker.url())) await worker.waitForEvent('close')
}

/** The names of all files that the service worker keeps. */
async function keptFiles(): Promise<string> {
  const files: string[] = []
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) files.push(url)
  return files.join(' ')
}
