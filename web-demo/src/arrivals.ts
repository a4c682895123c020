/**
 * Files and text that reach the page as a whole: dropped anywhere on it, or pasted. What a field takes itself stays there: text that is pasted
 * into a text field, and files that are dropped on a field for files.
 */
import './arrivals.css'

/** The class of the root element while a file is dragged over the page: the style sheet draws where it may be dropped. */
const OVER = 'file-over'

/** What arrives at once: files, at least one, or text. */
export type Arrival = readonly File[] | string

/** `open` is given the files that are dropped on the page or pasted into it, all that come at once together, and each pasted text. */
export function watchPage(open: (arrival: Arrival) => void): void {
  const { classList } = document.documentElement
  const drag = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    if (takesFiles(event.target)) return classList.remove(OVER)
    event.preventDefault() // otherwise the browser leaves the page for the file
    event.dataTransfer.dropEffect = 'copy'
    classList.add(OVER)
  }
  document.addEventListener('dragenter', drag)
  document.addEventListener('dragover', drag)
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) classList.remove(OVER)
  })
  document.addEventListener('drop', (event) => {
    classList.remove(OVER)
    if (takesFiles(event.target)) return
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    open(files)
  })
  document.addEventListener('paste', (event) => {
    const pasted = pastedOf(event)
    // A field that takes what is pasted itself has done so.
    if (pasted === null || event.defaultPrevented) return
    const hasText = event.clipboardData?.getData('text/plain') !== ''
    if (hasText && takesText(event.target)) return
    event.preventDefault()
    open(pasted)
  })
}

/** What a paste brings: files, else text that is not blank; null where there is neither. */
export function pastedOf({ clipboardData }: ClipboardEvent): Arrival | null {
  const files = [...(clipboardData?.files ?? [])]
  const text = clipboardData?.getData('text/plain') ?? ''
  return files.length > 0 ? files : text.trim() === '' ? null : text
}

/** Whether it is a field that takes files for itself; what the one of the source File takes is verified, too, as anywhere on the page. */
function takesFiles(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input[type=file]:not(#file-pick)')
}

/** Inputs of these types take no text. */
const NO_TEXT = ['checkbox', 'radio', 'file', 'range', 'color', 'button', 'submit', 'reset', 'image']

function takesText(target: EventTarget | null): boolean {
  const field = target instanceof Element ? target.closest('input, textarea, [contenteditable]') : null
  return field !== null && !(field instanceof HTMLInputElement && NO_TEXT.includes(field.type))
}
