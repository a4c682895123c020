/** `<trust-chain>` in Chromium: what is in the page, what its buttons do, and what keeps the focus. */
import type { ChainLink, LinkMark } from 'blobcheck/elements'
import 'blobcheck/elements/trust-chain'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { doubleText, forbidInlineStyles, inside, onPaper, place } from '../support/elements.ts'

let refused: readonly string[]
beforeAll(() => {
  refused = forbidInlineStyles()
})

const value = `0x${'ab'.repeat(48)}`
const link = (name: string, mark: LinkMark, more: Partial<ChainLink> = {}): ChainLink => ({
  ...{ name, title: `The ${name}`, mark, text: `A sentence about the ${name}.` },
  ...more,
})
const whole = [
  link('proof', 'verified', { canBreak: true }),
  link('branch', 'verified', { canBreak: true }),
  link('header', 'trusted'),
  link('committee', 'unknown'),
]
const broken = [
  whole[0]!,
  link('branch', 'broken', { isBroken: true, reason: 'wrong-root', expected: value, got: '0x00' }),
  link('header', 'unreached'),
  link('committee', 'unreached'),
]

function make(links: readonly ChainLink[]): HTMLElementTagNameMap['trust-chain'] {
  const chain = place('trust-chain', 330)
  chain.links = links
  return chain
}

const items = (chain: HTMLElement): HTMLElement[] => [
  ...chain.shadowRoot!.querySelectorAll<HTMLElement>('ol > li'),
]

it('lists its links in order, with their states in words', () => {
  const chain = make(whole)
  expect(items(chain).map((item) => item.querySelector('.head')!.textContent)).toEqual([
    'The proofverified hereBreak',
    'The branchverified hereBreak',
    'The headeryour wordBreak',
    'The committeeunknownBreak',
  ])
  expect(page.getByRole('listitem').elements()).toHaveLength(4)
  expect(page.getByRole('button').elements()).toHaveLength(2)
  expect(chain.links).toEqual(whole)
})

it('says why a link is broken, and has both values whole, shortened by their style alone', () => {
  const chain = make(broken)
  const item = items(chain)[1]!
  expect(item.querySelector('.reason')!.textContent).toBe('wrong-root')
  const [expected, got] = item.querySelectorAll('dd')
  expect([expected!.textContent, got!.textContent]).toEqual([value, '0x00'])
  expect(expected!.scrollWidth).toBeGreaterThan(expected!.clientWidth)
  expect(getComputedStyle(expected!).textOverflow).toBe('ellipsis')
  expect(items(chain)[0]!.querySelector('dl')!.checkVisibility()).toBe(false)
})

it('has both values whole on paper, where nobody can copy them', async () => {
  const chain = make(broken)
  await onPaper()
  const [expected] = items(chain)[1]!.querySelectorAll('dd')
  expect(expected!.scrollWidth).toBeLessThanOrEqual(expected!.clientWidth)
  expect(expected!.getBoundingClientRect().height).toBeGreaterThan(20)
})

it('shows the beginning of a value also where a page is read from right to left', () => {
  const chain = make(broken)
  chain.dir = 'rtl'
  const value = items(chain)[1]!.querySelector('dd')!
  const first = document.createRange()
  first.setStart(value.firstChild!, 0)
  first.setEnd(value.firstChild!, 1)
  expect(first.getBoundingClientRect().left).toBeGreaterThanOrEqual(value.getBoundingClientRect().left)
  // The picture stands at the beginning of its link, beside the title, and the line to the next one below it.
  const item = items(chain)[0]!
  const [link, drawing] = [item, item.querySelector('svg')!].map((one) => one.getBoundingClientRect())
  expect(drawing!.right).toBeCloseTo(link!.right, 0)
  expect(getComputedStyle(item, '::before').right).toBe('10px')
  expect(inside(chain, '.head').getBoundingClientRect().right).toBeLessThanOrEqual(drawing!.left)
  // The button stands at the end of its line, where that is on the left.
  const [title, button] = ['.title', 'button'].map((name) => inside(chain, name).getBoundingClientRect())
  const { left, width } = inside(chain, '.head').getBoundingClientRect()
  expect(title!.right).toBeCloseTo(left + width, 0)
  expect(button!.left).toBeCloseTo(left, 0)
})

it('draws a link that is broken as snapped, and nothing from there to the next', () => {
  const chain = make(broken)
  const shown = items(chain).map((item) => [
    item.querySelector('.whole')!.checkVisibility(),
    item.querySelector('.snapped')!.checkVisibility(),
    getComputedStyle(item, '::before').display !== 'none' &&
      getComputedStyle(item, '::before').content !== 'none',
  ])
  expect(shown).toEqual([
    [true, false, true],
    [false, true, false],
    [true, false, true],
    [true, false, false],
  ])
  const colour = (item: HTMLElement): string => getComputedStyle(item.querySelector('svg')!).stroke
  const [verified, snapped, unreached] = items(chain).map(colour)
  expect(new Set([verified, snapped, unreached]).size).toBe(3)
})

it.each(['ltr', 'rtl'])('breaks words that are wider than itself, in a page that is read %s', (dir) => {
  const long = 'x'.repeat(100)
  const chain = make([link(long, 'broken', { text: `From ${long}.`, reason: value, canBreak: true })])
  chain.dir = dir
  const { left, right } = chain.getBoundingClientRect()
  for (const name of ['.title', '.mark', 'button', '.text', '.reason']) {
    const words = document.createRange()
    words.selectNodeContents(inside(chain, name))
    const box = words.getBoundingClientRect()
    expect([name, box.left >= left - 0.5, box.right <= right + 0.5]).toEqual([name, true, true])
  }
})

it('has its buttons within its width, also where text is large', () => {
  const chain = make([link('committee', 'unreached', { canBreak: true })])
  doubleText()
  const { right } = chain.getBoundingClientRect()
  expect(inside(chain, 'button').getBoundingClientRect().right).toBeLessThanOrEqual(right + 0.5)
})

it('fires the name of the link whose button is pressed, and keeps its focus and its place', async () => {
  const chain = make(whole)
  const seen: string[] = []
  const { parentElement } = chain
  const listen = ({ type, detail }: CustomEvent<{ name: string }>): void => {
    seen.push(`${type} ${detail.name}`)
    chain.links = type === 'linkbreak' ? broken : whole
  }
  parentElement!.addEventListener('linkbreak', listen)
  parentElement!.addEventListener('linkrestore', listen)
  onTestFinished(() => {
    parentElement!.removeEventListener('linkbreak', listen)
    parentElement!.removeEventListener('linkrestore', listen)
  })
  const before = items(chain)
  await userEvent.click(page.getByRole('button', { name: 'Break: The branch' }))
  expect(seen).toEqual(['linkbreak branch'])
  const button = chain.shadowRoot!.activeElement
  expect(button?.getAttribute('aria-label')).toBe('Restore: The branch')
  expect(button?.textContent).toBe('Restore')
  await userEvent.keyboard('{Enter}')
  expect(seen).toEqual(['linkbreak branch', 'linkrestore branch'])
  expect(chain.shadowRoot!.activeElement).toBe(button)
  expect(items(chain)).toEqual(before)
})

it('follows links that come, go and change places', () => {
  const chain = make(whole)
  const names = (): (string | null)[] => items(chain).map((item) => item.querySelector('.title')!.textContent)
  chain.links = [whole[2]!, whole[0]!, link('cell', 'verified')]
  expect(names()).toEqual(['The header', 'The proof', 'The cell'])
  chain.links = []
  expect(names()).toEqual([])
  expect(inside(chain, '.empty').checkVisibility()).toBe(true)
  expect(inside(chain, 'ol').checkVisibility()).toBe(false)
})

it.each([null, undefined, ''])('has no links where a framework assigns %j', (given) => {
  const nothing = given as null
  const chain = make(whole)
  chain.links = nothing
  expect(chain.links).toEqual([])
  expect(items(chain)).toEqual([])
  expect(inside(chain, '.empty').checkVisibility()).toBe(true)
})

it.each(['proof', {}, new Set([whole[0]!]), 3])('is no chain of what is no array: %o', (given) => {
  const chain = make(whole)
  expect(() => (chain.links = given as never)).toThrow(new TypeError('links are an array'))
  expect(items(chain)).toHaveLength(4)
})

it('has no two links of one name', () => {
  const chain = make(whole)
  expect(() => (chain.links = [whole[0]!, whole[0]!])).toThrow(TypeError)
  expect(chain.links).toEqual(whole)
})

it.each(['valid', 'Verified', '', 'toString', undefined, null])(
  'has no link whose mark is %s, and stays as it was',
  (mark) => {
    const chain = make(whole)
    const bad = [link('proof', 'broken'), { ...whole[1]!, mark: mark as unknown as LinkMark }]
    expect(() => (chain.links = bad)).toThrow(TypeError)
    expect(chain.links).toEqual(whole)
    expect(items(chain)).toHaveLength(whole.length)
    expect(items(chain)[0]!.querySelector('.mark')!.textContent).toBe('verified here')
  },
)

it('draws a link that a verdict calls absent as one that is unknown, and none of the others so', () => {
  const marks = ['absent', 'unknown', 'unreached', 'trusted', 'broken', 'verified'] as const
  const chain = make(marks.map((mark) => link(mark, mark)))
  const looks = items(chain).map((item) => {
    const { stroke, strokeDasharray, strokeWidth, opacity } = getComputedStyle(item.querySelector('svg')!)
    return [stroke, strokeDasharray, strokeWidth, opacity].join('; ')
  })
  expect(looks[0]).toBe(looks[1])
  expect(new Set(looks).size).toBe(marks.length - 1)
  const [absent, , , , , verified] = items(chain)
  expect(absent!.querySelector('.mark')!.textContent).toBe('not verified')
  // What a style sheet does not know is no verdict.
  const known = getComputedStyle(verified!.querySelector('svg')!).stroke
  verified!.dataset['mark'] = 'other'
  expect(getComputedStyle(verified!.querySelector('svg')!).stroke).not.toBe(known)
})

it('takes null for a field that is not there', () => {
  const chain = make([link('proof', 'broken', { reason: null, expected: null, got: null })])
  const parts = ['.reason', 'dl', 'dt', 'dd'].map((name) => inside(chain, name).checkVisibility())
  expect(parts).toEqual([false, false, false, false])
  chain.links = [link('proof', 'broken', { reason: null, expected: value, got: null })]
  const shown = [...chain.shadowRoot!.querySelectorAll('dd')].map((one) => one.checkVisibility())
  expect(shown).toEqual([true, false])
})

it('takes what it is told for text', () => {
  const chain = make([link('proof', 'verified', { text: '<b>bold</b>' })])
  expect(inside(chain, '.text').textContent).toBe('<b>bold</b>')
  expect(chain.shadowRoot!.querySelector('b')).toBeNull()
})

it('has no inline style, in a page that forbids them', () => {
  const chain = make(broken)
  expect(refused).toEqual([])
  expect(chain.shadowRoot!.querySelectorAll('[style], style, link')).toHaveLength(0)
  expect(getComputedStyle(inside(chain, 'ol')).listStyleType).toBe('none')
})
