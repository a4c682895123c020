/** The Simulated tab in Firefox and WebKit: both forks are followed, and no fault of the node is shown as valid. Chromium has more tests of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Driver } from '../../support/engines/driver.ts'
import { engines } from '../../support/engines/engines.ts'
import { type Fork, simulatedFaults } from '../../support/simulated-faults.ts'
import { hasChromium, Site } from '../../support/site.ts'

const forks: readonly Fork[] = ['fulu', 'gloas']

describe.skipIf(!hasChromium)('the simulated chain of the demo page', () => {
  let site: Site

  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())

  for (const { name, isHere, start } of engines.filter(({ name }) => name !== 'Chromium'))
    // Most of the time nothing is done but to wait for the next slot.
    it.skipIf(!isHere).concurrent(`is followed in ${name}, with each fault of its node`, async () => {
      const page = await start(site)
      try {
        for (const fork of forks) await followWithFaults(page, fork)
        // Firefox says of an answer that breaks off, as it was set to, that the service worker had a fault.
        const complaints = await page.complaints()
        expect(complaints.filter((text) => !text.includes('A ServiceWorker intercepted'))).toEqual([])
      } finally {
        await page.close()
      }
    })

  async function followWithFaults(page: Driver, fork: Fork): Promise<void> {
    await page.open(`${site.origin}/?source=simulated&fork=${fork}&seconds=2&blobs=1`)
    await page.waitFor(isOpen)
    await page.click(button, 'simulated-start')
    await page.waitFor(hasSlotAfter, 0, 'available')
    expect(await page.evaluate(hostWords)).toContain('A service worker answers for its node')
    await page.waitFor(() => document.querySelector('#bar-resting')!.textContent.includes('a sync committee'))
    for (const { control, value, state } of simulatedFaults[fork]) {
      await page.evaluate(setControl, control, value)
      // What was under way when it was set may have had its answer; a payload that is not yet shown may be revealed already.
      const before = (await page.evaluate(newestSlot)) + (control === 'payloads' ? 2 : 0)
      await page.waitFor(hasSlotAfter, before, state)
      expect(await page.evaluate(availableAfter, before), `${control} ${value}`).toBe(0)
      const last = await page.evaluate(newestSlot)
      await page.click(button, 'simulated-reset')
      await page.waitFor(hasSlotAfter, last, 'available')
    }
    await page.click(button, 'simulated-stop')
    await page.waitFor(() => document.querySelector('#simulated-status')!.textContent === 'Stopped.')
  }
})

// These run in the page.

function isOpen(): boolean {
  return document.querySelector('#simulated-start') !== null && !document.body.classList.contains('arriving')
}

function button(id: string): Element | null {
  return document.querySelector(`#${id}`)
}

function hostWords(): string {
  return document.querySelector('#simulated-host')!.textContent
}

function newestSlot(): number {
  const slots = document.querySelectorAll<HTMLElement>('#simulated-ribbon [data-slot]')
  return Math.max(0, ...Array.from(slots, ({ dataset }) => Number(dataset['slot'])))
}

/** Whether a slot after that one has come to one of these states: `refused|unavailable`. */
function hasSlotAfter(before: number, states: string): boolean {
  const slots = document.querySelectorAll<HTMLElement>('#simulated-ribbon [data-slot]')
  return Array.from(slots).some(
    ({ dataset }) => Number(dataset['slot']) > before && states.split('|').includes(dataset['state']!),
  )
}

function availableAfter(before: number): number {
  const slots = document.querySelectorAll<HTMLElement>('#simulated-ribbon [data-state=available]')
  return Array.from(slots).filter(({ dataset }) => Number(dataset['slot']) > before).length
}

/** Sets a control of the panel, and says so, as a visitor's hand does. */
function setControl(name: string, value: string): void {
  const control = document.querySelector<HTMLInputElement>(`#simulated-form [name=${name}]`)!
  if (control.type === 'checkbox') control.checked = value === '1'
  else control.value = value
  for (const event of ['input', 'change']) control.dispatchEvent(new Event(event, { bubbles: true }))
}
