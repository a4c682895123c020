/** `<worker-timeline>`: what each worker of a verifier did, and when. */
import {
  type Count,
  counted,
  countOf,
  ElementBase,
  make,
  mark,
  readCount,
  upgradeProperties,
  write,
} from '../shared/element.ts'
import { adoptStyle, openShadow } from '../shared/palette.ts'
import { type Sheet, Surface } from '../shared/surface.ts'
import { Swatch } from '../shared/swatch.ts'
import { Lanes } from './lanes.ts'
import { paintSpan, STAGES, type TimelineSpan } from './stages.ts'
import { css } from './style.ts'

/** What `scrub` tells. */
export interface ScrubDetail {
  /** Milliseconds since the first span that is kept began. */
  readonly ms: number
  /** The spans that were under way then. */
  readonly spans: readonly TimelineSpan[]
}

/** Sizes in CSS pixels where text has 13 of them, and in proportion where it has more: a lane of one row, a row of a lane of several, the space between lanes, the axis, and the names of the lanes. */
const [LANE, ROW, BETWEEN, AXIS, NAMES] = [18, 10, 4, 18, 58]

/** More than any device has; what is larger is a mistake. */
const MOST = 1024

/** More spans than the first are not kept: of these, the oldest go, as many as the second says, so that this is seldom. */
const [MOST_SPANS, AT_ONCE] = [10_000, 1_000]

/** What is under way is named in words up to here, and counted beyond. */
const MOST_NAMED = 8

/**
 * `<worker-timeline workers="4">`: a lane for each worker, and one for the steps of the calling thread, where spans are drawn by the
 * milliseconds they took. Stages differ by colour and by pattern. The pointer and the keys of a slider move a line through time, and `scrub`
 * tells what was under way then. The newest spans are kept, at most 10,000: of more, the 1,000 that were added first are taken away.
 *
 * @example
 * ```ts browser
 * import 'blobcheck/elements/worker-timeline'
 * import { createVerifier } from 'blobcheck'
 *
 * const timeline = document.createElement('worker-timeline')
 * document.body.append(timeline)
 * const verifier = await createVerifier({ onTrace: (span) => timeline.add(span) })
 * timeline.workers = verifier.workers
 * timeline.addEventListener('scrub', ({ detail }) => {
 *   for (const { stage, worker } of detail.spans) console.log(`${detail.ms} ms: ${stage} on ${worker}`)
 * })
 * await verifier.verifyBlobs([{ blob, commitment, proof }])
 * console.log(timeline.spans.some(({ stage }) => stage === 'kzg')) // true
 * timeline.focus() // its keys move the line
 * timeline.clear()
 * ```
 */
export class WorkerTimelineElement extends ElementBase {
  /** The attribute that is a property, too. */
  static readonly observedAttributes: readonly string[] = ['workers']

  #workers = 0
  #spans: TimelineSpan[] = []
  /** When the first span began, and the last one ended. */
  #start = Infinity
  #end = -Infinity
  #lanes = new Lanes()
  /** Whether older spans were taken away. */
  #isCut = false
  /** Where the line is, in milliseconds since the first span began. */
  #ms: number | null = null
  readonly #surface: Surface
  readonly #slider = make('div', { role: 'slider', tabindex: '0', part: 'slider', 'aria-label': 'Time' })
  readonly #line = make('p', { class: 'line', part: 'readout' })
  readonly #legend: readonly (readonly [HTMLElement, Swatch])[]

  constructor() {
    super()
    this.#surface = new Surface({
      height: (_, ratio) =>
        ratio *
        this.#scale *
        this.#lanes.all(this.#workers).reduce((sum, { rows }) => sum + heightOf(rows) + BETWEEN, AXIS),
      paint: (sheet) => this.#paint(sheet),
    })
    this.#legend = STAGES.map((stage) => {
      const swatch = new Swatch('swatch', 22, 12, (pen, colours, width, height) =>
        paintSpan(pen, stage, colours, [0, 0, width, height]),
      )
      return [make('li', {}, swatch.canvas, stage), swatch]
    })
    this.#slider.append(this.#surface.canvas)
    const items = this.#legend.map(([item]) => item)
    openShadow(
      this,
      css,
      this.#surface.measure,
      this.#slider,
      this.#line,
      make('ul', { class: 'legend', part: 'legend', 'aria-label': 'Stages' }, ...items),
    )
    this.#slider.addEventListener('keydown', (event) => this.#onKey(event))
    this.#followPointer()
    this.#tell()
  }

  /** How many workers have a lane, 0 by default; a span of another one adds lanes. Digits count, too, and null and undefined are the default. RangeError where it is no number from 0 to 1024. */
  get workers(): number {
    return this.#workers
  }
  set workers(workers: Count) {
    this.#workers = readCount('workers', workers ?? 0, 0, MOST)
    this.#surface.redraw()
    mark(this, 'workers', `${this.#workers}`)
  }

  /** The spans that are kept, the newest 10,000 at most, in the order in which they were added. */
  get spans(): readonly TimelineSpan[] {
    return [...this.#spans]
  }

  /**
   * Adds a span; the canvas shows it in the next frame. Where there are 10,000 already, the 1,000 that were added first are taken away, as if
   * they had never been there. RangeError for a worker or times that cannot be, and where no number says how far
   * the times of all spans are apart. TypeError for a stage that there is not, and for items that are no array.
   */
  add(span: TimelineSpan): void {
    const { stage, items, worker, start, end } = span
    if (!STAGES.includes(stage)) throw new TypeError(`there is no stage ${String(stage)}`)
    if (!Array.isArray(items)) throw new TypeError('the items of a span are an array')
    if (worker !== null && (!Number.isInteger(worker) || worker < 0 || worker >= MOST))
      throw new RangeError(`a worker is null or a number below ${MOST}, not ${String(worker)}`)
    if (!Number.isFinite(start) || !Number.isFinite(end) || end < start)
      throw new RangeError(`a span ends after its start: ${String(start)} to ${String(end)}`)
    const [first, last] = [Math.min(this.#start, start), Math.max(this.#end, end)]
    if (last - first === Infinity)
      throw new RangeError(`no number says how long all spans take: ${first} to ${last}`)
    this.#start = first
    this.#end = last
    this.#spans.push(span)
    this.#lanes.add(span)
    if (this.#spans.length > MOST_SPANS) this.#forget()
    this.#surface.redraw()
  }

  /** Takes all spans away; the workers keep their lanes. */
  clear(): void {
    this.#spans = []
    this.#start = Infinity
    this.#end = -Infinity
    this.#ms = null
    this.#isCut = false
    this.#lanes = new Lanes()
    this.#surface.redraw()
    this.#tell()
  }

  /** Gives the focus to what takes the keyboard: the line. */
  override focus(options?: FocusOptions): void {
    this.#slider.focus(options)
  }

  /** Called by the page: the attribute has another value. One that is no number in range counts as 0. */
  attributeChangedCallback(_: string, __: string | null, text: string | null): void {
    this.#workers = countOf(text, 0, MOST) ?? 0
    this.#surface.redraw()
  }

  /** Called by the page: the element is in a document. */
  connectedCallback(): void {
    adoptStyle(this, css)
    this.#surface.join()
    // Last: it throws where one is wrong, and the element is there all the same.
    upgradeProperties(this, ['workers'])
  }

  /** Called by the page: the element was taken out. */
  disconnectedCallback(): void {
    this.#surface.leave()
  }

  /** Takes the oldest spans away. The line stays where it is in time, as far as that is still there. */
  #forget(): void {
    const line = this.#start + (this.#ms ?? 0)
    this.#spans = this.#spans.slice(AT_ONCE)
    this.#isCut = true
    this.#lanes = new Lanes()
    this.#start = Infinity
    this.#end = -Infinity
    for (const span of this.#spans) {
      this.#start = Math.min(this.#start, span.start)
      this.#end = Math.max(this.#end, span.end)
      this.#lanes.add(span)
    }
    if (this.#ms !== null) this.#ms = Math.min(this.#duration, Math.max(0, line - this.#start))
  }

  /** What the sizes above are multiplied by: the drawing grows with the text around it. */
  get #scale(): number {
    return Number.parseFloat(getComputedStyle(this).fontSize) / 13
  }

  get #duration(): number {
    return this.#spans.length === 0 ? 0 : this.#end - this.#start
  }

  #paint({ pen, width, height, ratio: pixel, colours }: Sheet): void {
    const ratio = pixel * this.#scale
    const left = NAMES * ratio
    const room = Math.max(1, width - left - 2 * ratio)
    const xOf = (ms: number): number => left + (this.#duration === 0 ? 0 : (ms / this.#duration) * room)
    const { fontFamily } = getComputedStyle(this)
    pen.font = `${11 * ratio}px ${fontFamily}`
    pen.textBaseline = 'middle'
    let top = 0
    for (const [at, lane] of this.#lanes.all(this.#workers).entries()) {
      const tall = heightOf(lane.rows)
      const [y, below] = [top * ratio, (top + tall) * ratio]
      pen.fillStyle = colours.soft
      pen.fillText(at === 0 ? 'this thread' : `worker ${at - 1}`, 0, (y + below) / 2, left - 4 * ratio)
      pen.fillStyle = colours.rule
      pen.fillRect(left, Math.round(below), room, Math.max(1, Math.round(ratio / 2)))
      const high = Math.round(((lane.rows === 1 ? LANE : ROW) - 2) * ratio)
      for (const { stage, row, from, to } of lane.boxes(
        (time) => xOf(time - this.#start),
        width,
        Math.ceil(ratio),
      ))
        paintSpan(pen, stage, colours, [from, Math.round((top + row * ROW + 1) * ratio), to - from, high])
      top += tall + BETWEEN
    }
    if (this.#duration > 0) this.#paintAxis(pen, xOf, room, height, ratio, colours.soft)
    if (this.#ms !== null) {
      pen.fillStyle = colours.ink
      const x = Math.round(xOf(this.#ms))
      pen.fillRect(x - ratio, 0, Math.max(1, Math.round(1.5 * ratio)), height - (AXIS - 4) * ratio)
    }
    for (const [, swatch] of this.#legend) swatch.paint(colours)
    this.#tell()
  }

  #paintAxis(
    pen: CanvasRenderingContext2D,
    xOf: (ms: number) => number,
    room: number,
    height: number,
    ratio: number,
    colour: string,
  ): void {
    const step = niceStep((this.#duration * 60 * ratio) / room)
    pen.fillStyle = colour
    const end = xOf(this.#duration)
    let free = 0
    // For the shortest and the longest times there is no such step.
    for (let ms = 0; ms <= this.#duration && ms + step > ms; ms += step) {
      const text = `${Number(ms.toPrecision(6))} ms`
      const x = Math.round(xOf(ms))
      pen.fillRect(x, height - AXIS * ratio, Math.max(1, Math.round(ratio / 2)), 4 * ratio)
      const length = pen.measureText(text).width
      const from = Math.min(x, end - length)
      if (from < free) continue
      pen.fillText(text, from, height - (AXIS / 2 - 3) * ratio)
      free = from + length + 6 * ratio
    }
  }

  #at(ms: number): TimelineSpan[] {
    const time = this.#start + ms
    return this.#spans.filter(({ start, end }) => start <= time && time <= end)
  }

  #tell(): void {
    const stages = new Set(this.#spans.map(({ stage }) => stage))
    for (const [at, [item]] of this.#legend.entries()) item.hidden = !stages.has(STAGES[at]!)
    mark(this.#slider, 'aria-valuemin', '0')
    mark(this.#slider, 'aria-valuemax', `${round(this.#duration)}`)
    mark(this.#slider, 'aria-valuenow', `${round(this.#ms ?? 0)}`)
    mark(this.#slider, 'aria-disabled', `${this.#spans.length === 0}`)
    const text = this.#inWords()
    mark(this.#slider, 'aria-valuetext', text)
    write(this.#line, text)
  }

  #inWords(): string {
    if (this.#spans.length === 0) return 'No steps yet.'
    if (this.#ms === null)
      return `${this.#isCut ? 'The newest ' : ''}${counted(this.#spans.length, 'step')} in ${round(this.#duration)} ms. Drag, or use the arrow keys.`
    const spans = this.#at(this.#ms)
    const words = spans.slice(0, MOST_NAMED).map(({ stage, worker, items }) => {
      const of = items.length === 0 ? '' : ` (${counted(items.length, 'item')})`
      return `${worker === null ? 'this thread' : `worker ${worker}`} ${stage}${of}`
    })
    if (spans.length > MOST_NAMED) words.push(`${spans.length - MOST_NAMED} more`)
    return `${round(this.#ms)} ms: ${spans.length === 0 ? 'nothing' : words.join(', ')}`
  }

  #scrub(ms: number): void {
    if (this.#spans.length === 0) return
    this.#ms = Math.min(this.#duration, Math.max(0, ms))
    this.#surface.redraw()
    this.#tell()
    const detail: ScrubDetail = { ms: this.#ms, spans: this.#at(this.#ms) }
    this.dispatchEvent(new CustomEvent('scrub', { detail, bubbles: true, composed: true }))
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey || event.ctrlKey) return
    const [now, whole] = [this.#ms ?? 0, this.#duration]
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: now - whole / 100,
      ArrowDown: now - whole / 100,
      ArrowRight: now + whole / 100,
      ArrowUp: now + whole / 100,
      PageDown: now - whole / 10,
      PageUp: now + whole / 10,
      Home: 0,
      End: whole,
    }
    const place = Object.hasOwn(places, event.key) ? places[event.key] : undefined
    if (place === undefined || this.#spans.length === 0) return
    event.preventDefault()
    this.#scrub(place)
  }

  #followPointer(): void {
    const { canvas } = this.#surface
    const scrub = (event: PointerEvent): void => {
      const { width } = canvas.getBoundingClientRect()
      const x = (this.#surface.placeOf(event).x / canvas.width) * width
      const [left, right] = [NAMES * this.#scale, 2 * this.#scale]
      this.#scrub(((x - left) / Math.max(1, width - left - right)) * this.#duration)
    }
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return
      canvas.setPointerCapture(event.pointerId)
      scrub(event)
    })
    canvas.addEventListener('pointermove', (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) scrub(event)
    })
  }
}

const heightOf = (rows: number): number => (rows === 1 ? LANE : rows * ROW)

const round = (ms: number): number => Number(ms.toFixed(1))

/** The next number of the form 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least)!
}
