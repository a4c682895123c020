/** What the demo page does where something is in its way: no network, no workers, no block, no baseline. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { dropZeros, pick, said } from '../../support/file-panel.ts'
import { hold } from '../../support/hold.ts'
import { countsOf } from '../../support/instruments.ts'
import { controlled, hasChromium, press, settled, states, visits } from '../../support/site.ts'

/** Of a machine that does everything else besides: without it `expect.poll` gives up after a second. */
const POLL = { timeout: 60_000 }

describe.skipIf(!hasChromium)('the demo page, hindered', () => {
  const demo = visits()

  it('works offline once it is loaded, rejections included; can be cancelled, and goes on afterwards', async () => {
    const { page, complaints, requests } = await demo.visitor.open()
    await controlled(page)
    const before = requests.length
    await demo.visitor.context.setOffline(true)
    await page.getByLabel('Blob to tamper with').selectOption('0')
    await press(page, 'Tamper one byte')
    expect((await states(page))[0]).toBe('rejected')
    await press(page, 'Restore')
    expect(await states(page)).toEqual(Array(6).fill('remembered'))
    // The browser asks for the icon again whenever the address changes.
    expect(requests.slice(before).filter((path) => !path.includes('/icon-'))).toEqual([])

    await demo.visitor.context.setOffline(false)
    complaints.length = 0
    // Both in one task of the page, so that no verdict comes between them.
    await page.evaluate(() => {
      document.querySelector<HTMLButtonElement>('#forget')!.click()
      document.querySelector<HTMLButtonElement>('#cancel')!.click()
    })
    await settled(page)
    expect(await states(page)).toEqual(Array(6).fill('waiting'))
    expect(await page.getByRole('status').textContent()).toBe('Cancelled. 0 of 6 blobs valid.')
    await press(page, 'Verify again')
    expect(await states(page)).toEqual(Array(6).fill('valid'))
    expect(complaints).toEqual([])
  })

  it('runs its control where the verifier of its first run is given up meanwhile', async () => {
    const { page, complaints } = await demo.visitor.newPage()
    const control = await hold(page, '**/assets/control-*.js')
    await page.goto(demo.site.origin)
    await settled(page)
    await expect.poll(() => control.routes.length, POLL).toBe(1)
    await press(page, 'Forget and verify')
    expect(await page.textContent('#control')).toBe('')
    await control.routes[0]!.continue()
    await controlled(page)
    expect(await page.textContent('#control')).toContain('was verified as well, and refused')
    expect(complaints).toEqual([])
  })

  it('leaves the instrument to a file that is picked before the embedded block has come to be shown', async () => {
    const { page, complaints } = await demo.visitor.newPage()
    const { routes, letThrough } = await hold(page, '**/assets/view-*.js')
    // With its cells, the run of the embedded block ends after that of the file.
    const cells = await hold(page, '**/assets/cells-*.js')
    await page.goto(`${demo.site.origin}/?source=file`)
    await page.waitForSelector('#file-pick', { state: 'attached' })
    const block = await readFile(new URL('../../../data/holesky_1409759_blob_sidecars.json', import.meta.url))
    await pick(page, { name: 'answer.json', bytes: block })
    const shown = {
      verdict: /^Verified here: 6 blobs, 384 cells/,
      network: 'Network unknown, slot 1,409,759',
    }
    expect(await page.textContent('#bar-verdict')).toMatch(shown.verdict)
    await expect.poll(() => cells.routes.length, POLL).toBe(1)
    cells.letThrough()
    await cells.routes[0]!.continue()
    await controlled(page)
    expect(await page.textContent('#bar-verdict')).toMatch(shown.verdict)
    expect(routes).toHaveLength(1)
    letThrough()
    await Promise.all(routes.map((route) => route.continue()))
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/view-')),
    )
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))
    expect(await page.textContent('#bar-verdict')).toMatch(shown.verdict)
    expect(await page.textContent('#bar-block')).toBe(shown.network)
    expect(await countsOf(page)).toMatchObject({ valid: 384, missing: 384 })
    // Chosen later, the embedded block is shown.
    await page.getByRole('tab', { name: 'Embedded' }).click()
    await page.waitForFunction(() =>
      document.querySelector('#bar-verdict')!.textContent.startsWith('Verified here: 6 blobs, 768 cells'),
    )
    expect(complaints).toEqual([])
  })

  it('shows nothing that another source found for the embedded block, whose own run goes on or has failed', async () => {
    const block = await readFile(new URL('../../../data/holesky_1409759_blob_sidecars.json', import.meta.url))
    for (const way of ['late', 'failed'] as const) {
      const fresh = await demo.site.visitor()
      const { page } = await fresh.newPage()
      const held = await hold(page, '**/*.wasm')
      await page.goto(`${demo.site.origin}/?source=file`)
      await page.waitForSelector('#file-pick', { state: 'attached' })
      if (way === 'failed') {
        await page.route('**/*.wasm', (route) => route.abort())
        for (const route of held.routes) await route.abort()
        await page.waitForSelector('.card[data-state=unknown]', { state: 'attached' })
        await page.unroute('**/*.wasm')
      }
      held.letThrough()
      await pick(page, { name: 'answer.json', bytes: block })
      expect(await page.textContent('#bar-verdict')).toMatch(/^Verified here: 6 blobs, 384 cells/)
      await page.getByRole('tab', { name: 'Embedded' }).click()
      await page.waitForSelector('#bar-block:text("Holesky, slot 1,409,759")')
      expect(await page.getAttribute('#bar', 'data-state')).toBe(way === 'late' ? 'working' : 'unknown')
      expect(await page.textContent('#bar-verdict')).toBe(
        way === 'late' ? 'Verifying here…' : 'Nothing verified',
      )
      if (way === 'late') for (const route of held.routes) await route.continue()
      else await page.getByRole('button', { name: 'Try again' }).click()
      await page.waitForSelector('#bar-verdict:text("Verified here: 6 blobs")')
      await fresh.context.close()
    }
  })

  it('has its instrument when it is wanted again, where that could not be loaded at first', async () => {
    const { page } = await demo.visitor.newPage()
    await page.route('**/assets/instrument-*.js', (route) => route.abort())
    await page.goto(demo.site.origin)
    await settled(page)
    const file = page.getByRole('tab', { name: 'File' })
    await file.click()
    await page.waitForSelector('#panel-file:text("This could not be loaded")')
    await page.unroute('**/assets/instrument-*.js')
    await file.click()
    await page.waitForSelector('#file-pick', { state: 'attached' })
    const block = await readFile(new URL('../../../data/holesky_1409759_blob_sidecars.json', import.meta.url))
    await pick(page, { name: 'answer.json', bytes: block })
    // The embedded block is still there, and leaves the instrument to the file.
    await page.evaluate(() => document.querySelector<HTMLButtonElement>('#again')!.click())
    await page.waitForSelector('#again[aria-disabled=false]', { state: 'attached' })
    expect(await page.textContent('#bar-verdict')).toMatch(/^Verified here: 6 blobs, 384 cells/)
    await page.getByRole('tab', { name: 'Embedded' }).click()
    await page.waitForFunction(() => document.querySelector('blob-grid')!.counts.valid === 768)
  })

  it('says of what it has not kept that there is no network, and loads it when there is one', async () => {
    const { page } = await demo.visitor.open()
    await demo.visitor.context.setOffline(true)
    const file = page.getByRole('tab', { name: 'File' })
    await file.click()
    await page.waitForSelector('#panel-file:text("This could not be loaded")')
    expect(await page.textContent('#panel-file')).toBe(
      'This could not be loaded: there is no network, and this browser has not kept it. Choose it once more when there is one.',
    )
    await demo.visitor.context.setOffline(false)
    await file.click()
    await page.waitForSelector('#file-pick', { state: 'attached' })
  })

  it('takes a file that is dropped, where its instrument could not be loaded at first', async () => {
    const { page } = await demo.visitor.newPage()
    await page.route('**/assets/instrument-*.js', (route) => route.abort())
    await page.goto(demo.site.origin)
    await settled(page)
    await page.unroute('**/assets/instrument-*.js')
    const isTaken = (): Promise<boolean> =>
      page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([], 'dragged.bin'))
        const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true })
        document.body.dispatchEvent(event)
        return event.defaultPrevented
      })
    await expect.poll(isTaken, POLL).toBe(true)
    await dropZeros(page, 'dropped.bin', 131_072)
    await said(page, 'dropped.bin')
    expect(await page.getAttribute('#tab-file', 'aria-selected')).toBe('true')
  })

  it('does without what browsers may lack: idle callbacks, a clipboard where the page came without TLS, and addresses that change, which WebKit refuses after 100 times', async () => {
    const { page, complaints } = await demo.visitor.newPage()
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'requestIdleCallback')
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
      history.replaceState = () => {
        throw new DOMException('Attempt to use history.replaceState() more than 100 times', 'SecurityError')
      }
    })
    // What a visitor waits for comes first: the verifier, then what numbers are formatted with.
    await page.addInitScript(() => {
      const order: string[] = []
      Object.assign(globalThis, { order })
      const { validate } = WebAssembly
      WebAssembly.validate = (...values) => {
        order.push('WebAssembly')
        return validate(...values)
      }
      Intl.NumberFormat = new Proxy(Intl.NumberFormat, {
        construct: (target, values) => {
          order.push('NumberFormat')
          return Reflect.construct(target, values) as object
        },
      })
    })
    await page.goto(demo.site.origin)
    await settled(page)
    const order = await page.evaluate(() => (globalThis as unknown as { order: string[] }).order)
    expect(order[0]).toBe('WebAssembly')
    expect(order.filter((step) => step === 'NumberFormat')).toHaveLength(1)

    await controlled(page)
    expect(await page.textContent('#control')).toContain('refused')

    await page.click('#copy-lines .copy')
    await page.waitForSelector('.copy:text("The browser does not let this page copy")')

    await page.getByLabel('Blob to tamper with').selectOption('0')
    await press(page, 'Tamper one byte')
    expect((await states(page))[0]).toBe('rejected')
    await page.getByRole('tab', { name: 'File' }).click()
    await page.waitForSelector('#file-pick', { state: 'attached' })
    await page.getByRole('tab', { name: 'Embedded' }).click()
    await page.waitForSelector('#bar-verdict:text("Refused here: 1 of 6 blobs")')
    expect(complaints).toEqual([])
  })

  it('says in words what is missing', async () => {
    const blockless = await demo.visitor.newPage()
    await blockless.page.route('**/holesky*.ssz', (route) => route.fulfill({ status: 404 }))
    await blockless.page.goto(demo.site.origin)
    await blockless.page.waitForSelector('#alert:not([hidden])')
    expect(await blockless.page.getByRole('alert').textContent()).toContain('its set-up fetches it')

    const wasmless = await demo.visitor.newPage()
    await wasmless.page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'))
    await wasmless.page.goto(demo.site.origin)
    await wasmless.page.waitForSelector('#alert:not([hidden])')
    expect(await wasmless.page.getByRole('alert').textContent()).toContain('This browser cannot verify here')
    expect(await states(wasmless.page)).not.toContain('valid')
  })

  it('says why there is no verdict where WebAssembly is blocked, and tries again', async () => {
    const { page } = await demo.visitor.newPage()
    await page.route('**/*.wasm', (route) => route.abort())
    await page.goto(demo.site.origin)
    await page.waitForSelector('.card[data-state=unknown]')
    const alert = page.getByRole('alert')
    expect(await alert.textContent()).toMatch(
      /The verifier could not be loaded: http:\S+\/verifier_\S+\.wasm: Failed to fetch\. Nothing was verified\./,
    )
    expect(await states(page)).toEqual(Array(6).fill('unknown'))
    expect(await page.getByRole('status').textContent()).toBe('There are no verdicts.')
    await press(page, 'Try again')
    expect(await states(page), 'still blocked').toEqual(Array(6).fill('unknown'))
    await page.unroute('**/*.wasm')
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 403 }))
    await press(page, 'Try again')
    expect(await alert.textContent()).toMatch(/The verifier could not be loaded: .*403/)
    await page.unroute('**/*.wasm')
    await press(page, 'Try again')
    expect(await states(page)).toEqual(Array(6).fill('valid'))
    expect(await alert.isVisible()).toBe(false)
  })

  it('gives up what hangs, the block or the verifier, and says so; goes on when it comes after all, or is asked for again', async () => {
    for (const way of ['late', 'retry'] as const) {
      const fresh = await demo.site.visitor()
      const { page } = await fresh.newPage()
      await page.clock.install()
      const block = await hold(page, '**/holesky*.ssz')
      const modules = await hold(page, '**/*.wasm')
      const goOn = async (held: typeof block): Promise<void> => {
        held.letThrough()
        if (way === 'retry') await page.getByRole('button', { name: 'Try again' }).click()
        else for (const route of held.routes) await route.continue()
      }
      await page.goto(demo.site.origin)
      await expect.poll(() => block.routes.length, POLL).toBe(1)
      await page.clock.fastForward(21_000)
      await page.waitForSelector('#alert:not([hidden])')
      expect(await page.getByRole('alert').textContent()).toContain('The block has not come in 20 seconds')
      expect(await page.getByRole('status').textContent()).toBe('There is nothing to verify.')
      await goOn(block)

      await page.waitForFunction(() => document.querySelector('#cancel[aria-disabled=false]') !== null)
      expect(await page.getByRole('alert').isVisible()).toBe(false)
      await page.clock.fastForward(21_000)
      await expect(settled(page)).rejects.toThrow('The verification was given up')
      expect(await page.getByRole('alert').textContent()).toContain('has not been loaded in 20 seconds')
      expect(await states(page)).toEqual(Array(6).fill('unknown'))
      await goOn(modules)

      await page.waitForFunction(() => document.querySelectorAll('.card[data-state=valid]').length === 6)
      expect(await page.getByRole('alert').isVisible()).toBe(false)
      await fresh.context.close()
    }
  })

  it('is seen where the script of its source hangs, and says so; shows the source when it comes after all, whether or not it is chosen again', async () => {
    for (const isChosenAgain of [false, true]) {
      const fresh = await demo.site.visitor()
      const { page } = await fresh.newPage()
      await page.clock.install()
      const scripts = await hold(page, '**/assets/panel-*.js')
      await page.goto(`${demo.site.origin}/?source=live`)
      const panel = page.locator('#panel-live')
      const reads = async (text: string): Promise<void> =>
        await expect.poll(() => panel.textContent(), POLL).toContain(text)
      await reads('Loading…')
      await expect.poll(() => scripts.routes.length, POLL).toBe(1)
      await page.clock.fastForward(3_000)
      await panel.waitFor({ state: 'visible' })

      await page.clock.fastForward(20_000)
      await reads('What this takes has not come in 20 seconds. The network, or something')
      await reads('Choose it once more to try again')
      const tab = page.getByRole('tab', { name: 'Live' })
      if (isChosenAgain) {
        await tab.click()
        await reads('Loading…')
      }
      for (const route of scripts.routes) await route.continue()
      await page.waitForSelector('#live-start')
      await tab.click()
      expect(await page.locator('#live-start').count()).toBe(1)
      await fresh.context.close()
    }
  })

  it('can be cancelled while the verifier hangs, and goes on when it is asked to', async () => {
    const { page } = await demo.visitor.newPage()
    const held = await hold(page, '**/*.wasm')
    await page.goto(demo.site.origin)
    await page.waitForFunction(() => document.querySelector('#cancel[aria-disabled=false]') !== null)
    await press(page, 'Cancel')
    expect(await states(page)).toEqual(Array(6).fill('waiting'))
    expect(await page.getByRole('status').textContent()).toBe('Cancelled. 0 of 6 blobs valid.')
    held.letThrough()
    for (const route of held.routes) await route.continue()
    await page.getByRole('button', { name: 'Verify again' }).click()
    await page.waitForFunction(() => document.querySelectorAll('.card[data-state=valid]').length === 6)
    expect(await page.getByRole('alert').isVisible()).toBe(false)
  })

  it('verifies in its own thread where workers are refused, and says so', async () => {
    const { page } = await demo.visitor.newPage()
    await page.addInitScript(() => {
      globalThis.Worker = class {
        constructor() {
          throw new DOMException('no workers here', 'SecurityError')
        }
      } as unknown as typeof Worker
    })
    await page.goto(demo.site.origin)
    await settled(page)
    expect(await states(page)).toEqual(Array(6).fill('valid'))
    expect(await page.textContent('#figure-workers')).toBe('0')
    expect(await page.textContent('#note-workers')).toContain('refused by the browser')
  })

  it('follows a chain of its own where service workers are refused, and says why in one sentence', async () => {
    const { page, complaints } = await demo.visitor.newPage()
    await page.addInitScript(() => {
      // As Firefox does where all cookies are blocked.
      const refuse = (): Promise<never> =>
        Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))
      const { prototype } = ServiceWorkerContainer
      Object.assign(prototype, { register: refuse, getRegistration: refuse })
      Object.defineProperty(prototype, 'ready', { get: refuse })
    })
    await page.goto(`${demo.site.origin}/?source=simulated&seconds=2&blobs=1`)
    await page.click('#simulated-start')
    await page.waitForFunction(() => document.querySelector('#simulated-host')?.textContent !== '')
    expect(await page.textContent('#simulated-host')).toBe(
      'A worker of this page answers for its node, instead of a service worker: The operation is insecure.',
    )
    expect(complaints).toEqual([])
  })

  it('fetches one kernel for its verdicts, and the baseline only to confirm a refusal; accuses nobody while it cannot, and asks again when it can', async () => {
    const { page, requests } = await demo.visitor.newPage()
    // Without the control, which is what else asks for the baseline.
    await page.addInitScript(() => {
      globalThis.requestIdleCallback = () => 0
    })
    await page.route('**/*simd128*.wasm', (route) => route.abort())
    await page.goto(demo.site.origin)
    await settled(page)
    const kernels = (): string[] =>
      requests
        .filter((path) => path.endsWith('.wasm'))
        .map((path) => path.replace(/.*verifier_(\w+?)-.*/, '$1'))
    expect(kernels()).toEqual(['relaxed_simd'])
    expect(requests.filter((path) => path.endsWith('.ssz'))).toHaveLength(1)
    await page.getByLabel('Blob to tamper with').selectOption('4')
    await press(page, 'Tamper one byte')
    expect((await states(page))[4]).toBe('unknown')
    expect(await page.getByRole('article', { name: 'Blob 4' }).textContent()).toContain(
      'Nothing is known about it',
    )
    expect(kernels()).toEqual(['relaxed_simd', 'simd128'])
    await page.unroute('**/*simd128*.wasm')
    await press(page, 'Verify again')
    expect((await states(page))[4]).toBe('rejected')
    expect(kernels()).toEqual(['relaxed_simd', 'simd128', 'simd128'])
    expect(
      requests.every((path) => path === '/' || path.startsWith('/assets/') || path.startsWith('/holesky_')),
    ).toBe(true)
    await report(requests)
  })

  /** What the page weighs, as it is served, and as a server that compresses would send it. */
  async function report(requests: readonly string[]): Promise<void> {
    const assets = await readdir(join(demo.site.folder, 'assets'))
    for (const name of assets.filter((asset) => requests.includes(`/assets/${asset}`))) {
      const bytes = await readFile(join(demo.site.folder, 'assets', name))
      console.log(`page: ${name} ${bytes.length} bytes, ${brotliCompressSync(bytes).length} with brotli`)
    }
  }
})
