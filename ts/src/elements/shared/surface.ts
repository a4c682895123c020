/**
 * A canvas that has as many pixels as the screen gives it, as far as a canvas can, and is drawn at most once in a frame, however often what it shows has changed. Its
 * height follows from its drawing: `height: auto` takes it from the canvas's own ratio, so that no inline style is wanted.
 */
import { make } from './element.ts'
import { type Palette, Probes } from './palette.ts'

/** Where to draw. All sizes are in pixels of the screen; `ratio` is how many of them a CSS pixel has. */
export interface Sheet {
  readonly pen: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
  readonly ratio: number
  readonly colours: Palette
}

/** What draws. */
export interface Painter {
  /** The height that the drawing wants, in pixels of the screen. */
  height(width: number, ratio: number): number
  /** Draws on an empty canvas. */
  paint(sheet: Sheet): void
  /** Draws what has changed over what was drawn in the same size and colours; false where all of it is to be drawn. */
  amend?(sheet: Sheet): boolean
}

/** Paper, and the user's wishes: what they change is drawn at once, since paper waits for no frame. */
const WISHES = ['print', '(forced-colors: active)', '(prefers-color-scheme: dark)']

/** How many pixels a canvas may have on a side, in Firefox, and in all, in Safari on phones; other engines have more. A larger one stays empty. */
const [MOST_SIDE, MOST_PIXELS] = [32_767, 2 ** 24]

/** The canvas of an element, from the time when that is in a page until it is taken out. */
export class Surface {
  readonly canvas: HTMLCanvasElement = make('canvas', { 'aria-hidden': 'true', width: '1', height: '0' })
  /** What belongs into the shadow tree beside the canvas, at the canvas's width: it has no height, so that drawing never changes its size. */
  readonly measure: HTMLElement
  readonly #probes = new Probes()
  readonly #painter: Painter
  #width = 0
  #ratio = 1
  #frame = 0
  /** The size and the colours of what is on the canvas. */
  #drawn = ''
  /** The window that shows the canvas, which need not be that of this module: an opener may be hidden, and on another screen. */
  #view: (Window & typeof globalThis) | undefined
  #leave: (() => void) | undefined

  constructor(painter: Painter) {
    this.#painter = painter
    this.measure = make('div', { class: 'measure' }, this.#probes.node)
  }

  /** From now on the canvas follows its size and the colours of the page. */
  join(): void {
    const view = this.canvas.ownerDocument.defaultView
    // A document without a window shows nothing, nor does jsdom, whatever stands for parts of it.
    if (!view?.ResizeObserver || !view.matchMedia) return
    this.#view = view
    const observer = new view.ResizeObserver(([entry]) => {
      const { width } = entry!.contentRect
      if (width === 0) return
      // Some engines count the `zoom` of a page's style sheet, and others do not have to.
      const wanted = width * view.devicePixelRatio * (this.measure.currentCSSZoom ?? 1)
      const given = entry!.devicePixelContentBoxSize?.[0]?.inlineSize ?? 0
      // Where a browser emulates another screen, what it gives is of its own.
      this.#width = Math.abs(given - wanted) <= 1 ? given : Math.round(wanted)
      this.#ratio = this.#width / width
      // At once: the first picture has its height before it is shown, so that nothing jumps.
      this.#draw()
    })
    try {
      observer.observe(this.measure, { box: 'device-pixel-content-box' })
    } catch {
      observer.observe(this.measure)
    }
    const leaving = new AbortController()
    const redraw = (): void => this.redraw()
    const { signal } = leaving
    for (const wish of WISHES)
      view.matchMedia(wish).addEventListener('change', () => this.#draw(), { signal })
    this.measure.addEventListener('transitionend', redraw, { signal })
    // A browser that lost the picture gives an empty canvas.
    const restore = (): void => {
      this.#drawn = ''
      redraw()
    }
    this.canvas.addEventListener('contextrestored', restore, { signal })
    this.#leave = () => {
      observer.disconnect()
      leaving.abort()
      view.cancelAnimationFrame(this.#frame)
      this.#frame = 0
      this.#view = undefined
    }
  }

  /** The canvas is no longer drawn. */
  leave(): void {
    this.#leave?.()
    this.#leave = undefined
  }

  /** Draws in the next frame, once. */
  redraw(): void {
    if (this.#frame !== 0 || this.#view === undefined) return
    this.#frame = this.#view.requestAnimationFrame(() => {
      this.#frame = 0
      this.#draw()
    })
  }

  /** The place of a pointer, in pixels of the screen from the canvas's left upper corner. */
  placeOf({ clientX, clientY }: MouseEvent): { readonly x: number; readonly y: number } {
    const { left, top, width, height } = this.canvas.getBoundingClientRect()
    const { canvas } = this
    return {
      x: ((clientX - left) / (width || 1)) * canvas.width,
      y: ((clientY - top) / (height || 1)) * canvas.height,
    }
  }

  /** The width of the canvas, its height and its ratio: those of the screen, or less where no canvas is as large. */
  #size(): readonly [number, number, number] {
    // In steps: heights are of whole pixels, and do not follow in proportion.
    for (let share = 1; ; share *= 0.9) {
      const [width, ratio] = [Math.round(this.#width * share), this.#ratio * share]
      const height = Math.round(this.#painter.height(width, ratio))
      // Also where it is no number, as where a frame that is not shown gives text no size.
      if (!(Math.max(width, height) > MOST_SIDE || width * height > MOST_PIXELS))
        return [width, height, ratio]
    }
  }

  #draw(): void {
    const [width, height, ratio] = this.#size()
    const pen = this.canvas.getContext('2d')
    if (width > 0 && pen !== null) {
      const colours = this.#probes.read()
      const sheet = { pen, width, height, ratio, colours }
      const wanted = [width, height, ratio, ...Object.values(colours)].join()
      if (wanted === this.#drawn && this.#painter.amend?.(sheet) === true) return
      this.#drawn = wanted
      if (this.canvas.width !== width) this.canvas.width = width
      if (this.canvas.height !== height) this.canvas.height = height
      pen.clearRect(0, 0, width, height)
      this.#painter.paint(sheet)
    }
  }
}
