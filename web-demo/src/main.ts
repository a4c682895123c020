/** The page: reads a block, verifies it, and lets its reader try to fool the verifier. */
import { createVerifier, IndexedDbCache, type TraceEvent, type Verdict, type Verifier } from 'blobcheck'
import { barConclude, barFailed, barWorking, showRoot } from './bar.ts'
import { breakNames, type BreakName } from './breaking.ts'
import { Card } from './card.ts'
import { control } from './control.ts'
import { deepLink, showInAddress } from './deep-link.ts'
import { Delivery } from './delivery.ts'
import { showRun, showVerifier } from './figures.ts'
import type { Instrument } from './instrument.ts'
import { element, pressable, setText } from './page.ts'
import { startReading } from './reader.ts'
import type { Reading } from './reading.ts'
import { type Run, runAll } from './run.ts'
import type { Sidecar } from './sidecar.ts'
import { TrustPanel } from './trust.ts'
import { orAborted, StalledError, Watch } from './watch.ts'
import { detailOf, errorWords, HELD_UP, integer, numberWord } from './words.ts'

const BLOCK = new URL('holesky_1409759_blob_sidecars.json', document.baseURI).href

// Before all else: the verifier compiles and starts its workers while the page is set up, and its block is fetched and parsed.
/** Spans that come before there is a timeline; null once it is there, or will never be. */
let early: TraceEvent[] | null = []
let making: Promise<Verifier> = make()
/** Whether the next run needs another verifier, as this one failed or is overdue. */
let isBroken = false
making.catch(fail)

let delivery = new Delivery([])
/** One for each blob. */
let cards: readonly Card[] = []
let running: AbortController | null = null
/** Something was changed while a run went on, so that it answers another question. */
let isStale = false
let runs = 0
/** The grid, the chain and the timeline: loaded beside the verifier, which is not kept waiting for them. */
let instrument: Instrument | null = null

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

element('#unstarted', HTMLElement).remove()
setText('#status', 'Fetching the block…')

read()
const opening = import('./instrument.ts').then(({ Instrument }) => new Instrument({ onBreak, onRestore }))
opening.then(
  (opened) => {
    instrument = opened
    for (const span of early ?? []) instrument.span(span)
    early = null
    if (cards.length > 0) showInstrument()
  },
  () => (early = null), // the cards have all verdicts, too
)

async function make(): Promise<Verifier> {
  return await createVerifier({
    network: 'holesky',
    onTrace: (span) => (instrument === null ? early?.push(span) : instrument.span(span)),
  })
}

/** Reads the block, and says so where it does not come: what hangs tells nobody. */
function read(): void {
  startReading(BLOCK, onReading)
  readingWatch.expect('The block has not come')
}

function onReading(reading: Reading): void {
  switch (reading.kind) {
    case 'block':
      readingWatch.stop()
      // One that was asked for twice may come twice.
      return cards.length === 0 ? open(reading.sidecars) : undefined
    case 'root':
      showRoot(reading.root)
      return trustPanel.showHeader(delivery.originals[0]!, reading.root)
    case 'hash':
      return cards[reading.at]?.showHash(reading.hash)
    case 'picture':
      return cards[reading.at]?.showPicture(reading.pixels, reading.filled)
    case 'failed':
      readingWatch.stop()
      if (cards.length > 0) return
      element('#blobs', HTMLElement).replaceChildren()
      return nothingToVerify(`The block could not be read: ${reading.why}`)
  }
}

function nothingToVerify(why: string): void {
  setText('#status', 'There is nothing to verify.')
  alertRetry(why)
}

function open(sidecars: readonly Sidecar[]): void {
  delivery = new Delivery(sidecars)
  cards = sidecars.map((sidecar, at) => new Card(sidecar, at))
  element('#blobs', HTMLElement).replaceChildren(...cards.map(({ item }) => item))
  target.append(...cards.map((_, at) => new Option(`of blob ${at}`, String(at))))
  const slot = String(sidecars[0]!.signed_block_header.message.slot)
  setText('#slot', integer(slot))
  setText('#count', numberWord(sidecars.length))
  trustPanel.showHeader(sidecars[0]!, undefined)
  if (instrument !== null) showInstrument()
  const { broken, blob, slot: wanted } = deepLink()
  if (broken === null) void verify()
  else onBreak(broken, Math.min(blob, cards.length - 1))
  if (wanted !== null && wanted !== slot)
    alert(`This page carries slot ${integer(slot)} alone; slot ${wanted} is not here.`)
}

/** Shows in the grid and in the chain what is known. */
function showInstrument(): void {
  instrument?.open(delivery.sidecars)
  if (lastRun === null) return
  lastRun.results.forEach((timed, at) => timed !== null && instrument?.judge(at, timed))
  showChain(lastRun)
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
  if (isBroken) remake()
  dismissAlert()
  const { signal } = (running = new AbortController())
  const watch = new Watch((error) => running?.abort(error))
  const headerTrusted = trust.checked
  const { sidecars } = delivery
  const total = sidecars.length
  enableButtons()
  progress.max = total
  progress.value = 0
  for (const [at, card] of cards.entries()) {
    card.wait('Its branch to the header is first')
    instrument?.wait(at, sidecars[at]!)
  }
  barWorking()
  setText('#status', `Verifying ${numberWord(total)} blobs…`)
  const open = new Set(cards)
  let isMade = false
  try {
    watch.expect('the verifier has not been loaded')
    const verifier = await orAborted(making, signal)
    isMade = true
    watch.expect('no blob has had a verdict')
    showVerifier(verifier)
    instrument?.workers(verifier.workers)
    let firstAt: number | null = null
    const header = delivery.anchor(headerTrusted)
    const run = await runAll(verifier, sidecars, {
      anchor: header === null ? 'none' : { header },
      signal,
      onChecking: (at) => cards[at]!.check(),
      onVerdict: (at, timed) => {
        firstAt ??= performance.now()
        const card = cards[at]!
        open.delete(card)
        card.judge(timed)
        instrument?.judge(at, timed)
        progress.value++
        watch.expect('no other blob has had a verdict')
      },
    })
    showRun(run, runs++ === 0 ? firstAt : null)
    conclude(run, headerTrusted)
    if (runs === 1) whenIdle(() => void extendAndControl(verifier))
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') {
      const results = cards.map(() => null)
      conclude({ results, cancelled: true, firstMs: null, totalMs: 0 }, headerTrusted)
    } else {
      for (const card of open) card.fail()
      fail(error)
      if (!isMade && error instanceof StalledError) verifyWhenMade(making)
    }
  } finally {
    watch.stop()
    running = null
    enableButtons()
  }
  // Switched meanwhile: what is on the screen answers another question.
  if (isStale || trust.checked !== headerTrusted) await verify()
}

/** A verifier that comes late is welcome, unless its reader has asked for another one. */
function verifyWhenMade(overdue: Promise<Verifier>): void {
  const use = (): void => {
    if (making !== overdue || running !== null) return
    isBroken = false
    void verify()
  }
  overdue.then(use, () => {})
}

/** Another verifier in the place of one that failed or hangs. */
function remake(): void {
  making.then((verifier) => verifier.dispose()).catch(() => {})
  isBroken = false
  making = make()
  making.catch(() => {}) // the run that waits for it says so
}

/** Asks again for whatever could not be had. */
function retry(): void {
  dismissAlert()
  if (cards.length > 0) return void verify()
  setText('#status', 'Fetching the block…')
  if (isBroken) remake()
  read()
}

let lastRun: Run | null = null

/** What a run found, in the bar and the chain. */
function showChain(run: Run): void {
  const verdicts = run.results.map((timed): Verdict | null => timed?.verdict ?? null)
  barConclude(verdicts, run.totalMs)
  instrument?.conclude(verdicts, delivery.changes)
}

function conclude(run: Run, headerTrusted: boolean): void {
  lastRun = run
  showChain(run)
  const verdicts = run.results.flatMap((timed) => (timed === null ? [] : [timed.verdict]))
  trustPanel.show(verdicts, run.results.length, headerTrusted)
  const lines = [
    `${verdicts.filter(({ status }) => status === 'valid').length} of ${run.results.length} blobs valid.`,
  ]
  if (run.cancelled) lines.unshift('Cancelled.')
  const faults: string[] = []
  run.results.forEach((timed, at) => {
    if (timed === null) cards[at]?.wait('Cancelled before it had a verdict')
    else if (timed.verdict.status !== 'valid') faults.push(`Blob ${at}: ${detailOf(timed.verdict)}.`)
  })
  // One of them at length: its place on the page is limited, and the cards say the rest.
  lines.push(...faults.slice(0, 1))
  if (faults.length > 1) lines.push(`${faults.length - 1} more below.`)
  setText('#status', lines.join(' '))
}

/** What there is time for: the parity in the grid, and the control. */
async function extendAndControl(verifier: Verifier): Promise<void> {
  const { extend } = await import('./extending.ts')
  const blobs = delivery.originals.map(({ blob }) => blob)
  await extend(blobs, ({ at, parity }) => instrument?.extend(at, parity))
  await runControl(verifier)
  const { keepForOffline } = await import('./offline.ts')
  await keepForOffline()
}

async function runControl(verifier: Verifier): Promise<void> {
  const refused = await control(verifier, delivery.originals[0]!).catch(() => null)
  if (refused === null) return
  if (refused)
    setText(
      '#control',
      'Control: a copy of blob 0 with one bit flipped was verified as well, and refused, as it must be.',
    )
  else
    alert(
      'The control failed: a copy of blob 0 with one bit flipped was not refused. Do not rely on what this page says.',
    )
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
  delivery.break(name, at)
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
  return instrument?.selectedBlob ?? (target.value === 'random' ? 0 : Number(target.value))
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

/** Forgets what this visit and earlier ones verified: a new verifier, and an empty store. */
function forget(): void {
  const former = making
  making = (async () => {
    await former.then((verifier) => verifier.dispose()).catch(() => {})
    const store = new IndexedDbCache()
    await store.clear().catch(() => {}) // where IndexedDB is refused, nothing was stored
    await store.close().catch(() => {})
    return await make()
  })()
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
  isBroken = true
  barFailed()
  setText('#status', 'There are no verdicts.')
  alertRetry(errorWords(error))
}

/** Says what is wrong, with a button that tries again. */
function alertRetry(text: string): void {
  alert(text)
  element('#retry', HTMLElement).hidden = false
}

function alert(text: string): void {
  setText('#alert-text', text)
  element('#retry', HTMLElement).hidden = true
  element('#alert', HTMLElement).hidden = false
}

function dismissAlert(): void {
  element('#alert', HTMLElement).hidden = true
}

function whenIdle(task: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(task, { timeout: 2000 })
  else setTimeout(task, 200)
}
