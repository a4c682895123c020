/**
 * The Simulated tab in Firefox and WebKit: both forks are followed, and what an engine has a hand in, how answers come, is shown as what it is.
 * What answers say is read and refused by the same code in each engine: of lies there is one of each kind of check, and Chromium has them all.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Driver } from '../../support/engines/driver.ts'
import { engines } from '../../support/engines/engines.ts'
import {
  type Fork,
  simulatedDeliveries,
  type SimulatedFault,
  simulatedLies,
  slotAfter,
} from '../../support/simulated-faults.ts'
import { hasChromium, Site } from '../../support/site.ts'

const faults: Readonly<Record<Fork, readonly SimulatedFault[]>> = {
  // A proof and a signature that do not hold.
  fulu: simulatedLies.fulu.filter(({ value }) => ['cell', 'signature'].includes(value)),
  gloas: simulatedDeliveries,
}

describe.skipIf(!hasChromium)('the simulated chain of the demo page', () => {
  let site: Site

  beforeAll(async () => {
    site = await Site.open()
  })
  afterAll(async () => await site?.close())

  for (const { name, isHere, start } of engines.filter(({ name }) => name !== 'Chromium'))
    // Most of the time nothing is done but to wait for the next slot.
    it.skipIf(!isHere).concurrent(
      `is followed in ${name}, however the answers of its node come`,
      async () => {
        const page = await start(site)
        try {
          await page.open(`${site.origin}/?source=simulated&seconds=2&blobs=1`)
          await page.waitFor(isOpen)
          for (const fork of ['fulu', 'gloas'] as const) await followWithFaults(page, fork)
          // Firefox says of an answer that breaks off, as it was set to, that the service worker had a fault.
          const complaints = await page.complaints()
          expect(complaints.filter((text) => !text.includes('A ServiceWorker intercepted'))).toEqual([])
        } finally {
          await page.close()
        }
      },
    )

  async function followWithFaults(page: Driver, fork: Fork): Promise<void> {
    await page.evaluate(setControl, 'fork', fork)
    await page.click(button, 'simulated-start')
    const { slot: first } = await slotAfter(page, 0)
    expect(await page.evaluate(hostWords)).toContain('A service worker answers for its node')
    expect((await page.evaluate(lines)).includes('gloasForkEpoch')).toBe(fork === 'gloas')
    await page.waitFor(() => document.querySelector('#bar-resting')!.textContent.includes('a sync committee'))
    await slotAfter(page, first)
    for (const fault of faults[fork]) {
      await page.click(button, 'simulated-reset')
      await page.evaluate(setControl, fault.control, fault.value)
      // What was under way when it was set may have had its answer.
      const before = await page.evaluate(newestSlot)
      await slotAfter(page, before, fault)
      expect(await page.evaluate(availableAfter, before), `${fault.control} ${fault.value}`).toBe(0)
    }
    await page.click(button, 'simulated-reset')
    await slotAfter(page, await page.evaluate(newestSlot))
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

function lines(): string {
  return document.querySelector('#lines')!.textContent
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
