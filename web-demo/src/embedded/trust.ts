/** The header that came with the blobs, and what the verdicts say in one sentence. */
import type { Verdict } from 'blobcheck'
import { type Hex, toHex } from '../shared/bytes.ts'
import { element, setHex, setText } from '../shared/page.ts'
import { field, type Field, number, type Sidecar } from './sidecar.ts'
import { capital, integer, numberWord, NEEDS_CRYPTO } from '../shared/words.ts'

export class TrustPanel {
  showHeader(sidecar: Sidecar, root: Hex | null | undefined): void {
    const hex = (name: Field): Hex => toHex(field(sidecar, name))
    const fields: readonly (readonly [string, string])[] = [
      ['Block root, computed', root === undefined ? '…' : (root ?? NEEDS_CRYPTO)],
      ['Slot', integer(number(sidecar, 'slot'))],
      ['Proposer', integer(number(sidecar, 'proposer_index'))],
      ['Parent root', hex('parent_root')],
      ['State root', hex('state_root')],
      ['Body root', hex('body_root')],
    ]
    element('#header', HTMLElement).replaceChildren(...fields.map(([name, value]) => row(name, value)))
  }

  clear(): void {
    setText('#conclusion', 'Nothing yet: there are no verdicts.')
  }

  show(verdicts: readonly Verdict[], total: number, headerTrusted: boolean): void {
    if (verdicts.length === 0) return this.clear()
    setText('#conclusion', conclusion(verdicts, total, headerTrusted))
  }
}

function conclusion(verdicts: readonly Verdict[], total: number, headerTrusted: boolean): string {
  const valid = verdicts.filter(({ status }) => status === 'valid').length
  if (valid === 0) return 'Nothing: no blob has been found valid.'
  const one = valid === 1
  const which =
    valid === total
      ? `The ${numberWord(valid)} blobs`
      : `${capital(numberWord(valid))} of the ${numberWord(total)} blobs`
  const belong = `${which} belong${one ? 's' : ''} to the header that`
  return headerTrusted
    ? `${belong} you trust. That the chain contains this header is your word, not this page’s finding.`
    : `${belong} ${one ? 'it brings' : 'they bring'} along. Nothing here says that this header is part of the chain.`
}

function row(name: string, value: string): HTMLElement {
  const line = document.createElement('div')
  const term = document.createElement('dt')
  term.textContent = name
  const detail = document.createElement('dd')
  const code = document.createElement('code')
  if (value.length > 24) setHex(code, value)
  else code.textContent = value
  detail.append(code)
  line.append(term, detail)
  return line
}
