/** The block that the page carries: reads it, verifies it, and lets its visitor try to fool the verifier. */
import type { Verdict, Verifier } from 'blobcheck'
import type { Instrument } from '../instrument/instrument.ts'
import type { Source } from '../instrument/stage.ts'
import type { Hex } from '../shared/bytes.ts'
import { errorMessage } from '../shared/error-message.ts'
import { element, focusWhereScrolled, pressable, setText } from '../shared/page.ts'
import { orAborted, StalledError, Watch } from '../shared/watch.ts'
import { errorWords, HELD_UP, integer, numberWord, shortened } from '../shared/words.ts'
import { type BreakName, breakNamed, breakNames } from './breaking.ts'
import type { BlobView } from './bytes-view.ts'
import { Card } from './card.ts'
import type { Cells } from './cells.ts'
import { deepLink, showInAddress } from './deep-link.ts'
import { startDescribing } from './describer.ts'
import { Delivery } from './delivery.ts'
import { Display } from './display.ts'
import { showRun, showVerifier } from './figures.ts'
import { headerRoot } from './hashes.ts'
import { alert, alertRetry, dismissAlert } from './notice.ts'
import { readBlock } from './reading.ts'
import { type Run, runAll, type Timed } from './run.ts'
import { statusOf } from './status.ts'
import { field, headerOf, number, type Sidecar } from './sidecar.ts'
import { Supply } from './supply.ts'
import { TrustPanel } from './trust.ts'

const BLOCK = new URL('holesky_1409759_blob_sidecars.ssz', document.baseURI).href

/** The column whose cell is broken where no cell has been chosen: one of parity, so that the blob's own bytes are as they were. */
const COLUMN = 70

// Before all else: the verifier compiles and starts its workers while the page is set up, and its block is fetched.
const display = new Display()
/** The timeline is of the run: what the page verifies beside it (the control, the cells of a first visit) is not drawn. */
let isTimed = true
const supply = new Supply((span) => isTimed && display.span(span))
supply.verifier.catch(fail)

let delivery = new Delivery([])
/** One for each blob. */
let cards: readonly Card[] = []
/** Known some time after the blobs. */
let cells: Cells | null = null
let root: Hex | null | undefined
let running: AbortController | null = null
/** Something was changed while a run went on, so that it answers another question. */
let isStale = false
let runs = 0
let lastRun: Run | null = null
/** What the run that goes on, or the last one, has found of each blob; null where it has found nothing. */
let judged: (Timed | null)[] = []
let tellVerdict: () => void
/** The verdicts on all cells that belong to the last run, by blob and column; none before they are there. */
let cellVerdicts: readonly (readonly Verdict[])[] = []
let cellsMs = 0
/** Whether the run that goes on has the verdicts on its blobs, and those on its cells are to come. */
let areCellsComing = false

const trustPanel = new TrustPanel()
const readingWatch = new Watch(({ message }) => nothingToVerify(`${message}. ${HELD_UP}`))
const trust = element('#trust', HTMLInputElement)
const target = element('#target', HTMLSelectElement)
const progress = element('#progress', HTMLProgressElement)

const buttons = {
  tamper: pressable('#tamper', tamperOne),
  restore: pressable('#restore', () => onRestore(...breakNames)),
  again: pressable('#again', () => void verify()),
  forget: pressable('#forget', forget),
  cancel: pressable('#cancel', () => running?.abort()),
}
pressable('#retry', retry)
trust.addEventListener('change', () => void verify())
const view = element('#blob-view', HTMLSelectElement)
view.addEventListener('change', () => {
  for (const card of cards) void card.show(view.value as BlobView)
})
focusWhereScrolled(element('#blobs', HTMLElement))

setText('#status', 'Fetching the block…')
read()

const source: Omit<Source, 'lines'> = {
  name: 'embedded',
  onBreak: (link) => {
    const name = breakNamed(link)
    if (name !== undefined) onBreak(name)
  },
  onRestore: (link) => {
    const name = breakNamed(link)
    if (name !== undefined) onRestore(name)
  },
}

/** Takes the instrument, and shows on it what is known of the embedded block. */
export async function showEmbedded(instrument: Instrument): Promise<void> {
  if (!(await display.take(instrument, source))) return
  supply.verifier.then(({ workers }) => display.workers(workers)).catch(() => {}) // one that was not made has been told of
  if (cards.length > 0) showBlock()
}

/** The instrument cannot be had. */
export function showWithoutInstrument(): void {
  display.giveUp()
}

/** Reads the block, and says so where it does not come: what hangs tells nobody. */
function read(): void {
  readBlock(BLOCK).then(
    (sidecars) => {
      readingWatch.stop()
      // One that was asked for twice may come twice.
      if (cards.length === 0) open(sidecars)
    },
    (error: unknown) => {
      readingWatch.stop()
      if (cards.length > 0) return
      element('#blobs', HTMLElement).replaceChildren()
      nothingToVerify(`The block could not be read: ${errorMessage(error)}.`)
    },
  )
  readingWatch.expect('The block has not come')
}

/** Says which block it is, where the browser can hash. */
async function identify(): Promise<void> {
  const [first] = delivery.originals
  root = globalThis.crypto?.subtle === undefined ? null : await headerRoot(headerOf(first!))
  display.root(root)
  trustPanel.showHeader(first!, root)
}

/** A page whose verifier or block does not come shows the rest after so many milliseconds. */
const PATIENCE_MS = 1_500

/** Resolves with the first verdict, which nothing is to keep waiting, or when none comes soon. */
export const firstVerdict: Promise<void> = new Promise((resolve) => {
  tellVerdict = resolve
  setTimeout(resolve, PATIENCE_MS)
})

let isDescribed = false

/** There is a verdict, or there will be none: the blobs are hashed and drawn, once, and whatever waits for it goes on. */
function onFirst(): void {
  tellVerdict()
  if (isDescribed) return
  isDescribed = true
  startDescribing(delivery.originals, ({ at, hash, pixels, filled }) => {
    cards[at]!.showHash(hash)
    cards[at]!.showPicture(pixels, filled)
  })
}

function nothingToVerify(why: string): void {
  setText('#status', 'There is nothing to verify.')
  alertRetry(why)
}

function open(sidecars: readonly Sidecar[]): void {
  delivery = new Delivery(sidecars)
  cards = sidecars.map((sidecar, at) => new Card(sidecar, at, () => field(delivery.sidecars[at]!, 'blob')))
  element('#blobs', HTMLElement).replaceChildren(...cards.map(({ item }) => item))
  target.append(...cards.map((_, at) => new Option(`of blob ${at}`, String(at))))
  const slot = number(sidecars[0]!, 'slot')
  setText('#count', numberWord(sidecars.length))
  trustPanel.showHeader(sidecars[0]!, undefined)
  void identify()
  showBlock()
  const { broken, blob, slot: wanted } = deepLink()
  // Cells are known later, and are broken then.
  if (broken === null || broken === 'cell') void verify()
  else onBreak(broken, Math.min(blob, cards.length - 1))
  if (wanted !== null && wanted !== String(slot))
    alert(`This page carries slot ${integer(slot)} alone; slot ${shortened(wanted)} is not here.`)
}

/** Shows on the instrument what is known. */
function showBlock(): void {
  const { sidecars } = delivery
  const slot = number(sidecars[0]!, 'slot')
  display.open({ network: 'Holesky', slot, root: root ?? null, blobs: sidecars.length }, sidecars)
  if (running !== null) display.work()
  judged.forEach((timed, at) => timed !== null && display.judge(at, timed))
  if (lastRun === null) return
  showCells()
  showFound(lastRun)
}

/** Verifies all blobs as they are now, against the header if it is trusted. */
async function verify(): Promise<void> {
  if (cards.length === 0) return
  if (running !== null) {
    isStale = true
    return
  }
  isStale = false
  lastRun = null
  judged = cards.map(() => null)
  cellVerdicts = []
  supply.renew()
  dismissAlert()
  const { signal } = (running = new AbortController())
  const watch = new Watch((error) => running?.abort(error))
  const headerTrusted = trust.checked
  const { sidecars } = delivery
  const total = sidecars.length
  enableButtons()
  progress.max = total
  progress.value = 0
  isTimed = true
  display.begin(sidecars)
  for (const card of cards) card.wait('Its branch to the header is first')
  setText('#status', `Verifying ${numberWord(total)} blobs…`)
  const open = new Set(cards)
  let isMade = false
  try {
    watch.expect('the verifier has not been loaded')
    const verifier = await orAborted(supply.verifier, signal)
    isMade = true
    watch.expect('no blob has had a verdict')
    showVerifier(verifier)
    display.workers(verifier.workers)
    let firstAt: number | null = null
    const header = delivery.anchor(headerTrusted)
    const run = await runAll(verifier, sidecars, {
      anchor: header === null ? 'none' : { header },
      signal,
      onChecking: (at) => cards[at]!.check(),
      onVerdict: (at, timed) => {
        firstAt ??= performance.now()
        onFirst()
        const card = cards[at]!
        open.delete(card)
        judged[at] = timed
        card.judge(timed)
        display.judge(at, timed)
        progress.value++
        watch.expect('no other blob has had a verdict')
      },
    })
    showRun(run, runs++ === 0 ? firstAt : null)
    const coming = run.cancelled ? null : cells
    areCellsComing = coming !== null
    conclude(run, headerTrusted)
    if (coming !== null) {
      watch.expect('no cell has had a verdict')
      await judgeCells(verifier, coming, signal).catch((error: unknown) => cancelCells(run, error))
    }
    if (runs === 1) whenIdle(() => void afterFirst(verifier))
  } catch (error) {
    if (isAbort(error)) {
      const results = cards.map(() => null)
      conclude({ results, cancelled: true, firstMs: null, totalMs: 0 }, headerTrusted)
    } else {
      for (const card of open) card.fail()
      fail(error)
      if (!isMade && error instanceof StalledError) verifyWhenMade(supply.verifier)
    }
  } finally {
    watch.stop()
    running = null
    areCellsComing = false
    onFirst()
    enableButtons()
  }
  // Switched meanwhile: what is on the screen answers another question.
  if (isStale || trust.checked !== headerTrusted) await verify()
}

/** A verifier that comes late is welcome, unless its reader has asked for another one. */
function verifyWhenMade(overdue: Promise<Verifier>): void {
  const use = (): void => {
    if (supply.verifier !== overdue || running !== null) return
    supply.mend()
    void verify()
  }
  overdue.then(use, () => {})
}

/** Asks again for whatever could not be had. */
function retry(): void {
  dismissAlert()
  if (cards.length > 0) return void verify()
  setText('#status', 'Fetching the block…')
  supply.renew()
  read()
}

/** What is known after a run, in the bar and the chain. */
function showFound({ results, totalMs }: Run): void {
  const blobs = results.map((timed) => timed?.verdict ?? null)
  const found = { blobs, cells: cellVerdicts, hasCells: cells !== null }
  display.conclude(found, delivery.changes, totalMs + cellsMs, !areCellsComing)
}

function conclude(run: Run, headerTrusted: boolean): void {
  lastRun = run
  cellsMs = 0
  showFound(run)
  const verdicts = run.results.flatMap((timed) => (timed === null ? [] : [timed.verdict]))
  trustPanel.show(verdicts, run.results.length, headerTrusted)
  run.results.forEach((timed, at) => {
    if (timed === null) cards[at]?.wait('Cancelled before it had a verdict')
  })
  setText('#status', statusOf(run, []))
}

/** Verifies each cell by a proof of its own; after the blobs, whose verdicts are what people wait for. */
async function judgeCells(verifier: Verifier, cells: Cells, signal: AbortSignal): Promise<void> {
  const run = lastRun
  if (run === null) return
  const { verifyCells } = await import('./cells.ts')
  const started = performance.now()
  const verdicts = await verifyCells(verifier, cells, delivery, signal)
  // Another run has begun meanwhile, and judges its own.
  if (lastRun !== run) return
  cellsMs = performance.now() - started
  cellVerdicts = verdicts
  areCellsComing = false
  showCells()
  showFound(run)
  setText('#status', statusOf(run, cellVerdicts))
}

/** A run was cancelled before its cells had verdicts: those of its blobs stay. */
function cancelCells(run: Run, error: unknown): void {
  if (!isAbort(error)) throw error
  areCellsComing = false
  lastRun = { ...run, cancelled: true }
  showFound(lastRun)
  setText('#status', statusOf(lastRun, []))
}

function showCells(): void {
  if (cells === null) return
  for (const [at, verdicts] of cellVerdicts.entries())
    display.judgeCells(at, delivery.cellsOf(at, cells.originals[at]!), verdicts)
}

/** What there is time for after the first run: the cells, the control, and the copy that opens without a network. */
async function afterFirst(verifier: Verifier): Promise<void> {
  isTimed = false
  const blobs = delivery.originals.map((sidecar) => field(sidecar, 'blob'))
  // Where they cannot be loaded, the verdicts on the blobs stand.
  cells = await import('./cells.ts').then(({ loadCells }) => loadCells(blobs)).catch(() => null)
  // Where its verifier has been given up meanwhile, the next run judges them.
  if (cells !== null) await judgeFirstCells(verifier, cells).catch(() => {})
  // The page does without these where they do not come, or where its reader has left.
  const control = await import('./control.ts').catch(() => null)
  await control?.runControl(supply, delivery.originals[0]!)
  const offline = await import('../offline.ts').catch(() => null)
  await offline?.keepForOffline()
}

/** The cells of the first run, which have come after it; where another run goes on, it judges its own. */
async function judgeFirstCells(verifier: Verifier, cells: Cells): Promise<void> {
  const { broken, blob } = deepLink()
  if (running !== null || lastRun === null) return
  if (broken === 'cell' && delivery.changes.size === 0)
    return onBreak('cell', Math.min(blob, cards.length - 1))
  await judgeCells(verifier, cells, new AbortController().signal)
}

function tamperOne(): void {
  const candidates = target.value === 'random' ? untouched() : [Number(target.value)]
  const at = candidates[Math.floor(Math.random() * candidates.length)]
  if (at === undefined) return
  onBreak('blob', at)
  cards[at]!.reveal()
}

function onBreak(name: BreakName, at = chosenBlob()): void {
  const card = cards[at]
  if (card === undefined) return
  if (name === 'cell') breakCell(at)
  else delivery.break(name, at)
  if (name === 'blob') card.showFlips(delivery.flipsOf(at))
  onChange()
}

function onRestore(...names: readonly BreakName[]): void {
  for (const name of names) delivery.restore(name)
  if (names.includes('blob')) for (const card of cards) card.showFlips([])
  onChange()
}

/** The blob that the cursor of the grid is on, or the one that is named beside the button, or the first. */
function chosenBlob(): number {
  return display.selected?.blob ?? (target.value === 'random' ? 0 : Number(target.value))
}

function breakCell(at: number): void {
  const column = display.selected?.column ?? COLUMN
  const original = cells?.originals[at]?.[column]
  if (original !== undefined) delivery.breakCell(at, column, original)
}

/** Something is broken or whole again: the address says so, and it is verified. */
function onChange(): void {
  const [first] = delivery.changes
  showInAddress(first === undefined ? null : { broken: first[0], blob: first[1].blob })
  void verify()
}

/** Blobs that are still as they came, so that one press more is one blob more; all of them once there is none. */
function untouched(): readonly number[] {
  const all = [...cards.keys()]
  const whole = all.filter((at) => delivery.flipsOf(at).length === 0)
  return whole.length > 0 ? whole : all
}

/** Forgets what this visit and earlier ones verified, and verifies anew. */
function forget(): void {
  supply.forget()
  void verify()
}

function enableButtons(): void {
  const idle = running === null
  buttons.tamper.enable(idle, !idle)
  buttons.restore.enable(idle && delivery.changes.size > 0, !idle)
  buttons.again.enable(idle, !idle)
  buttons.forget.enable(idle, !idle)
  buttons.cancel.enable(!idle)
  trust.disabled = false
}

function fail(error: unknown): void {
  supply.break()
  display.fail()
  setText('#status', 'There are no verdicts.')
  alertRetry(errorWords(error))
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function whenIdle(task: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(task, { timeout: 2000 })
  else setTimeout(task, 200)
}
