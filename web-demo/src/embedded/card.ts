/** One blob on the page. */
import { type Hex, hexByte, toHex } from '../shared/bytes.ts'
import { element, fromTemplate, setHex, setIcon, setText } from '../shared/page.ts'
import type { BlobView } from './bytes-view.ts'
import { dotOf, HEIGHT, WIDTH } from './picture.ts'
import type { Timed } from './run.ts'
import { BLOB_BYTES } from '../shared/sizes.ts'
import { field, type Sidecar } from './sidecar.ts'
import type { Flip } from './tampering.ts'
import {
  type CardState,
  detailOf,
  integer,
  milliseconds,
  stateOf,
  stateWords,
  NEEDS_CRYPTO,
} from '../shared/words.ts'

export class Card {
  readonly item: HTMLElement = fromTemplate('card-template')
  readonly #article = element('article', HTMLElement, this.item)
  readonly #canvas = element('canvas', HTMLCanvasElement, this.item)
  /** Over the picture, where the bytes are to be read. */
  readonly #dump = document.createElement('pre')
  #view: BlobView = 'picture'
  readonly #name: string
  readonly #blob: () => Uint8Array
  #pixels: ImageData | undefined
  #flips: readonly Flip[] = []
  #filled = '…'

  /** `blob` gives its bytes as they are now. */
  constructor(sidecar: Sidecar, at: number, blob: () => Uint8Array) {
    this.#blob = blob
    this.#dump.className = 'dump'
    this.#dump.tabIndex = 0
    this.#dump.role = 'group'
    this.#dump.ariaLabel = `The bytes of blob ${at}`
    this.#name = `Blob ${at}`
    const title = element('h3', HTMLElement, this.item)
    title.id = `blob-${at}`
    title.textContent = this.#name
    this.#article.setAttribute('aria-labelledby', title.id)
    this.#showHex('.commitment', toHex(field(sidecar, 'kzg_commitment')))
  }

  /** Before the verdict. */
  wait(why: string): void {
    this.#show('waiting', why)
  }

  check(): void {
    this.#show('checking', 'Its branch holds; its proof is next')
  }

  /** The run ended without a verdict for it. */
  fail(): void {
    this.#show('unknown', 'Nothing is known about it: the run failed')
  }

  judge({ verdict, ms }: Timed): void {
    this.#show(stateOf(verdict), detailOf(verdict), milliseconds(ms))
  }

  showHash(hash: Hex | null): void {
    if (hash !== null) this.#showHex('.hash', hash)
    else setText('.hash', NEEDS_CRYPTO, this.item)
  }

  showPicture(pixels: Uint8ClampedArray<ArrayBuffer>, filled: number): void {
    this.#pixels = new ImageData(pixels, WIDTH, HEIGHT)
    this.#draw()
    this.#filled = `${integer(filled)} of ${integer(BLOB_BYTES)}`
    this.#showBytes()
    this.#describe(`A map of this blob’s bytes: ${integer(filled)} of ${integer(BLOB_BYTES)} are not zero`)
  }

  /** Marks tampered bytes on the picture, and names the last of them. */
  showFlips(flips: readonly Flip[]): void {
    this.#flips = flips
    this.#article.classList.toggle('tampered', flips.length > 0)
    const picture = element('.picture', HTMLElement, this.item)
    for (const mark of picture.querySelectorAll('.flip')) mark.remove()
    for (const { at } of flips) {
      const mark = document.createElement('span')
      mark.className = 'flip'
      const { x, y } = dotOf(at)
      mark.style.left = `${((x + 0.5) / WIDTH) * 100}%`
      mark.style.top = `${((y + 0.5) / HEIGHT) * 100}%`
      picture.append(mark)
    }
    this.#showBytes()
    this.#draw()
    void this.show(this.#view)
  }

  /** Brings what matters of it into view, if it is not: on a phone it lies below the button that tampered with it. */
  reveal(): void {
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
    element('.picture', HTMLElement, this.item).scrollIntoView({ block: 'nearest', behavior })
  }

  /** Shows the blob as it is now: as a picture, or its bytes over it. */
  async show(view: BlobView): Promise<void> {
    this.#view = view
    if (view === 'picture') return this.#dump.remove()
    const { bytesText } = await import('./bytes-view.ts')
    if (this.#view !== view) return
    this.#dump.textContent = bytesText(this.#blob(), view)
    element('.picture', HTMLElement, this.item).append(this.#dump)
  }

  /** How many bytes are not zero, or in its place what was done to them: nothing moves. */
  #showBytes(): void {
    const last = this.#flips.at(-1)
    const more = this.#flips.length > 1 ? `, and ${this.#flips.length - 1} more` : ''
    const row = element('.bytes', HTMLElement, this.item)
    setText('dt', last === undefined ? 'Bytes that are not zero' : 'Tampered', row)
    setText(
      'dd',
      last === undefined
        ? this.#filled
        : `byte ${integer(last.at)} was 0x${hexByte(last.before)}, is 0x${hexByte(last.after)}${more}`,
      row,
    )
  }

  #show(state: CardState, what: string, ms = ''): void {
    this.#article.dataset['state'] = state
    setIcon(state, this.#article)
    setText('.word', stateWords[state], this.#article)
    setText('.what', what, this.#article)
    setText('.ms', ms, this.#article)
  }

  #showHex(selector: string, hex: Hex): void {
    setHex(element(selector, HTMLElement, this.item), hex)
  }

  #describe(label: string): void {
    this.#canvas.setAttribute('aria-label', label)
  }

  #draw(): void {
    const context = this.#canvas.getContext('2d')
    if (context === null || this.#pixels === undefined) return
    context.putImageData(this.#pixels, 0, 0)
    context.fillStyle = '#c00000'
    for (const { at } of this.#flips) {
      const { x, y } = dotOf(at)
      context.fillRect(x, y, 1, 1)
    }
  }
}
