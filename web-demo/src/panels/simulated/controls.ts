/** The panel’s controls, as settings. */
import { element } from '../../shared/page.ts'
import { integer } from '../../shared/words.ts'
import type { ChainSettings, Delivery, FaultSettings, Lie } from './settings.ts'

export class Controls {
  readonly #form: HTMLFormElement

  /** `params`: of the page’s address; what is named there as a control is what that begins with. `onFaults` is called at each change of faults. */
  constructor(root: HTMLElement, params: URLSearchParams, onFaults: () => void) {
    this.#form = element('#simulated-form', HTMLFormElement, root)
    this.#form.addEventListener('submit', (event) => event.preventDefault())
    for (const control of this.#form.elements) {
      const wanted = isControl(control) ? params.get(control.name) : null
      if (wanted === null) continue
      if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = wanted === '1'
      else if (control instanceof HTMLSelectElement ? has(control, wanted) : NUMBER.test(wanted))
        (control as Control).value = wanted
    }
    const chain = element('#simulated-chain', HTMLFieldSetElement, this.#form)
    this.#form.addEventListener('input', ({ target }) => {
      this.#show()
      if (!chain.contains(target as Node)) onFaults()
    })
    this.#show()
  }

  /** The chain that is followed stays as it is: its settings are there when it is stopped. */
  lock(isLocked: boolean): void {
    element('#simulated-chain', HTMLFieldSetElement, this.#form).hidden = isLocked
  }

  get chain(): ChainSettings {
    return {
      fork: this.#select('fork').value === 'gloas' ? 'gloas' : 'fulu',
      blobs: Number(this.#select('blobs').value),
      secondsPerSlot: Number(this.#select('seconds').value),
    }
  }

  /** Whether there is an honest node beside the other one. */
  get withHonest(): boolean {
    return this.#input('honest').checked
  }

  get faults(): FaultSettings {
    const isGloas = this.chain.fork === 'gloas'
    return {
      withheld: this.#input('withheld').valueAsNumber,
      delayMs: this.#input('delay').valueAsNumber,
      lie: this.#select('lie').value as Lie,
      delivery: this.#select('delivery').value as Delivery,
      answers: this.#select('answers').value === 'all' ? 'all' : 'data',
      probability: Number(this.#select('probability').value),
      payloadsWithheld: isGloas && this.#input('payloads').checked,
    }
  }

  /** Whether blocks of a fork have what the lie is about. */
  canLie(lie: Lie, fork: ChainSettings['fork']): boolean {
    const option = [...this.#select('lie').options].find(({ value }) => value === lie)
    return option !== undefined && (option.dataset['fork'] ?? fork) === fork
  }

  lie(lie: Lie): void {
    this.#select('lie').value = lie
  }

  /** No faults at all. */
  reset(): void {
    this.#input('withheld').value = '0'
    this.#input('delay').value = '0'
    this.#input('payloads').checked = false
    for (const name of ['lie', 'delivery', 'answers', 'probability']) this.#select(name).selectedIndex = 0
    this.#show()
  }

  /** Says what sliders are set to, and leaves out what a block of the fork does not have. */
  #show(): void {
    const { withheld, delayMs } = this.faults
    this.#output('withheldNow').value = integer(withheld)
    this.#output('delayNow').value = `${integer(delayMs)} ms`
    const { fork } = this.chain
    const lies = this.#select('lie')
    for (const option of lies.options) option.disabled = (option.dataset['fork'] ?? fork) !== fork
    if (lies.selectedOptions[0]?.disabled === true) lies.value = 'none'
    this.#input('payloads').closest('label')!.hidden = fork !== 'gloas'
  }

  #select(name: string): HTMLSelectElement {
    return element(`[name=${name}]`, HTMLSelectElement, this.#form)
  }

  #input(name: string): HTMLInputElement {
    return element(`[name=${name}]`, HTMLInputElement, this.#form)
  }

  #output(name: string): HTMLOutputElement {
    return element(`[name=${name}]`, HTMLOutputElement, this.#form)
  }
}

/** What a slider takes; of anything else it makes the middle of its range. */
const NUMBER = /^\d+(\.\d+)?$/

type Control = HTMLInputElement | HTMLSelectElement

function isControl(control: Element): control is Control {
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement
}

function has(select: HTMLSelectElement, value: string): boolean {
  return [...select.options].some((option) => option.value === value && !option.disabled)
}
