/** What the node of the page’s simulated chain can be made to do, what each of it must come to in the ribbon, and how that is waited for there. */
import type { Driver } from './engines/driver.ts'

export type Fork = 'fulu' | 'gloas'

/** What a slot of the ribbon is to be. */
export interface WantedSlot {
  /** One of several where it depends on the columns that are drawn: `refused|unavailable`. */
  readonly state: string
  /** What the ribbon says of it. */
  readonly words?: RegExp
}

export interface SimulatedFault extends WantedSlot {
  /** Of the panel’s control. */
  readonly control: string
  readonly value: string
  /** The link of the chain that is broken then. */
  readonly link?: string
}

/**
 * How an answer comes, on a chain of Gloas: nothing says there what the columns are of but the block, and the ribbon says why that could not be
 * had. Who answers has a hand in each of them, and so has the browser.
 */
export const simulatedDeliveries: readonly SimulatedFault[] = [
  { control: 'delivery', value: 'truncate', state: 'unknown', words: /: truncated \(/ },
  // The block is small enough to come in time, the columns are not.
  { control: 'delivery', value: 'drip', state: 'unknown', words: /No endpoint gave an answer\.$/ },
  { control: 'delivery', value: 'oversized', state: 'unknown', words: /: malformed \(.* limit\)/ },
  { control: 'delivery', value: 'content-type', state: 'unknown', words: /: malformed \(.* text\/html\)/ },
  { control: 'delivery', value: 'redirect', state: 'unknown', words: /: network \(/ },
  {
    control: 'delivery',
    value: 'status',
    state: 'unknown',
    words: /: server-error \(status 503, and to be asked again in 1 s\)/,
  },
  { control: 'delay', value: '12000', state: 'unknown', words: /\(the block could not be had in time\)/ },
]

/** What an answer says. What a fault comes to is never what the one before it came to: it is seen that it was set. */
export const simulatedLies: Readonly<Record<Fork, readonly SimulatedFault[]>> = {
  fulu: [
    { control: 'withheld', value: '128', state: 'unavailable', words: /every endpoint denied them/ },
    { control: 'lie', value: 'cell', state: 'refused', link: 'cell' },
    { control: 'lie', value: 'commitment', state: 'refused', link: 'commitment' },
    { control: 'lie', value: 'proof', state: 'refused', link: 'cell' },
    { control: 'lie', value: 'branch', state: 'refused', link: 'commitment' },
    { control: 'lie', value: 'header', state: 'refused', link: 'root' },
    { control: 'lie', value: 'signature', state: 'refused', link: 'signature', words: /of the proposer\.$/ },
    {
      // A column that says that it is its neighbour is refused where that one was drawn, too.
      ...{ control: 'lie', value: 'index', state: 'refused|unavailable' },
      words: /is false, and was refused|every endpoint denied them/,
    },
    { control: 'lie', value: 'hide-blobs', state: 'unavailable', words: /every endpoint denied them/ },
  ],
  gloas: [
    { control: 'withheld', value: '100', state: 'unavailable', words: /every endpoint denied them/ },
    { control: 'lie', value: 'cell', state: 'refused', link: 'cell' },
    { control: 'lie', value: 'header', state: 'refused', link: 'root' },
    { control: 'lie', value: 'proof', state: 'refused', link: 'cell' },
    { control: 'payloads', value: '1', state: 'not-revealed' },
  ],
}

/** A slot of the ribbon. */
export interface RibbonSlot {
  readonly slot: number
  readonly state: string
}

/** Milliseconds: so long a browser lets one question wait, whoever asks. */
const AT_A_TIME = 30_000
/** A machine that does everything else besides has taken a minute to the third slot of 2 s. */
const PATIENCE = 240_000

/** Waits for a slot after another one that has come to what is wanted. Rejects after four minutes, with what there is in its place. */
export async function slotAfter(
  page: Pick<Driver, 'evaluate'>,
  before: number,
  { state, words }: WantedSlot = { state: 'available' },
): Promise<RibbonSlot> {
  const since = performance.now()
  for (;;) {
    const seen = await page.evaluate(seenAfter, before, state, words?.source ?? '', AT_A_TIME)
    if (typeof seen !== 'string') return seen
    if (performance.now() - since > PATIENCE)
      throw new Error(`no slot after ${before} is ${state}, ${String(words)}: ${seen}`)
  }
}

/** The slot, as soon as it is there; after that time the words of the panel. It runs in the page, and is not asked in between. */
function seenAfter(before: number, states: string, words: string, ms: number): Promise<RibbonSlot | string> {
  return new Promise((resolve) => {
    const ribbon = document.querySelector('#simulated-ribbon')!
    const look = (): void => {
      for (const button of ribbon.querySelectorAll<HTMLElement>('[data-slot]')) {
        const { slot, state } = button.dataset
        const isWanted = states.split('|').includes(state!) && new RegExp(words).test(button.ariaLabel!)
        if (Number(slot) > before && isWanted) end({ slot: Number(slot), state: state! })
      }
    }
    const end = (result: RibbonSlot | string): void => {
      observer.disconnect()
      clearTimeout(timer)
      resolve(result)
    }
    const observer = new MutationObserver(look)
    const timer = setTimeout(() => {
      const told = ['status', 'host', 'health', 'ribbon'].map((id) =>
        document.querySelector(`#simulated-${id}`),
      )
      const latest = ribbon.querySelector('[data-slot]')?.ariaLabel
      end([...told.map((place) => place?.textContent), latest].join(' | '))
    }, ms)
    observer.observe(ribbon, { subtree: true, childList: true, attributes: true })
    look()
  })
}
