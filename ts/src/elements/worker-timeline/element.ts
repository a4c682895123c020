/** `<worker-timeline>`: what each worker of a verifier did, and when. */
import {
  type Count,
  countOf,
  ElementBase,
  ENGLISH,
  make,
  mark,
  name,
  readCount,
  upgradeProperties,
  write,
} from '../shared/element.ts'
import { adoptStyle, openShadow } from '../shared/palette.ts'
import { Surface } from '../shared/surface.ts'
import { Swatch } from '../shared/swatch.ts'
import { Drawing, type Shown } from './drawing.ts'
import { msAfter } from './keys.ts'
import { MOST_WORKERS, Spans } from './spans.ts'
import { paintSpan, STAGES, type TimelineSpan } from './stages.ts'
import { css } from './style.ts'
import { inWords, rounded } from './words.ts'

/** What `scrub` tells. */
export interface ScrubDetail {
  /** Milliseconds since the first span that is kept began. */
  readonly ms: number
  /** The spans that were under way then. */
  readonly spans: readonly TimelineSpan[]
}

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
  /** The attribute that is a property, too, and the name that a page gives it. */
  static readonly observedAttributes: readonly string[] = ['workers', 'aria-label']

  #workers = 0
  readonly #spans = new Spans()
  /** The time that the line is at, where it stays when older spans go or are added. */
  #time: number | null = null
  readonly #drawing: Drawing
  readonly #surface: Surface
  readonly #slider = make('div', { role: 'slider', tabindex: '0', part: 'slider' })
  readonly #readout = make('p', { class: 'line', part: 'readout', ...ENGLISH })
  readonly #legend: readonly (readonly [HTMLElement, Swatch])[]

  constructor() {
    super()
    this.#drawing = new Drawing(
      () => this.#shown,
      (colours) => {
        for (const [, swatch] of this.#legend) swatch.paint(colours)
        this.#tell()
      },
    )
    this.#surface = new Surface(this.#drawing)
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
      this.#readout,
      make('ul', { class: 'legend', part: 'legend', 'aria-label': 'Stages', ...ENGLISH }, ...items),
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
    this.#workers = readCount('workers', workers ?? 0, 0, MOST_WORKERS)
    this.#surface.redraw()
    mark(this, 'workers', `${this.#workers}`)
  }

  /** The spans that are kept, the newest 10,000 at most, in the order in which they were added. */
  get spans(): readonly TimelineSpan[] {
    return [...this.#spans.all]
  }

  /**
   * Adds a span; the canvas shows it in the next frame. Where there are 10,000 already, the 1,000 that were added first are taken away, as if
   * they had never been there. RangeError for a worker or times that cannot be, and where no number says how far
   * the times of all spans are apart. TypeError for a stage that there is not, and for items that are no array.
   */
  add(span: TimelineSpan): void {
    this.#spans.add(span)
    this.#surface.redraw()
  }

  /** Takes all spans away; the workers keep their lanes. */
  clear(): void {
    this.#spans.clear()
    this.#time = null
    this.#surface.redraw()
    this.#tell()
  }

  /** Gives the focus to what takes the keyboard: the line. */
  override focus(options?: FocusOptions): void {
    this.#slider.focus(options)
  }

  /** Called by the page: an attribute has another value. Workers that are no number in range count as 0. */
  attributeChangedCallback(): void {
    this.#workers = countOf(this.getAttribute('workers'), 0, MOST_WORKERS) ?? 0
    this.#surface.redraw()
    this.#tell()
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

  get #shown(): Shown {
    const { fontSize, fontFamily } = getComputedStyle(this)
    const font = { size: Number.parseFloat(fontSize), family: fontFamily }
    return { spans: this.#spans, workers: this.#workers, ms: this.#ms, font }
  }

  /** The time of the line, if there is one, within that of the spans that are kept. */
  get #line(): number | null {
    return this.#time === null ? null : this.#spans.within(this.#time)
  }

  /** The same in milliseconds since the first span began. */
  get #ms(): number | null {
    const line = this.#line
    return line === null ? null : line - this.#spans.start
  }

  #tell(): void {
    const spans = this.#spans
    const stages = new Set(spans.all.map(({ stage }) => stage))
    for (const [at, [item]] of this.#legend.entries()) item.hidden = !stages.has(STAGES[at]!)
    name(this.#slider, this, 'Time')
    mark(this.#slider, 'aria-valuemin', '0')
    mark(this.#slider, 'aria-valuemax', `${rounded(spans.duration)}`)
    mark(this.#slider, 'aria-valuenow', `${rounded(this.#ms ?? 0)}`)
    mark(this.#slider, 'aria-disabled', `${spans.all.length === 0}`)
    const text = inWords(spans, this.#line)
    mark(this.#slider, 'aria-valuetext', text)
    write(this.#readout, text)
  }

  #scrub(ms: number): void {
    const spans = this.#spans
    if (spans.all.length === 0) return
    const time = spans.within(spans.start + ms)
    this.#time = time
    this.#surface.redraw()
    this.#tell()
    const detail: ScrubDetail = { ms: time - spans.start, spans: spans.at(time) }
    this.dispatchEvent(new CustomEvent('scrub', { detail, bubbles: true, composed: true }))
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey || event.ctrlKey) return
    const ms = msAfter(event.key, this.#ms ?? 0, this.#spans.duration)
    if (ms === undefined || this.#spans.all.length === 0) return
    event.preventDefault()
    this.#scrub(ms)
  }

  #followPointer(): void {
    const { canvas } = this.#surface
    const scrub = (event: PointerEvent): void => {
      this.#scrub(this.#drawing.partAt(this.#surface.placeOf(event).x) * this.#spans.duration)
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
