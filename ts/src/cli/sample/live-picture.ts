/** The picture of a block that is being sampled, painted at a steady pace, whatever happens in between. */
import type { SampleProgress } from '../../sampler/index.ts'
import { columnsOf, type Output } from '../terminal/output.ts'
import { painterFor } from '../terminal/paint.ts'
import { Screen } from '../terminal/screen.ts'
import { afterEvent, unsampled } from './cells.ts'
import { picture } from './picture.ts'

const FRAME_MS = 80

export class LivePicture {
  readonly #out: Output
  readonly #label: string | null
  readonly #screen: Screen
  #sampling = unsampled
  #startMs = 0
  #maxError = 1
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(out: Output, label: string | null) {
    this.#out = out
    this.#label = label
    this.#screen = new Screen(out)
  }

  start(maxError: number): void {
    this.#maxError = maxError
    this.#startMs = performance.now()
    this.#timer = setInterval(() => this.#paint(), FRAME_MS)
  }

  tell(event: SampleProgress): void {
    this.#sampling = afterEvent(this.#sampling, event)
  }

  /** The last picture stays. May be called again. */
  end(): void {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#paint()
    this.#screen.leave()
  }

  #paint(): void {
    const elapsedMs = performance.now() - this.#startMs
    const width = columnsOf(this.#out) - 1
    const [sampling, label, maxError] = [this.#sampling, this.#label, this.#maxError]
    const paint = painterFor(this.#out)
    this.#screen.paint(picture({ sampling, label, elapsedMs, maxError, width, paint }))
  }
}
