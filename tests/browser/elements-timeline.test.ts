/** `<worker-timeline>` in Chromium: what is drawn, what keys and the pointer do, and what screen readers are told. */
import type { ScrubDetail, TimelineSpan, TimelineStage } from 'blobcheck/elements'
import 'blobcheck/elements/worker-timeline'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  canvasOf,
  doubleText,
  drawn,
  forbidInlineStyles,
  inside,
  pixels,
  place,
  press,
} from '../support/elements.ts'

const STAGES: readonly TimelineStage[] = [
  ...(['fetch', 'parse', 'anchor', 'check', 'signature'] as const),
  ...(['cache', 'queue', 'kzg', 'close'] as const),
]

let refused: readonly string[]
beforeAll(() => {
  refused = forbidInlineStyles()
})

const span = (stage: TimelineStage, worker: number | null, start: number, end: number): TimelineSpan => ({
  ...{ stage, worker, start, end },
  items: [{ call: 0, item: 0 }],
})

/** Ten milliseconds are fetched, then two workers compute. */
const spans = [span('fetch', null, 100, 110), span('check', 0, 110, 120), span('kzg', 1, 115, 200)]

function make(list: readonly TimelineSpan[], workers = 2): HTMLElementTagNameMap['worker-timeline'] {
  const timeline = place('worker-timeline', 400)
  timeline.workers = workers
  for (const one of list) timeline.add(one)
  return timeline
}

function scrubs(timeline: HTMLElement): ScrubDetail[] {
  const seen: ScrubDetail[] = []
  const listen = ({ detail }: CustomEvent<ScrubDetail>): number => seen.push(detail)
  const { parentElement } = timeline
  parentElement!.addEventListener('scrub', listen)
  onTestFinished(() => parentElement!.removeEventListener('scrub', listen))
  return seen
}

describe('spans', () => {
  it('are kept in order, and taken away', () => {
    const timeline = make(spans)
    expect(timeline.spans).toEqual(spans)
    timeline.clear()
    expect(timeline.spans).toEqual([])
    expect(timeline.workers).toBe(2)
  })

  it.each([
    [span('kzg', -1, 0, 1), RangeError],
    [span('kzg', 0.5, 0, 1), RangeError],
    [span('kzg', 2000, 0, 1), RangeError],
    [span('kzg', 0, 2, 1), RangeError],
    [span('kzg', 0, NaN, 1), RangeError],
    [span('kzg', 0, 0, Infinity), RangeError],
    [span('kzg', 0, -1.7e308, 1.7e308), RangeError],
    [span('kzg', 0, '0' as unknown as number, 1), RangeError],
    [span('other' as TimelineStage, 0, 0, 1), TypeError],
    [{ stage: 'fetch', worker: null, start: 0, end: 1 } as unknown as TimelineSpan, TypeError],
    [{ ...span('fetch', null, 0, 1), items: null as unknown as [] }, TypeError],
  ])('are refused where they cannot be: %o', (bad, error) => {
    const timeline = make([])
    expect(() => timeline.add(bad)).toThrow(error)
    expect(timeline.spans).toEqual([])
  })

  it.each([-1, 1.5, 1025, NaN])('have no %d workers', (workers) => {
    const timeline = make([])
    expect(() => (timeline.workers = workers)).toThrow(RangeError)
    expect(timeline.workers).toBe(2)
  })

  it('are refused where no number says how long all of them took', () => {
    const timeline = make([span('kzg', 0, 0, 1.7e308)])
    expect(() => timeline.add(span('kzg', 0, -1.7e308, -1.6e308))).toThrow(RangeError)
    expect(timeline.spans).toHaveLength(1)
    timeline.clear()
    timeline.add(span('kzg', 0, -1.7e308, -1.6e308))
    expect(timeline.spans).toHaveLength(1)
  })

  it('have workers in digits, too, and none where a framework assigns nothing', () => {
    const timeline = make([])
    timeline.workers = '3'
    expect(timeline.workers).toBe(3)
    timeline.workers = undefined
    expect(timeline.workers).toBe(0)
    timeline.workers = '4'
    timeline.workers = null
    expect([timeline.workers, timeline.getAttribute('workers')]).toEqual([0, '0'])
    for (const text of ['many', '', '1025']) expect(() => (timeline.workers = text)).toThrow(RangeError)
  })

  it('are kept up to 10,000, and the oldest go', async () => {
    const timeline = make([])
    const all = Array.from({ length: 25_500 }, (_, at) => span('kzg', at % 2, at, at + 1))
    // In a lane of their own, which goes with them.
    for (const one of [span('fetch', 5, 0, 1), ...all.slice(0, 9_999)]) timeline.add(one)
    press(timeline, 'End')
    timeline.add(all[9_999]!)
    await drawn()
    const { spans } = timeline
    expect([spans.length, spans[0], spans.at(-1)]).toEqual([9_001, all[999], all[9_999]])
    expect(canvasOf(timeline).height).toBe(Math.round((3 * 22 + 18) * devicePixelRatio))
    // The line is where it was: at the end of what was there before.
    expect(inside(timeline, '[part=readout]').textContent).toContain('9000 ms: worker 0 kzg')
    for (const one of all.slice(10_000)) timeline.add(one)
    const later = timeline.spans
    expect([later.length, later[0], later.at(-1)]).toEqual([9_501, all[15_999], all[25_499]])
    await drawn()
    const slider = inside(timeline, '[role=slider]')
    expect(slider.getAttribute('aria-valuemax')).toBe('9501')
    expect(slider.getAttribute('aria-valuenow')).toBe('0')
  })

  it('are said to be the newest where others went', async () => {
    const timeline = make([])
    const readout = inside(timeline, '[part=readout]')
    for (let at = 0; at <= 10_000; at++) timeline.add(span('kzg', 0, at, at + 1))
    await drawn()
    expect(readout.textContent).toContain('The newest 9001 steps in 9001 ms.')
    timeline.clear()
    timeline.add(span('kzg', 0, 0, 1))
    await drawn()
    expect(readout.textContent).toContain('1 step in 1 ms.')
    expect(readout.textContent).not.toContain('newest')
  })

  it('have as many lanes as the attribute says, and more where they want them', async () => {
    const timeline = make([], 0)
    timeline.setAttribute('workers', '1')
    expect(timeline.workers).toBe(1)
    await drawn()
    const before = canvasOf(timeline).height
    timeline.add(span('kzg', 3, 0, 1))
    await drawn()
    expect(canvasOf(timeline).height).toBe(before + 3 * Math.round(22 * devicePixelRatio))
    timeline.setAttribute('workers', 'many')
    expect(timeline.workers).toBe(0)
  })

  it('that overlap in the lane of this thread get rows', async () => {
    const timeline = make([span('queue', null, 0, 10)])
    await drawn()
    const before = canvasOf(timeline).height
    timeline.add(span('queue', null, 5, 15))
    await drawn()
    expect(canvasOf(timeline).height).toBeGreaterThan(before)
  })
})

describe('the line', () => {
  it('is moved by keys, and tells what was under way', () => {
    const timeline = make(spans)
    const seen = scrubs(timeline)
    const keys = ['Home', 'PageUp', 'PageUp', 'ArrowRight', 'ArrowLeft', 'PageDown', 'ArrowUp', 'ArrowDown']
    for (const key of [...keys, 'End', 'ArrowRight']) expect(press(timeline, key)).toBe(true)
    expect(seen.map(({ ms }) => ms)).toEqual([0, 10, 20, 21, 20, 10, 11, 10, 100, 100])
    expect(seen[0]!.spans).toEqual([spans[0]])
    expect(seen[2]!.spans).toEqual([spans[1], spans[2]])
    expect(seen.at(-1)!.spans).toEqual([spans[2]])
  })

  it('leaves other keys to the page, and all keys where there are no spans', () => {
    const timeline = make(spans)
    const seen = scrubs(timeline)
    expect(press(timeline, 'Tab')).toBe(false)
    expect(press(timeline, 'ArrowRight', { altKey: true })).toBe(false)
    timeline.clear()
    expect(press(timeline, 'ArrowRight')).toBe(false)
    expect(seen).toEqual([])
  })

  it('stays at what it was at when a span is added that began before all others', async () => {
    const timeline = make([span('kzg', 0, 50, 60)])
    const seen = scrubs(timeline)
    press(timeline, 'Home')
    timeline.add(span('queue', null, 0, 70))
    await drawn()
    expect(inside(timeline, '[part=readout]').textContent).toBe(
      '50 ms: worker 0 kzg (1 item), this thread queue (1 item)',
    )
    press(timeline, 'ArrowRight')
    expect(seen.map(({ ms }) => ms)).toEqual([0, 50.7])
  })

  it('is within what there is, though times are rounded', () => {
    // 0.3 + (0.9 − 0.3) is more than 0.9.
    const last = span('kzg', 0, 0.5, 0.9)
    const timeline = make([span('check', 0, 0.3, 0.4), last])
    const seen = scrubs(timeline)
    press(timeline, 'End')
    expect(seen[0]!.spans).toEqual([last])
  })

  it('goes where the pointer presses', async () => {
    const timeline = make(spans)
    await drawn()
    const seen = scrubs(timeline)
    const canvas = canvasOf(timeline)
    const { width } = canvas.getBoundingClientRect()
    await userEvent.click(page.getByRole('slider'), { position: { x: 58 + (width - 60) / 2, y: 20 } })
    expect(seen).toHaveLength(1)
    expect(seen[0]!.ms).toBeCloseTo(50, 0)
    expect(seen[0]!.spans).toEqual([spans[2]])
  })

  it('is told to screen readers', async () => {
    const timeline = make(spans)
    await drawn()
    const slider = page.getByRole('slider', { name: 'Time', exact: true }).elements()
    expect(slider).toHaveLength(1)
    expect(slider[0]!.getAttribute('aria-valuetext')).toBe('3 steps in 100 ms. Drag, or use the arrow keys.')
    press(timeline, 'Home')
    press(timeline, 'PageUp')
    expect(slider[0]!.getAttribute('aria-valuemax')).toBe('100')
    expect(slider[0]!.getAttribute('aria-valuenow')).toBe('10')
    expect(slider[0]!.getAttribute('aria-valuetext')).toBe(
      '10 ms: this thread fetch (1 item), worker 0 check (1 item)',
    )
    expect(inside(timeline, '[part=readout]').textContent).toContain('worker 0 check')
  })

  it('names eight steps, and counts the rest', async () => {
    const timeline = make(Array.from({ length: 500 }, (_, worker) => span('kzg', worker, 0, 10)))
    const seen = scrubs(timeline)
    press(timeline, 'Home')
    const text = inside(timeline, '[role=slider]').getAttribute('aria-valuetext')
    expect(text).toMatch(/^0 ms: worker 0 kzg \(1 item\), .*worker 7 kzg \(1 item\), 492 more$/)
    expect(seen[0]!.spans).toHaveLength(500)
  })

  it('is told in lines that can be read as a whole, and moves nothing below it', async () => {
    const timeline = make(Array.from({ length: 8 }, (_, worker) => span('kzg', worker, 0, 10)))
    const line = inside(timeline, '[part=readout]')
    const legend = inside(timeline, '[part=legend]')
    await drawn()
    const top = legend.getBoundingClientRect().top
    press(timeline, 'Home')
    expect(line.textContent).toContain('worker 7 kzg')
    const words = document.createRange()
    words.selectNodeContents(line)
    const { right, bottom } = words.getBoundingClientRect()
    const box = line.getBoundingClientRect()
    expect([right <= box.right + 0.5, bottom <= box.bottom + 0.5]).toEqual([true, true])
    expect(getComputedStyle(line).textOverflow).toBe('clip')
    expect(legend.getBoundingClientRect().top).toBe(top)
  })

  it('is nowhere where there are no spans', () => {
    const timeline = make([])
    const slider = inside(timeline, '[role=slider]')
    expect(slider.getAttribute('aria-valuetext')).toBe('No steps yet.')
    expect(slider.getAttribute('aria-disabled')).toBe('true')
  })
})

describe('the drawing', () => {
  it('has a pattern for each stage, also without colour', async () => {
    const timeline = make(
      STAGES.map((stage, worker) => span(stage, worker, 0, 100)),
      STAGES.length,
    )
    timeline.style.setProperty('--blobcheck-paper', '#fff')
    await drawn()
    const canvas = canvasOf(timeline)
    const [left, lane] = [Math.round(100 * devicePixelRatio), 22 * devicePixelRatio]
    const shapes = STAGES.map(
      (_, worker) =>
        pixels(canvas, {
          x: left,
          y: Math.round((worker + 1) * lane + devicePixelRatio),
          width: Math.round(60 * devicePixelRatio),
          height: Math.round(16 * devicePixelRatio),
        }).shape,
    )
    expect(STAGES.map((stage, at) => [stage, STAGES[shapes.indexOf(shapes[at]!)]])).toEqual(
      STAGES.map((stage) => [stage, stage]),
    )
    for (const shape of shapes) expect(shape).toContain('#')
  })

  it('has the same names of lanes and times in a page that is read from right to left', async () => {
    const [one, other] = [make(spans), make(spans)]
    other.dir = 'rtl'
    await drawn()
    const [picture, same] = [one, other].map((timeline) => {
      const canvas = canvasOf(timeline)
      return pixels(canvas, { x: 0, y: 0, width: canvas.width, height: canvas.height }).shape
    })
    expect(same === picture).toBe(true)
    // Text that begins with a number would have it at its end.
    expect(getComputedStyle(inside(other, '[part=readout]')).direction).toBe('ltr')
  })

  it('grows with the text around it, and is pressed where it shows', async () => {
    const timeline = make(spans)
    await drawn()
    const [before, canvas] = [canvasOf(timeline).height, canvasOf(timeline)]
    const labels = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText')
    onTestFinished(() => void vi.restoreAllMocks())
    doubleText()
    await vi.waitFor(() => expect(Math.abs(canvas.height - 2 * before)).toBeLessThanOrEqual(1))
    expect(labels.mock.calls[0]![0]).toBe('this thread')
    expect((labels.mock.contexts[0] as CanvasRenderingContext2D).font).toContain(`${22 * devicePixelRatio}px`)
    const seen = scrubs(timeline)
    const { width } = canvas.getBoundingClientRect()
    await userEvent.click(page.getByRole('slider'), { position: { x: 116 + (width - 120) / 2, y: 40 } })
    expect(seen[0]!.ms).toBeCloseTo(50, 0)
  })

  it.each([
    ['the least', Number.MIN_VALUE],
    ['the most', Number.MAX_VALUE],
  ])('comes to an end where all spans took %s that a number says', async (_, end) => {
    const timeline = make([span('kzg', 0, 0, end)])
    await drawn()
    expect(inside(timeline, '[part=readout]').textContent).toContain('1 step in')
    press(timeline, 'End')
    await drawn()
    expect(inside(timeline, '[part=readout]').textContent).toContain('worker 0 kzg')
  })

  it('has a legend of the stages that there are', async () => {
    const timeline = make(spans)
    await drawn()
    const shown = [...timeline.shadowRoot!.querySelectorAll('.legend li')].filter((item) =>
      item.checkVisibility(),
    )
    expect(shown.map(({ textContent }) => textContent)).toEqual(['fetch', 'check', 'kzg'])
  })

  it('is made once in a frame, however many spans come', async () => {
    const timeline = make([])
    await drawn()
    const frames = vi.spyOn(globalThis, 'requestAnimationFrame')
    onTestFinished(() => void vi.restoreAllMocks())
    for (let at = 0; at < 5_000; at++) timeline.add(span('check', at % 2, at, at + 1))
    expect(frames).toHaveBeenCalledTimes(1)
    await drawn()
    expect(inside(timeline, '[part=readout]').textContent).toContain('5000 steps in 5000 ms')
  })

  it('has no more boxes than pixels, however many spans there are', async () => {
    const timeline = make([])
    await drawn()
    const boxes = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillRect')
    const patterns = vi.spyOn(CanvasRenderingContext2D.prototype, 'clip')
    onTestFinished(() => void vi.restoreAllMocks())
    // All workers at one thing, and two that change it.
    for (let at = 0; at < 9_000; at++) timeline.add(span('check', at % 2, at, at + 1))
    await drawn()
    expect(boxes.mock.calls.length).toBeLessThan(50)
    expect(patterns).toHaveBeenCalledTimes(2)
    boxes.mockClear()
    patterns.mockClear()
    timeline.clear()
    for (let at = 0; at < 9_000; at++) timeline.add(span(STAGES[at % 9]!, 0, at, at + 1))
    await drawn()
    expect(boxes.mock.calls.length).toBeLessThanOrEqual(canvasOf(timeline).width)
    expect(patterns).not.toHaveBeenCalled()
  })
})

it('has no inline style, in a page that forbids them', async () => {
  const timeline = make(spans)
  await drawn()
  expect(refused).toEqual([])
  expect(timeline.shadowRoot!.querySelectorAll('[style], style, link')).toHaveLength(0)
  expect(getComputedStyle(canvasOf(timeline)).display).toBe('block')
})
