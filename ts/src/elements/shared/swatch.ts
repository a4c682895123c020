/** The small pictures of a legend: drawn by what draws the large one. */
import { make } from './element.ts'
import type { Palette } from './palette.ts'

/** Draws into a box of a canvas. */
export type PaintBox = (
  pen: CanvasRenderingContext2D,
  colours: Palette,
  width: number,
  height: number,
) => void

/** A picture of a legend. Its pixels are twice those of its size in the sheet, for screens that have as many. */
export class Swatch {
  readonly canvas: HTMLCanvasElement
  readonly #paint: PaintBox
  /** The colours that it was drawn with. */
  #drawn = ''

  /** `kind` is its class in the sheet, which gives it a size. */
  constructor(kind: string, width: number, height: number, paint: PaintBox) {
    this.canvas = make('canvas', {
      class: kind,
      width: `${2 * width}`,
      height: `${2 * height}`,
      'aria-hidden': 'true',
    })
    this.#paint = paint
  }

  /** Draws it, if its colours have changed. */
  paint(colours: Palette): void {
    const wanted = Object.values(colours).join()
    const pen = this.canvas.getContext('2d')
    if (wanted === this.#drawn || pen === null) return
    this.#drawn = wanted
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height)
    this.#paint(pen, colours, this.canvas.width, this.canvas.height)
  }
}
