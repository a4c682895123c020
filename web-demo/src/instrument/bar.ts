/** The verdict bar: which block, what was verified here, and what that rests on. Its state is a word and a drawing; colour repeats it. */
import { element, setHex, setIcon, setText } from '../shared/page.ts'
import { integer, NEEDS_CRYPTO } from '../shared/words.ts'
import type { Hex } from '../shared/bytes.ts'
import type { BarState, Conclusion, Subject } from './stage.ts'

const icons: Readonly<Record<BarState, string>> = {
  working: 'checking',
  verified: 'valid',
  refused: 'rejected',
  unknown: 'unknown',
}

/** Of a block that nobody has said anything of. */
export const NOTHING_VERIFIED: Conclusion = {
  state: 'unknown',
  verdict: 'Nothing verified',
  resting: 'nothing',
}

export function showBlock({ network, slot, root }: Omit<Subject, 'blobs'>): void {
  setText('#bar-block', slot === null ? network : `${network}, slot ${integer(slot)}`)
  const code = element('#bar-root', HTMLElement)
  code.hidden = root === null
  if (root !== null) setHex(code, root)
}

/** The root of the block that is shown, once it has been computed; null where there is no WebCrypto. */
export function showRoot(root: Hex | null): void {
  const code = element('#bar-root', HTMLElement)
  code.hidden = false
  if (root === null) code.textContent = NEEDS_CRYPTO
  else setHex(code, root)
}

export function showWorking(): void {
  show('working', 'Verifying here…')
}

export function showConclusion({ state, verdict, resting }: Conclusion): void {
  show(state, verdict)
  setText('#bar-resting', `resting on ${resting}`)
}

function show(state: BarState, text: string): void {
  const bar = element('#bar', HTMLElement)
  bar.dataset['state'] = state
  setIcon(icons[state], bar)
  setText('#bar-verdict', text)
}
