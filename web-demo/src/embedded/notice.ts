/** The alert at the top of the page, with a button that tries again where that may help. */
import { element, setText } from '../shared/page.ts'

export function alert(text: string): void {
  setText('#alert-text', text)
  element('#retry', HTMLElement).hidden = true
  element('#alert', HTMLElement).hidden = false
}

export function alertRetry(text: string): void {
  alert(text)
  element('#retry', HTMLElement).hidden = false
}

export function dismissAlert(): void {
  element('#alert', HTMLElement).hidden = true
}
