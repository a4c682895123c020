/** The verdict bar: which block, what was verified here, and what that rests on. Its state is a word and a drawing; colour repeats it. */
import type { Verdict } from 'blobcheck'
import type { Hex } from './bytes.ts'
import { element, setHex, setIcon, setText } from './page.ts'
import { DATA_CELLS } from './sidecar.ts'
import { isRefused, milliseconds, NEEDS_CRYPTO } from './words.ts'

/** `working`: a run goes on; `verified`: all blobs are valid; `refused`: one is not; `unknown`: there is no verdict on some. */
export type BarState = 'working' | 'verified' | 'refused' | 'unknown'

const icons: Readonly<Record<BarState, string>> = {
  working: 'checking',
  verified: 'valid',
  refused: 'rejected',
  unknown: 'unknown',
}

export function showRoot(root: Hex | null): void {
  const code = element('#bar-root', HTMLElement)
  if (root === null) code.textContent = NEEDS_CRYPTO
  else setHex(code, root)
}

export function barWorking(): void {
  show('working', 'Verifying here…')
}

export function barFailed(): void {
  show('unknown', 'Nothing verified')
}

/** `verdicts`: of a run that is over, null where it was cancelled before. */
export function barConclude(verdicts: readonly (Verdict | null)[], totalMs: number): void {
  const valid = verdicts.filter((verdict) => verdict?.status === 'valid')
  const refused = verdicts.filter(isRefused)
  const blobs = valid.length === 1 ? '1 blob' : `${valid.length} blobs`
  const found = `${blobs}, ${valid.length * DATA_CELLS} cells`
  if (refused.length > 0) show('refused', `Refused here: ${refused.length} of ${verdicts.length} blobs`)
  else if (valid.length < verdicts.length || valid.length === 0) show('unknown', 'Not all verified')
  else show('verified', `Verified here: ${found}, ${milliseconds(totalMs)}`)
  const isOnWord = valid.some((verdict) => verdict?.links.header === 'trusted')
  setText('#bar-resting', isOnWord ? 'resting on your word' : 'resting on nothing')
}

function show(state: BarState, text: string): void {
  const bar = element('#bar', HTMLElement)
  bar.dataset['state'] = state
  setIcon(icons[state], bar)
  setText('#bar-verdict', text)
}
