/** Files and text that reach the page as a whole: dropped anywhere on it, or pasted while no text field has the focus. */
import './arrivals.css'

/** The class of the root element while a file is dragged over the page: the style sheet draws where it may be dropped. */
const OVER = 'file-over'

/** `open` is given each file that is dropped on the page or pasted into it, and each pasted text. Of several files it is given the first. */
export function watchPage(open: (file: File | string) => void): void {
  const { classList } = document.documentElement
  const drag = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
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
    const file = event.dataTransfer?.files[0]
    if (file === undefined) return
    event.preventDefault()
    open(file)
  })
  document.addEventListener('paste', (event) => {
    if (isTextField(event.target)) return
    const pasted = pastedOf(event)
    if (pasted === null) return
    event.preventDefault()
    open(pasted)
  })
}

/** What a paste brings: a file, else text that is not blank; null where there is neither. */
export function pastedOf({ clipboardData }: ClipboardEvent): File | string | null {
  const text = clipboardData?.getData('text/plain') ?? ''
  return clipboardData?.files[0] ?? (text.trim() === '' ? null : text)
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}
