/** The live source of the demo page, in Chromium, against a chain of its own that a server of this machine serves. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {} from 'blobcheck/elements'
import { type Faults, type MadeChain, makeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseNetwork } from '../../../web-demo/src/follow/network.ts'
import { SERVE } from '../../../web-demo/src/follow/trouble.ts'
import { blobcheck } from '../../support/cli.ts'
import { contrastFlaws } from '../../support/contrast.ts'
import { countsOf, marksOf } from '../../support/instruments.ts'
import { firstLineOf } from '../../support/lines.ts'
import { until } from '../../support/make.ts'
import { takePicture } from '../../support/pictures.ts'
import { hasChromium, sharedVisit, Site, type Visit, type Visitor } from '../../support/site.ts'

const COLUMNS = ['data_column_sidecars'] as const

/** A chain that grows as the clock does, of slots of two seconds: one in five without blobs, one in seven empty. */
let chain: MadeChain
let beacon: BeaconServer
const faults: Faults = { rules: [] }

describe.skipIf(!hasChromium)('the live source of the demo page', () => {
  let site: Site
  let visitor: Visitor
  const servers: Server[] = []

  beforeAll(async () => {
    chain = await makeChain({
      ...{ secondsPerSlot: 2, slots: 70 },
      blobsPerBlock: (slot) => (slot % 5 === 0 ? 0 : 3),
      isMissed: (slot) => slot % 7 === 0,
    })
    beacon = await serveBeacon({ chain, faults })
    site = await Site.open()
  })
  afterAll(async () => {
    await site?.close()
    await beacon?.close()
    for (const server of servers) server.close()
  })

  beforeEach(async () => {
    faults.rules = []
    visitor = await site.visitor()
    return async () => await visitor.context.close()
  })

  /** Opens the page at its live source. Its parameters fill the form in. */
  async function open(params: Record<string, string> = {}, by = visitor): Promise<Visit> {
    const visit = await by.newPage()
    const address = new URLSearchParams({ source: 'live', ...params })
    await visit.page.goto(`${site.origin}/?${address.toString()}`)
    await visit.page.waitForSelector('#live-start[aria-disabled=false]')
    return visit
  }

  /** Opens it with the chain's own settings, or others, and starts. */
  async function start(params: Record<string, string> = {}, by = visitor): Promise<Visit> {
    const settings = { beacon: beacon.url, network: 'custom', checkpoint: chain.checkpoint, ...params }
    const visit = await open(settings, by)
    if (settings.network === 'custom') await visit.page.fill('#live-config', JSON.stringify(chain.network))
    await visit.page.click('#live-start')
    return visit
  }

  /** A server on this machine; its address. */
  async function serverOf(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('asks nothing before it is started, follows slots, shows any of them again, and asks nothing after it is stopped', async () => {
    const visit = await open({ beacon: beacon.url, network: 'custom', checkpoint: chain.checkpoint })
    const { page, complaints } = visit
    expect(await page.inputValue('#live-beacon')).toBe(beacon.url)
    expect(await page.inputValue('#live-checkpoint')).toBe(chain.checkpoint)
    await page.fill('#live-config', JSON.stringify(chain.network))
    expect(askedOf(visit)).toEqual([])

    await page.focus('#live-beacon')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('.ribbon li').length >= 4)
    for (const state of ['available', 'no-blobs', 'empty']) await slotOf(page, state)
    await page.click('.ribbon [data-state=available]')
    await page.waitForSelector('#bar-verdict:text("Verified here")')
    await takePicture(page, 'live')
    await page.getByRole('button', { name: 'Show the newest slot' }).click()
    expect(await page.textContent('#live-status')).toContain('Following the head')
    // The figure is nowhere without what it rests on, for eyes and for ears.
    const name = await page.getAttribute('.ribbon [data-state=available]', 'aria-label')
    expect(name).toMatch(/^Slot [\d,]+, 1 in 2³¹\. 1 in 2³¹ at most .* columns were drawn here, at random/)
    expect(name).toContain('One server answered')
    const words = await page.$$eval('.ribbon [data-state]', (buttons) =>
      buttons.map((button) => [
        (button as HTMLElement).dataset['state'],
        button.textContent,
        button.querySelector('path')!.getAttribute('d'),
      ]),
    )
    // Each state has words and a drawing of its own.
    const kinds = new Map(words.map(([state, text, drawing]) => [state, `${text} ${drawing}`]))
    expect(new Set(kinds.values()).size).toBe(kinds.size)

    // By keyboard alone, an older slot: it stays while others are sampled.
    const older = page.locator('.ribbon [data-state=available]').last()
    const slot = Number(await older.getAttribute('data-slot'))
    await older.focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      (shown) => document.querySelector('#bar-block')?.textContent === shown,
      `A synthetic chain, slot ${slot}`,
    )
    expect(await page.textContent('#bar-verdict')).toMatch(/^Verified here: 26 columns of 128, 78 cells/)
    expect(await page.textContent('#bar-resting')).toBe('resting on a sync committee')
    expect(await page.getAttribute('#bar', 'data-state')).toBe('verified')
    expect(await countsOf(page)).toMatchObject({ valid: 78 })
    expect(await marksOf(page)).toMatchObject({
      cell: 'verified',
      committee: 'verified',
      checkpoint: 'verified',
    })
    expect(await page.$eval('worker-timeline', (element) => element.spans.length)).toBeGreaterThan(0)

    // The bytes of a cell that came are those of the chain.
    const column = await page.$eval('blob-grid', (grid) => {
      const at = Array.from({ length: 64 }, (_, index) => index).find(
        (index) => grid.stateOf(1, index) === 'valid',
      )!
      grid.select(1, at)
      return at
    })
    const bytes = chain.at(slot)!.blobs[1]!.blob.subarray(column * 2048, column * 2048 + 16)
    const dump = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ')
    expect(await page.textContent('#inspector-bytes')).toContain(dump)
    expect(await page.textContent('#inspector-reason')).toContain(`${beacon.url} sent it`)

    await page.getByRole('button', { name: 'Show the newest slot' }).click()
    await page.waitForFunction(
      (old) => document.querySelector('#bar-block')?.textContent !== old,
      `A synthetic chain, slot ${slot}`,
    )

    await page.click('#live-stop')
    await page.waitForFunction(() => document.querySelector('#live-status')?.textContent === 'Stopped.')
    const { length: count } = askedOf(visit)
    expect(count).toBeGreaterThan(0)
    const { slot: head } = chain.head
    await until(() => chain.head.slot > head + 2)
    expect(askedOf(visit)).toHaveLength(count)
    expect(complaints).toEqual([])
  })

  it('reads the network in its address in whatever case, and chooses none in the place of one that it does not know', async () => {
    const seen = async (network: string): Promise<unknown> => {
      const { page } = await open({ network, beacon: beacon.url, checkpoint: chain.checkpoint })
      return await page.evaluate(() => ({
        chosen: document.querySelector<HTMLSelectElement>('#live-network')!.value,
        said: document.querySelector('#live-trouble:not([hidden]) #live-trouble-text')?.textContent ?? null,
      }))
    }
    expect(await seen('Holesky')).toEqual({ chosen: 'holesky', said: null })
    expect(await seen('CUSTOM')).toEqual({ chosen: 'custom', said: null })
    expect(await seen('goerli')).toEqual({
      chosen: '',
      said: 'The address of this page asks for the network “goerli”, which is not in the list: choose one there.',
    })
    const visit = await open({ network: 'goerli', beacon: beacon.url, checkpoint: chain.checkpoint })
    await visit.page.click('#live-start')
    expect(await visit.page.textContent('#live-trouble-text')).toBe('Choose one of the networks.')
    expect(await visit.page.getAttribute('#live-network', 'aria-invalid')).toBe('true')
    await visit.page.selectOption('#live-network', 'holesky')
    expect(await visit.page.getAttribute('#live-network', 'aria-invalid')).toBe(null)
    expect(await visit.page.isVisible('#live-trouble')).toBe(false)
    expect(askedOf(visit)).toEqual([])
  })

  it('leaves a config that is dropped on its field to that field; elsewhere it is a file to verify', async () => {
    const { page, complaints } = await open({ network: 'custom' })
    const folder = await mkdtemp(join(tmpdir(), 'blobcheck-live-'))
    const file = join(folder, 'network.json')
    const config = JSON.stringify(chain.network)
    await writeFile(file, config)
    const devtools = await page.context().newCDPSession(page)
    const drag = async (type: 'dragEnter' | 'dragOver' | 'drop', selector: string): Promise<void> => {
      const { x, y, width, height } = (await page.locator(selector).boundingBox())!
      const at = { x: x + width / 2, y: y + height / 2 }
      const data = { items: [], files: [file], dragOperationsMask: 1 }
      await devtools.send('Input.dispatchDragEvent', { type, ...at, data })
    }
    const isOver = (): Promise<boolean> =>
      page.evaluate(() => document.documentElement.classList.contains('file-over'))
    // It takes what is dropped on it as a whole a moment after its panel is there.
    await page.waitForFunction(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([], 'dragged.bin'))
      const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true })
      return !document.body.dispatchEvent(event)
    })
    await drag('dragEnter', 'h1')
    await drag('dragOver', 'h1')
    expect(await isOver()).toBe(true)
    await drag('dragEnter', '#live-config-file')
    await drag('dragOver', '#live-config-file')
    expect(await isOver()).toBe(false)
    await drag('drop', '#live-config-file')
    await page.waitForFunction(
      (config) => document.querySelector<HTMLTextAreaElement>('#live-config')!.value === config,
      config,
    )
    expect(await page.getAttribute('#tab-live', 'aria-selected')).toBe('true')
    expect(await isOver()).toBe(false)

    await drag('dragEnter', 'h1')
    await drag('dragOver', 'h1')
    await drag('drop', 'h1')
    await page.waitForSelector('#file-status:text("network.json")')
    expect(await page.getAttribute('#tab-file', 'aria-selected')).toBe('true')
    expect(complaints).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('says what a node withholds, and what it sends that is false, with enough contrast in light and dark, and in 360 pixels', async () => {
    const narrow = await site.visitor({ reducedMotion: 'reduce', viewport: { width: 360, height: 740 } })
    const { page } = await start({}, narrow)
    await slotOf(page, 'available')
    faults.rules = [{ fault: { kind: 'withhold', columns: 65 }, routes: COLUMNS }]
    const withheld = await slotOf(page, 'unavailable')
    expect(withheld).toContain('every endpoint denied them')
    faults.rules = [{ fault: { kind: 'corrupt', part: 'cell' }, routes: COLUMNS }]
    const refused = await slotOf(page, 'refused')
    expect(refused).toMatch(/What was sent of \d+ columns is false/)
    await page.click('.ribbon [data-state=refused]')
    expect(await page.getAttribute('#bar', 'data-state')).toBe('refused')
    expect(await page.textContent('#bar-verdict')).toMatch(/^Refused here: \d+ columns$/)
    faults.rules = [{ fault: { kind: 'status', code: 503 }, routes: COLUMNS }]
    expect(await slotOf(page, 'unknown')).toContain('not known')

    for (const state of ['empty', 'no-blobs']) await slotOf(page, state)
    await page.click('#live-stop')
    await page.waitForSelector('#live-start[aria-disabled=false]')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      expect(await page.evaluate(contrastFlaws), colorScheme).toEqual([])
    }
    await narrow.context.close()
  })

  it('gives lines that find the same in Node.js, and ends when another source has the instrument', async () => {
    const { page } = await start()
    await slotOf(page, 'available')
    const lines = (await page.textContent('#lines'))!
    await page.click('#tab-embedded')
    await page.waitForFunction(
      () => document.querySelector('#bar-block')?.textContent === 'Holesky, slot 1,409,759',
    )
    await page.click('#tab-live')
    await page.waitForSelector('#live-start[aria-disabled=false]')
    expect(await page.textContent('#live-status')).toContain('another source')
    expect(await page.textContent('#bar-block')).toBe('Holesky, slot 1,409,759')
    // What was found can be looked at still.
    await page.click('.ribbon [data-state=available]')
    await page.waitForSelector('#bar-verdict:text("Verified here: 26 columns of 128")')
    expect(await page.textContent('#bar-block')).toMatch(/^A synthetic chain, slot /)
    expect(await page.textContent('#lines')).toBe(lines)

    // They go on for as long as the chain does.
    expect(await firstLineOf(lines)).toMatch(/^\d+ (available sampled 31|no-blobs)/)
  })

  it('says behind another tab that endpoints are asked, and keeps the focus in the page', async () => {
    const { page } = await start()
    const said = (): Promise<string> => page.locator('footer p:not([hidden])').first().innerText()
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement!.id)
    await slotOf(page, 'available')
    await page.focus('#live-stop')
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'no sidecar')
      document.activeElement!.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    })
    await page.waitForSelector('#panel-file:not([hidden])')
    expect(await focused()).toBe('tab-file')
    await page.waitForSelector('#file-status:text("The pasted text: It is text")')
    // The text has taken the instrument, and ended what was followed.
    expect(await said()).toContain('nothing was sent anywhere')

    await page.click('#tab-live')
    await page.waitForSelector('#live-start[aria-disabled=false]')
    await page.click('#live-start')
    await slotOf(page, 'available')
    await page.click('#tab-file')
    expect(await said()).toContain('The endpoints that you name are asked')
  })

  /** On one page: each of them fills the form in anew, and follows nothing in the end. */
  describe('of what cannot be followed', () => {
    const visit = sharedVisit(async () => await open({}, await site.visitor()))
    // It has made room for what was found.
    beforeEach(async () => {
      await visit.page.$eval('#live-settings', (form) => ((form as HTMLDetailsElement).open = true))
    })

    /** Fills the form in; the config is that of the chain. */
    async function fill(
      settings: Readonly<Record<'beacon' | 'network' | 'checkpoint', string>>,
    ): Promise<void> {
      const { page } = visit
      await page.selectOption('#live-network', settings.network)
      if (settings.network === 'custom') await page.fill('#live-config', JSON.stringify(chain.network))
      await page.fill('#live-beacon', settings.beacon)
      await page.fill('#live-checkpoint', settings.checkpoint)
    }

    it.each<[string, RequestListener | 'chain', Record<string, string>, RegExp]>([
      [
        'cors',
        (_request, response) => response.end('{}'),
        {},
        /answers, but it does not say that pages .* \(CORS\)/,
      ],
      // As good as a port on which nobody listens, which could be anybody's a moment later.
      ['silent', ({ socket }) => socket.resetAndDestroy(), {}, /^Nobody answers at http:\/\/127/],
      [
        'refusing',
        (_request, response) => response.writeHead(401, { 'access-control-allow-origin': '*' }).end('{}'),
        {},
        /refuses the requests of this page \(status 401\)\. See whether its address has a key/,
      ],
      [
        'not-a-node',
        (_request, response) =>
          response
            .setHeader('access-control-allow-origin', '*')
            .setHeader('content-type', 'text/html')
            .end('<p>'),
        {},
        /not as a Beacon node does/,
      ],
      [
        'other-network',
        'chain',
        { network: 'sepolia' },
        /is a node of another network .*, and not of Sepolia/,
      ],
      ['unknown-checkpoint', 'chain', { checkpoint: `0x${'12'.repeat(32)}` }, /begins with this checkpoint/],
    ])('explains what is wrong: %s', async (kind, server, params, words) => {
      const url = server === 'chain' ? beacon.url : await serverOf(server)
      const { page } = visit
      // What is on the instrument before is of another source.
      await page.click('#tab-embedded')
      await page.waitForSelector('#bar-block:text("Holesky, slot 1,409,759")')
      await page.click('#tab-live')
      await fill({ beacon: url, network: 'custom', checkpoint: chain.checkpoint, ...params })
      await page.click('#live-start')
      await page.waitForSelector(`#live-trouble[data-kind=${kind}]:not([hidden])`)
      expect(await page.textContent('#live-trouble-text')).toMatch(words)
      expect(await page.isVisible('#live-trouble-command')).toBe(kind === 'cors')
      if (kind === 'cors') expect(await page.textContent('#live-trouble-command code')).toBe(SERVE)
      expect(await page.textContent('#bar-verdict')).toBe('Nothing verified')
      expect(await page.textContent('#bar-block')).not.toContain('Holesky')
      // It can be tried again.
      await page.waitForSelector('#live-start[aria-disabled=false]')
    })

    it('says so where the file of a config cannot be read', async () => {
      const { page, complaints } = visit
      const before = complaints.length
      await page.selectOption('#live-network', 'custom')
      await page.$eval('#live-config-file', (input) => {
        const text = (): Promise<string> => Promise.reject(new DOMException('It is gone', 'NotFoundError'))
        Object.defineProperty(input, 'files', { value: [{ text }], configurable: true })
        input.dispatchEvent(new Event('change'))
        Reflect.deleteProperty(input, 'files')
      })
      await page.waitForSelector('#live-trouble-text:text("cannot be read: It is gone.")')
      expect(await page.isVisible('#live-trouble')).toBe(true)
      expect(complaints.slice(before)).toEqual([])
    })

    it('explains which field cannot be used, and asks nobody', async () => {
      const { page, complaints } = visit
      const before = { asked: askedOf(visit).length, complaints: complaints.length }
      const cases = [
        ['#live-beacon', '', /^Name the endpoint/],
        [
          '#live-beacon',
          'example',
          /is no address: it begins with https:\/\/ or http:\/\/\. Write https:\/\/example\.$/,
        ],
        ['#live-beacon', 'http://node.example', /This page may not ask/],
        ['#live-beacon', 'https://user:pw@node.example', /^An address with a user or a password cannot/],
        ['#live-checkpoint', '0x12', /64 hex digits/],
        ['#live-config', '{', /is not JSON/],
      ] as const
      const right = { '#live-beacon': beacon.url, '#live-checkpoint': chain.checkpoint, '#live-config': '' }
      for (const [field, value, words] of cases) {
        await page.selectOption('#live-network', field === '#live-config' ? 'custom' : 'mainnet')
        for (const [other, fine] of Object.entries(right))
          if (await page.isVisible(other)) await page.fill(other, other === field ? value : fine)
        await page.click('#live-start')
        expect(await page.textContent('#live-trouble-text')).toMatch(words)
        expect(await page.getAttribute(field, 'aria-invalid')).toBe('true')
        expect(await page.evaluate(() => `#${document.activeElement?.id}`)).toBe(field)
      }
      expect(askedOf(visit)).toHaveLength(before.asked)
      expect(complaints.slice(before.complaints)).toEqual([])
    })
  })
})

it('the command that helps serves pages, and writes a config that the form takes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-live-'))
  const file = join(folder, 'network.json')
  const [, , ...args] = SERVE.replace('network.json', file).split(' ')
  let origin: string | null = null
  let config = ''
  const { code } = await blobcheck([...args, '--port', '0', '--json', '--slots', '4', '--blobs', '1'], {
    onLine: (line, kill) => {
      const { url } = JSON.parse(line) as { url: string }
      void (async () => {
        const response = await fetch(`${url}/eth/v1/beacon/genesis`, {
          headers: { origin: 'https://page.example' },
        })
        origin = response.headers.get('access-control-allow-origin')
        config = await readFile(file, 'utf8')
        kill('SIGINT')
      })()
    },
  })
  await rm(folder, { recursive: true })
  expect(code).toBe(0)
  expect(origin).toBe('*')
  expect(parseNetwork(config)).toMatchObject({ secondsPerSlot: 6 })
})

/** The paths of the Beacon API that a page has asked for since it was opened. */
function askedOf({ requests }: Visit): readonly string[] {
  return requests.filter((path) => path.startsWith('/eth/'))
}

/** Waits for a slot of the ribbon in that state; what it says to those who hear it. */
async function slotOf(page: Page, state: string): Promise<string> {
  const button = page.locator(`.ribbon [data-state=${state}]`).first()
  await button.waitFor()
  return (await button.getAttribute('aria-label'))!
}
