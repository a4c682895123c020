/** The live view as a function: what is known, in lines of a terminal, exactly. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterEvent,
  type CellState,
  countOf,
  type Sampling,
  unsampled,
  viewLines,
} from '../../dist/cli/sample/live-view.js'
import { ansiStyle, unstyled } from '../../dist/cli/terminal/output.js'
import { widthOfText } from '../../dist/cli/terminal/text.js'

type Event = Parameters<typeof afterEvent>[1]

const a = 'https://a.example'
const b = 'https://b.example:5052'
const fetched = (column: number, endpoint: string): Event => ({
  kind: 'fetched',
  column,
  endpoint,
  bytes: 25_000,
})
const outcome = (index: number, reason: 'false' | 'not-delivered' | null): Event => ({
  kind: 'column',
  outcome: {
    index,
    reason,
    status: reason === null ? 'verified' : 'missing',
    added: false,
    source: reason === null ? a : null,
    attempts: [],
  },
})

const events: readonly Event[] = [
  { kind: 'block', slot: 1_409_759, root: `0x${'ab'.repeat(32)}`, blobs: 6 },
  { kind: 'chosen', columns: [0, 1, 5, 17, 31, 32, 40, 77, 127], added: false },
  fetched(0, a),
  fetched(1, b),
  fetched(5, b),
  fetched(17, a),
  outcome(0, null),
  outcome(1, null),
  { kind: 'refused', column: 5, endpoint: b, reason: 'proof-mismatch' },
  outcome(32, 'not-delivered'),
  { kind: 'chosen', columns: [90, 91], added: true },
]
const after = (list: readonly Event[]): Sampling => list.reduce(afterEvent, unsampled)
const frame = (width: number, sampling = after(events)): string[] =>
  viewLines({ sampling, label: null, elapsedMs: 2_000, maxError: 2 ** -30, width, styled: unstyled })

describe('the picture', () => {
  it('in 80 columns, to the character', () => {
    expect(frame(80)).toEqual([
      'slot 1409759, 6 blobs, 0xabababab…ababab (2.0 s)',
      '   0  ██···!·· ········ ·▒······ ·······… ✗······· …······· ········ ········',
      '  64  ········ ·····…·· ········ ··……···· ········ ········ ········ ·······…',
      '  · 117 not chosen  … 6 chosen  ▒ 1 delivered  █ 2 verified  ✗ 1 missing',
      '  ! 1 refused',
      '  aim: 1 − 2⁻³⁰ (1 in 1,073,741,824), once all 11 chosen columns are verified',
      '  https://a.example  2 columns, 50 KB, 25 KB/s',
      '  https://b.example:5052  2 columns, 50 KB, 25 KB/s, 1 refused',
    ])
  })

  it('in 60 columns, to the character', () => {
    expect(frame(60)).toEqual([
      'slot 1409759, 6 blobs, 0xabababab…ababab (2.0 s)',
      '   0  ██···!·· ········ ·▒······ ·······…',
      '  32  ✗······· …······· ········ ········',
      '  64  ········ ·····…·· ········ ··……····',
      '  96  ········ ········ ········ ·······…',
      '  · 117 not chosen  … 6 chosen  ▒ 1 delivered  █ 2 verified',
      '  ✗ 1 missing  ! 1 refused',
      '  aim: 1 − 2⁻³⁰ (1 in 1,073,741,824), once all 11 chosen co…',
      '  https://a.example  2 columns, 50 KB, 25 KB/s',
      '  https://b.example:5…  2 columns, 50 KB, 25 KB/s, 1 refused',
    ])
  })

  it('before anything is known', () => {
    expect(frame(60, unsampled)).toEqual([
      'looking for the block (2.0 s)',
      '   0  ········ ········ ········ ········',
      '  32  ········ ········ ········ ········',
      '  64  ········ ········ ········ ········',
      '  96  ········ ········ ········ ········',
      '  · 128 not chosen  … 0 chosen  ▒ 0 delivered  █ 0 verified',
      '  ✗ 0 missing  ! 0 refused',
      '  aim: 1 − 2⁻³⁰ (1 in 1,073,741,824), once all chosen colum…',
    ])
  })

  it('says the same with colours and without', () => {
    const sampling = after(events)
    const painted = viewLines({
      sampling,
      label: null,
      elapsedMs: 2_000,
      maxError: 2 ** -30,
      width: 80,
      styled: ansiStyle,
    })
    expect(painted.join('\n')).toContain('\u001b[32m██\u001b[39m\u001b[2m···\u001b[22m\u001b[31m!\u001b[39m')
    expect(painted.map((line) => line.replace(/\u001b\[\d+m/g, ''))).toEqual(frame(80))
  })

  it('says in its first line what is taken on trust', () => {
    const sampling = after(events)
    const [title] = viewLines({
      ...{ sampling, label: 'recorded block', elapsedMs: 0, maxError: 2 ** -30, width: 80, styled: unstyled },
    })
    expect(title).toBe('slot 1409759 [recorded block], 6 blobs, 0xabababab…ababab (0 ms)')
  })

  it('lets no control character of an endpoint through', () => {
    const hostile = 'https://\u001b[2J\u202e\u009bevil'
    const lines = frame(80, after([...events, fetched(31, hostile)]))
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  const states = fc.constantFrom<CellState>(
    'unchosen',
    'chosen',
    'delivered',
    'verified',
    'missing',
    'refused',
  )
  it('fits any width from 20 on, and shows each cell once', () => {
    const cells = fc.array(states, { minLength: 128, maxLength: 128 })
    const names = fc.uniqueArray(fc.string({ maxLength: 80 }), { maxLength: 16 })
    fc.assert(
      fc.property(cells, names, fc.integer({ min: 20, max: 200 }), (cells, names, width) => {
        const endpoints = new Map(
          names.map((name) => [name, { columns: 128, refused: 64, bytes: 3_000_000 }]),
        )
        const block = { slot: 2 ** 40, root: `0x${'f'.repeat(64)}`, blobs: 72 }
        const lines = frame(width, { block, cells, endpoints })
        for (const line of lines) expect(widthOfText(line)).toBeLessThanOrEqual(width)
        const signs = lines
          .filter((line) => /^ {1,3}\d+ {2}[·…▒█✗! ]+$/.test(line))
          .map((line) => line.slice(6).replaceAll(' ', ''))
          .join('')
        const sign = { unchosen: '·', chosen: '…', delivered: '▒', verified: '█', missing: '✗', refused: '!' }
        expect(signs).toBe(cells.map((state) => sign[state]).join(''))
      }),
    )
  })
})

describe('what is known', () => {
  it('changes by events alone, and leaves what was known before as it was', () => {
    const before = after(events)
    const copy = structuredClone(before)
    expect(afterEvent(before, fetched(5, a)).cells[5]).toBe('delivered')
    expect(afterEvent(before, outcome(5, 'false')).cells[5]).toBe('refused')
    expect(afterEvent(before, outcome(5, 'not-delivered')).cells[5]).toBe('missing')
    expect(before).toEqual(copy)
    expect(countOf(before, 'chosen')).toBe(6)
    expect(countOf(unsampled, 'unchosen')).toBe(128)
  })
})
