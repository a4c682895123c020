/** The source *File*: what the visitor drops, pastes or picks, one file or several, is read, verified, and shown on the instrument. */
import { type AnchorOption, createVerifier, type NetworkName, type Verifier } from 'blobcheck'
import type { CellState } from 'blobcheck/elements'
import { copyButton } from '../../shared/copy.ts'
import { headerRoot } from '../../embedded/hashes.ts'
import { fromHex } from '../../shared/bytes.ts'
import type { CellDetail, Conclusion, MountPanel, PanelPage, Stage, Subject } from '../../instrument/stage.ts'
import { isolated } from '../../shared/printable.ts'
import { element, type Pressable, pressable, setText } from '../../shared/page.ts'
import { DATA_CELLS } from '../../shared/sizes.ts'
import { orAborted, StalledError, Watch } from '../../shared/watch.ts'
import { capital, detailOf, errorWords, integer, isRefused, milliseconds } from '../../shared/words.ts'
import {
  type Anchor,
  AnchorError,
  anchorFor,
  type AnchorName,
  listsCommitments,
  readAnchor,
} from './anchor.ts'
import { type Arrival, pastedOf } from '../../arrivals.ts'
import { linksOf } from './chain.ts'
import { ContentsError } from './contents.ts'
import { type Found, listOf, NothingGatheredError, readAll } from './gather.ts'
import { isGloasColumn, type ItemView, lackCommitments } from './item.ts'
import { type Layout, layOut } from './layout.ts'
import { linesOf, NO_LINES, NOTHING_LINES } from './lines.ts'
import {
  blockWords,
  copiesIn,
  copiesWords,
  countWords,
  isOfSeveral,
  leftOutWords,
  moreWords,
  nameOf,
  partsWords,
  type Read,
  withoutWords,
  wordsOf,
} from './outcome.ts'
import './panel.css'
import html from './panel.html?raw'
import { networkNames, networksWith, networkWords } from './rules.ts'
import { type ItemVerdict, verifyItems } from './verify.ts'

/** A grid of more rows takes long to draw: it is drawn less often, in milliseconds. */
const FEW_ROWS = 32
const PAUSE_MS = 250
/** How many refused items are named below the status. */
const MAX_FAULTS = 5

/** What came before there was a panel. */
let waiting: Arrival | null = null
let panel: FilePanel | null = null

/** Has files or text verified, in the place of what is being verified now; before the panel is mounted they wait for it. */
export function offer(arrival: Arrival): void {
  if (panel === null) waiting = arrival
  else panel.open(arrival)
}

export const mount: MountPanel = (root, page) => {
  panel = new FilePanel(root, page)
  if (waiting !== null) panel.open(waiting)
  waiting = null
}

/** What a run was, beside its verdicts. */
interface Run {
  /** The form may ask for another one by now. */
  readonly anchor: AnchorOption
  readonly stage: Stage
  readonly subject: Subject
  readonly ms: number
}

class FilePanel {
  readonly #page: PanelPage
  readonly #network: HTMLSelectElement
  readonly #anchorName: HTMLSelectElement
  readonly #values: HTMLInputElement
  readonly #progress: HTMLProgressElement
  readonly #cancel: Pressable
  readonly #again: Pressable
  #given: Arrival | null = null
  /** What was found in each file; null until all have been read. */
  #files: readonly Found[] | null = null
  /** What is shown of them, which the anchor decides about too. */
  #read: Read | null = null
  #running: AbortController | null = null
  /** What a run has found beyond its status, line by line. */
  #found: readonly string[] = []

  constructor(root: HTMLElement, page: PanelPage) {
    this.#page = page
    root.innerHTML = html
    this.#network = element('#file-network', HTMLSelectElement)
    this.#anchorName = element('#file-anchor', HTMLSelectElement)
    this.#values = element('#file-values', HTMLInputElement)
    this.#progress = element('#file-progress', HTMLProgressElement)
    this.#network.append(...networkNames.map((name) => new Option(networkWords[name], name)))
    this.#cancel = pressable('#file-cancel', () => this.#running?.abort())
    this.#again = pressable('#file-again', () => void this.#run())
    element('#file-copies', HTMLElement).append(
      copyButton('Copy the result', () => this.#result()),
      copyButton('Copy the code', () => this.#lines()),
    )
    this.#listen()
  }

  /** Verifies other files or another text; what goes on with those before is ended. */
  open(arrival: Arrival): void {
    this.#given = arrival
    this.#files = null
    this.#read = null
    void this.#run()
  }

  #listen(): void {
    const pick = element('#file-pick', HTMLInputElement)
    pick.addEventListener('change', () => {
      const files = [...(pick.files ?? [])]
      if (files.length > 0) this.open(files)
      pick.value = '' // the same files may be chosen again
    })
    const text = element('#file-text', HTMLTextAreaElement)
    text.addEventListener('paste', (event) => {
      const pasted = pastedOf(event)
      if (pasted === null) return
      event.preventDefault() // a field that shows megabytes holds up the page
      this.open(pasted)
    })
    text.addEventListener('change', () => {
      if (text.value.trim() !== '') this.open(text.value)
      text.value = ''
    })
    const again = (): void => {
      if (this.#given !== null) void this.#run()
    }
    this.#network.addEventListener('change', again)
    this.#values.addEventListener('change', again)
    this.#anchorName.addEventListener('change', () => {
      this.#values.disabled = this.#anchorName.value === 'none'
      if (this.#values.disabled || this.#values.value !== '') again()
    })
  }

  async #run(): Promise<void> {
    this.#running?.abort()
    const running = new AbortController()
    this.#running = running
    const { signal } = running
    const stage = this.#page.take({ name: 'file', lines: () => this.#lines() })
    stage.signal.addEventListener('abort', () => running.abort())
    const watch = new Watch((error) => running.abort(error))
    this.#cancel.enable(true)
    this.#again.enable(false, true)
    this.#progress.value = 0
    list('#file-faults', [])
    list('#file-list', [])
    this.#found = []
    this.#say('Reading it…')
    try {
      const files = this.#files ?? (await this.#readFiles(signal, watch))
      signal.throwIfAborted() // others may have come meanwhile
      this.#files = files
      const read = (this.#read = readOf(files, this.#anchorChoice()))
      await this.#verify(read, stage, signal, watch)
    } catch (error) {
      // A later run says what there is to say.
      if (this.#running === running) this.#explain(error, stage, signal)
    } finally {
      watch.stop()
      running.abort() // after an error, what is left of the run
      if (this.#running === running) {
        this.#running = null
        this.#cancel.enable(false, true)
        this.#again.enable(true)
      }
    }
  }

  async #readFiles(signal: AbortSignal, watch: Watch): Promise<readonly Found[]> {
    const onSign = (): void => watch.expect('no more of the file has been read')
    onSign()
    return await readAll(this.#given!, signal, onSign)
  }

  async #verify(read: Read, stage: Stage, signal: AbortSignal, watch: Watch): Promise<void> {
    const { contents, views, layout } = read
    const verdicts: (ItemVerdict | null)[] = contents.items.map(() => null)
    const subject = await this.#present(read, stage)
    signal.throwIfAborted()
    stage.inspect((row, column) => detailAt(read, verdicts, row, column))
    const needsCommitments = lackCommitments(contents.kind, contents.items)
    const anchor = anchorFor(this.#anchor(), contents.kind, needsCommitments, contents.parts.length > 1)
    this.#say(`${this.#name}: ${wordsOf(contents)}. Verifying…`)
    this.#progress.max = views.length
    stage.begin()
    const started = performance.now()
    const making = createVerifier({
      network: this.#rules(),
      cache: false,
      onTrace: (span) => stage.span(span),
    })
    const fresh: number[] = []
    let timer = 0
    const show = (): void => {
      timer = 0
      for (const at of fresh.splice(0)) paint(stage, layout, views[at]!, at, verdicts[at]!)
    }
    try {
      watch.expect('the verifier has not been loaded')
      const verifier: Verifier = await orAborted(making, signal)
      stage.workers(verifier.workers)
      const onSign = (): void => watch.expect('no other item has had a verdict')
      onSign()
      await verifyItems(verifier, contents, {
        ...{ anchor, signal, onSign },
        onVerdict: (at, verdict) => {
          verdicts[at] = verdict
          this.#progress.value++
          fresh.push(at)
          timer ||= window.setTimeout(show, layout.rows > FEW_ROWS ? PAUSE_MS : 0)
        },
      })
    } finally {
      window.clearTimeout(timer)
      show()
      making.then((verifier) => verifier.dispose()).catch(() => {}) // one that was not made was told of above
    }
    const ms = performance.now() - started
    this.#conclude(read, verdicts as ItemVerdict[], { anchor, stage, subject, ms })
  }

  /** Shows what the files are about, before there are verdicts. */
  async #present({ contents, views, layout, block }: Read, stage: Stage): Promise<Subject> {
    const hashes = globalThis.crypto?.subtle !== undefined
    const root = block?.header && hashes ? await headerRoot(fromHex(block.header)) : (block?.root ?? null)
    const subject = {
      network: this.#network.value === '' ? 'Network unknown' : networkWords[this.#rules()],
      slot: block === null ? null : BigInt(block.slot),
      ...{ root, blobs: layout.rows },
    }
    stage.subject(subject)
    for (let row = 0; row < layout.rows; row++) stage.row(row, 'missing')
    views.forEach((view, at) =>
      eachRow(layout, view, at, (row, from, to) => stage.row(row, 'waiting', from, to)),
    )
    stage.links(linksOf([], () => ''))
    this.#say(`${this.#name}: ${wordsOf(contents)}.`)
    return subject
  }

  #conclude(read: Read, verdicts: readonly ItemVerdict[], { anchor, stage, subject, ms }: Run): void {
    const { contents, views } = read
    const total = verdicts.length
    const valid = verdicts.filter(({ status }) => status === 'valid')
    const refused = [...verdicts.keys()].filter((at) => isRefused(verdicts[at]))
    const copies = copiesIn(read, verdicts)
    const delivered = countWords(read, total - copies.size)
    const cells = views.reduce((sum, { rows, columns: [from, to] }, at) => {
      return sum + (verdicts[at]!.status === 'valid' && !copies.has(at) ? rows * (to - from) : 0)
    }, 0)
    const isOnWord = anchor !== 'none' && valid.length > 0
    const links = linksOf(verdicts, (verdict) => nameOf(read, verdicts.indexOf(verdict)))
    stage.links(links)
    const isAll = valid.length === total && contents.leftOut.length === 0
    const conclusion: Conclusion = {
      state: refused.length > 0 ? 'refused' : isAll ? 'verified' : 'unknown',
      verdict:
        refused.length > 0
          ? `Refused here: ${integer(refused.length)} of ${delivered}`
          : isAll
            ? `Verified here: ${delivered}, ${integer(cells)} cells, ${milliseconds(ms)}`
            : 'Not all verified',
      resting: isOnWord ? 'your word' : 'nothing',
    }
    stage.conclude(conclusion)
    const faults = [...verdicts.keys()]
      .filter((at) => verdicts[at]!.status !== 'valid')
      .map((at) => `${capital(nameOf(read, at))}: ${detailOf(verdicts[at]!)}.`)
    const leftOut = leftOutWords(contents.leftOut)
    const files = isOfSeveral(contents) ? partsWords(contents, verdicts) : []
    this.#say(
      `${this.#name}: ${wordsOf(contents)}. ${integer(valid.length)} of ${integer(total)} valid${this.#byRules(read, verdicts)}${copiesWords(read, copies.size)}${withoutWords(contents.leftOut)}`,
    )
    list('#file-faults', [
      ...faults.slice(0, MAX_FAULTS),
      ...moreWords(faults.length - MAX_FAULTS),
      ...leftOut,
    ])
    list('#file-list', files)
    this.#found = [
      `${conclusion.verdict}, resting on ${conclusion.resting}.`,
      blockWords(subject),
      ...[...faults, ...leftOut, ...files],
      ...links.map(
        ({ title, text, reason }) => `${title}: ${text}${reason === undefined ? '' : ` ${reason}.`}`,
      ),
    ]
  }

  /** The end of the sentence: by whose rules, and by whose it might be. */
  #byRules(read: Read, verdicts: readonly ItemVerdict[]): string {
    const { kind } = read.contents
    if (kind === 'blobs' || kind === 'transaction') return '.'
    const rules = networkWords[this.#rules()]
    const fitting = this.#fitting(read)
    const isOther = verdicts.some((verdict) => isRefused(verdict) && /fork|too-many/.test(verdict.reason))
    const others = fitting.map((name) => networkWords[name]).join(', ')
    if (isOther)
      return fitting.length === 0
        ? ` by the rules of ${rules}; no network that is known here has such sidecars in its slot.`
        : ` by the rules of ${rules}. Networks that have such sidecars in its slot: ${others}.`
    return this.#network.value === ''
      ? ` by the rules of ${rules}, which fit; a file does not say of which network it is.`
      : ` by the rules of ${rules}.`
  }

  #explain(error: unknown, stage: Stage, signal: AbortSignal): void {
    if (stage.signal.aborted)
      return this.#say(
        'Stopped, since the page shows another source now. “Verify again” shows what you chose once more.',
      )
    const isCancelled = signal.aborted && !(signal.reason instanceof StalledError)
    const isOurs = error instanceof ContentsError || error instanceof AnchorError
    if (this.#read === null) {
      stage.subject({ network: 'No block', slot: null, root: null, blobs: 0 })
      stage.links(linksOf([], () => ''))
    }
    stage.conclude({ state: 'unknown', verdict: 'Nothing verified', resting: 'nothing' })
    const leftOut = error instanceof NothingGatheredError ? error.leftOut : this.#read?.contents.leftOut
    this.#found = leftOutWords(leftOut ?? [])
    list('#file-faults', this.#found)
    if (isCancelled) this.#say('Cancelled.')
    else this.#say(isOurs ? `${this.#name}: ${error.message}` : errorWords(error))
  }

  #anchor(): Anchor {
    return readAnchor(this.#anchorChoice(), this.#values.value)
  }

  #anchorChoice(): AnchorName {
    return this.#anchorName.value as AnchorName
  }

  /** The network whose rules apply: the one that was chosen, or the first that fits. */
  #rules(): NetworkName {
    const chosen = this.#network.value
    if (chosen !== '') return chosen as NetworkName
    return (this.#read === null ? undefined : this.#fitting(this.#read)[0]) ?? 'mainnet'
  }

  #fitting({ contents, views }: Read): readonly NetworkName[] {
    const slot = views.find(({ block }) => block !== null)?.block?.slot ?? null
    return networksWith(contents.kind, slot, contents.items.some(isGloasColumn))
  }

  /** What was found, in words: the status first, and all faults, which the page names a few of. */
  #result(): string {
    const { textContent: status } = element('#file-status', HTMLElement)
    return `${[status, ...this.#found].join('\n')}\n`
  }

  #lines(): string {
    if (this.#read === null) return this.#given === null ? NO_LINES : NOTHING_LINES
    const { contents } = this.#read
    let anchor: Anchor = { name: 'none', values: [] }
    try {
      anchor = this.#anchor()
    } catch {
      // What cannot be used is not used; the status says so.
    }
    return linesOf({ contents, anchor, network: this.#rules() })
  }

  get #name(): string {
    const given = this.#given
    if (given === null || typeof given === 'string') return 'The pasted text'
    return given.length === 1 ? isolated(given[0]!.name) : `${integer(given.length)} files`
  }

  #say(text: string): void {
    setText('#file-status', text)
  }
}

/** What is shown of files that are held against such an anchor. Throws `ContentsError` where it is nothing. */
function readOf(files: readonly Found[], anchor: AnchorName): Read {
  const contents = listOf(files, listsCommitments(anchor))
  const { kind, views } = contents
  const [first, ...others] = new Set(views.map(({ block }) => JSON.stringify(block)))
  const block = others.length === 0 ? (JSON.parse(first!) as Read['block']) : null
  return { ...{ contents, views, block }, layout: layOut(views, kind === 'data-column-sidecars') }
}

function list(selector: string, words: readonly string[]): void {
  const entries = words.map((text) => Object.assign(document.createElement('li'), { textContent: text }))
  element(selector, HTMLElement).replaceChildren(...entries)
}

/** Calls for each row of an item, with the columns of it that the item is the first to bring. */
function eachRow(
  layout: Layout,
  { rows, columns: [from, to] }: ItemView,
  at: number,
  call: (row: number, from: number, to: number, within: number) => void,
): void {
  for (let within = 0; within < rows; within++) {
    const row = layout.first[at]! + within
    if (from < to && layout.itemAt(row, from) === at) call(row, from, to, within)
  }
}

function paint(stage: Stage, layout: Layout, view: ItemView, at: number, verdict: ItemVerdict): void {
  eachRow(layout, view, at, (row, from, to, within) =>
    stage.row(row, stateOf(verdict.blobs?.[within] ?? verdict), from, to),
  )
}

function stateOf(verdict: ItemVerdict): CellState {
  return verdict.status === 'valid' ? 'valid' : isRefused(verdict) ? 'refused' : 'waiting'
}

function detailAt(
  read: Read,
  verdicts: readonly (ItemVerdict | null)[],
  row: number,
  column: number,
): CellDetail {
  const { contents, views, layout } = read
  const at = layout.itemAt(row, column)
  if (at === undefined) {
    const absent = isOfSeveral(contents)
      ? 'None of the files has this cell'
      : 'The file does not have this cell'
    const isParity = contents.kind !== 'data-column-sidecars' && column >= DATA_CELLS
    return {
      text: `${absent}${isParity ? ': a blob is 64 cells, and parity follows from them' : ''}.`,
      bytes: null,
    }
  }
  const within = row - layout.first[at]!
  const verdict = verdicts[at]?.blobs?.[within] ?? verdicts[at]
  const isElsewhere = contents.kind === 'blob-sidecars' && views[at]!.index !== row
  const place = isOfSeveral(contents)
    ? `It is of ${nameOf(read, at)}. `
    : isElsewhere
      ? `It is ${nameOf(read, at)} of its block. `
      : ''
  return {
    text: `${place}${verdict ? `${detailOf(verdict)}.` : 'No verdict yet.'}`,
    bytes: views[at]!.cell(within, column),
  }
}
