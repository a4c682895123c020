/** The ribbon of the demo page: the slots of a chain that is followed, of which the oldest go. */
/// <reference types="vite/client" />
import { expect, it, onTestFinished } from 'vitest'
import { Ribbon } from '../../web-demo/src/follow/ribbon.ts'
import { RIBBON_SLOTS } from '../../web-demo/src/follow/slot.ts'

it('keeps the focus on its oldest slot when the one that had it goes', () => {
  const root = document.createElement('div')
  document.body.append(root)
  onTestFinished(() => root.remove())
  const ribbon = new Ribbon(root, () => {})
  const add = (slot: number): void =>
    ribbon.set({ slot, root: null, state: 'empty', label: 'empty', words: 'No block.' })
  for (let slot = 1; slot <= RIBBON_SLOTS; slot++) add(slot)
  root.querySelector<HTMLElement>('[data-slot="1"]')!.focus()
  add(RIBBON_SLOTS + 1)
  expect(root.querySelectorAll('[data-slot]')).toHaveLength(RIBBON_SLOTS)
  expect(document.activeElement).toBe(root.querySelector('[data-slot="2"]'))
  // Several slots are over at once where the page was asleep.
  add(RIBBON_SLOTS + 9)
  expect(document.activeElement).toBe(root.querySelector('[data-slot="10"]'))
})
