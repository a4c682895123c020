/** The trust panel: link by link, what was verified, what was taken on trust, and what neither. */
import type { Links, LinkState, Verdict } from 'blobcheck'
import type { Hex } from './bytes.ts'
import { element, fromTemplate, setHex, setIcon, setText } from './page.ts'
import type { Sidecar } from './sidecar.ts'
import { integer, linkWords, numberWord } from './words.ts'

const names = Object.keys(linkWords) as (keyof Links)[]

const stateNames: Readonly<Record<LinkState, string>> = {
  verified: 'verified',
  trusted: 'trusted',
  absent: 'not verified',
}

export class TrustPanel {
  readonly #rows = new Map<keyof Links, HTMLElement>()

  constructor() {
    const list = element('#links', HTMLElement)
    for (const name of names) {
      const row = fromTemplate('link-template')
      row.dataset['link'] = name
      setText('strong', linkWords[name].name, row)
      this.#rows.set(name, row)
      list.append(row)
    }
    this.clear()
  }

  showHeader(sidecar: Sidecar, root: Hex | null | undefined): void {
    const { message } = sidecar.signed_block_header
    const fields: readonly (readonly [string, string])[] = [
      ['Block root, computed', root === undefined ? '…' : (root ?? 'needs https or localhost')],
      ['Slot', integer(String(message.slot))],
      ['Proposer', integer(String(message.proposer_index))],
      ['Parent root', String(message.parent_root)],
      ['State root', String(message.state_root)],
      ['Body root', String(message.body_root)],
    ]
    element('#header', HTMLElement).replaceChildren(...fields.map(([name, value]) => field(name, value)))
  }

  clear(): void {
    for (const name of names)
      this.#showLink(name, 'absent', stateNames.absent, 'Nothing has been verified yet.')
    setText('#conclusion', 'Nothing yet: there are no verdicts.')
  }

  show(verdicts: readonly Verdict[], total: number, headerTrusted: boolean): void {
    if (verdicts.length === 0) return this.clear()
    for (const name of names) {
      const states = verdicts.map(({ links }) => links[name])
      const held = states.filter((state) => state !== 'absent')
      const words = linkWords[name]
      if (held.length === 0) this.#showLink(name, 'absent', stateNames.absent, words.absent)
      else {
        const [state = 'absent'] = held
        const all = held.length === total
        this.#showLink(
          name,
          all ? state : 'mixed',
          all ? stateNames[state] : `${stateNames[state]} for ${held.length} of ${total}`,
          words.held,
        )
      }
    }
    setText('#conclusion', conclusion(verdicts, total, headerTrusted))
  }

  #showLink(name: keyof Links, state: LinkState | 'mixed', word: string, meaning: string): void {
    const row = this.#rows.get(name)
    if (row === undefined) return
    row.dataset['state'] = state
    setIcon(state, row)
    setText('.word', word, row)
    setText('.meaning', meaning, row)
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

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function field(name: string, value: string): HTMLElement {
  const row = document.createElement('div')
  const term = document.createElement('dt')
  term.textContent = name
  const detail = document.createElement('dd')
  const code = document.createElement('code')
  if (value.length > 24) setHex(code, value)
  else code.textContent = value
  detail.append(code)
  row.append(term, detail)
  return row
}
