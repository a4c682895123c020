/** The page: reads a block, verifies it, and lets its reader try to fool the verifier. */
import { createVerifier, IndexedDbCache, type TraceEvent, type Verdict, type Verifier } from 'blobcheck'
import { barConclude, barFailed, barWorking, showRoot } from './bar.ts'
import {
  breakNames,
  type BreakName,
  breakPart,
  type Difference,
  otherHeader,
  type PartName,
} from './breaking.ts'
import { Card } from './card.ts'
import { control } from './control.ts'
import { deepLink, showInAddress } from './deep-link.ts'
import { showRun, showVerifier } from './figures.ts'
import type { Instrument } from './instrument.ts'
import { element, pressable, setText } from './page.ts'
import { startReading } from './reader.ts'
import type { Reading } from './reading.ts'
import { type Run, runAll } from './run.ts'
import type { Sidecar } from './sidecar.ts'
import { elementsAt, type Flip, tamper } from './tampering.ts'
import { TrustPanel } from './trust.ts'
import { orAborted, SILENCE_MS, StalledError, Watch } from './watch.ts'
import { detailOf, errorWords, integer, numberWord } from './words.ts'

const BLOCK = new URL('holesky_1409759_blob_sidecars.json', document.baseURI).href

/** A blob as it came, as it is now, and what was done to it. */
interface Blob {
  readonly original: Sidecar
  readonly card: Card
  /** What the verifier is given. */
  sidecar: Sidecar
  /** With the flips alone. */
  flipped: Sidecar
  flips: Flip[]
  readonly parts: Set<PartName>
}

// Before all else: the verifier compiles and starts its workers while the page is set up, and its block is fetched and parsed.
const spans: TraceEvent[] = []
let making: Promise<Verifier> = make()
/** Whether the next run needs another verifier, as this one failed or is overdue. */
let isBroken = false
making.catch(fail)

let blobs: readonly Blob[] = []
/** The timer of a block that has not come yet. */
let overdue = 0
let running: AbortController | null = null
/** Something was changed while a run went on, so that it answers another question. */
let isStale = false
/** The blobs are held against another header than their own. */
let isRootBroken = false
let runs = 0
/** The grid, the chain and the timeline: loaded beside the verifier, which is not kept waiting for them. */
let instrument: Instrument | null = null

const trustPanel = new TrustPanel()
const trust = element('#trust', HTMLInputElement)
const target = element('#target', HTMLSelectElement)
const progress = element('#progress', HTMLProgressElement)

const buttons = {
  tamper: pressable('#tamper', tamperOne),
  restore: pressable('#restore', restore),
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
    for (const span of spans.splice(0)) instrument.span(span)
    if (blobs.length > 0) showInstrument()
  },
  () => {}, // the cards have all verdicts, too
)

async function make(): Promise<Verifier> {
  return await createVerifier({
    network: 'holesky',
    onTrace: (span) => (instrument === null ? spans.push(span) : instrument.span(span)),
  })
}

/** Reads the block, and says so where it does not come: what hangs tells nobody. */
function read(): void {
  startReading(BLOCK, onReading)
  window.clearTimeout(overdue)
  overdue = window.setTimeout(() => {
    if (blobs.length > 0) return
    setText('#status', 'There is nothing to verify.')
    alertRetry(
      `The block has not come in ${SILENCE_MS / 1000} seconds. The network, or something between this page and its server, may hold it up.`,
    )
  }, SILENCE_MS)
}

function onReading(reading: Reading): void {
  switch (reading.kind) {
    case 'block':
      window.clearTimeout(overdue)
      // One that was asked for twice may come twice.
      return blobs.length === 0 ? open(reading.sidecars) : undefined
    case 'root':
      showRoot(reading.root)
      return trustPanel.showHeader(blobs[0]!.original, reading.root)
    case 'hash':
      return blobs[reading.at]?.card.showHash(reading.hash)
    case 'picture':
      return blobs[reading.at]?.card.showPicture(reading.pixels, reading.filled)
    case 'failed':
      window.clearTimeout(overdue)
      if (blobs.length > 0) return
      element('#blobs', HTMLElement).replaceChildren()
      setText('#status', 'There is nothing to verify.')
      return alertRetry(`The block could not be read: ${reading.why}`)
  }
}

function open(sidecars: readonly Sidecar[]): void {
  blobs = sidecars.map((sidecar, at) => ({
    original: sidecar,
    sidecar,
    flipped: sidecar,
    flips: [],
    parts: new Set(),
    card: new Card(sidecar, at),
  }))
  element('#blobs', HTMLElement).replaceChildren(...blobs.map(({ card }) => card.item))
  target.append(...blobs.map((_, at) => new Option(`of blob ${at}`, String(at))))
  setText('#slot', integer(String(sidecars[0]!.signed_block_header.message.slot)))
  setText('#count', numberWord(sidecars.length))
  trustPanel.showHeader(sidecars[0]!, undefined)
  if (instrument !== null) showInstrument()
  const slot = String(sidecars[0]!.signed_block_header.message.slot)
  const { broken, blob, slot: wanted } = deepLink()
  if (broken === null) void verify()
  else onBreak(broken, Math.min(blob, blobs.length - 1))
  if (wanted !== null && wanted !== slot)
    alert(`This page carries slot ${integer(slot)} alone; slot ${wanted} is not here.`)
}

/** Shows in the grid and in the chain what is known. */
function showInstrument(): void {
  instrument?.open(blobs.map(({ sidecar }) => sidecar))
  if (lastRun !== null) showConclusion(lastRun)
}

/** Verifies all blobs as they are now, against the header if it is trusted. */
async function verify(): Promise<void> {
  if (blobs.length === 0) return
  if (running !== null) {
    isStale = true
    return
  }
  isStale = false
  lastRun = null
  if (isBroken) remake()
  dismissAlert()
  const { signal } = (running = new AbortController())
  const watch = new Watch(running)
  const headerTrusted = trust.checked
  const total = blobs.length
  enableButtons()
  progress.max = total
  progress.value = 0
  for (const [at, { card, sidecar }] of blobs.entries()) {
    card.wait('Its branch to the header is first')
    instrument?.wait(at, sidecar)
  }
  barWorking()
  setText('#status', `Verifying ${numberWord(total)} blobs…`)
  const open = new Set(blobs)
  let isMade = false
  try {
    watch.expect('the verifier has not been loaded')
    const verifier = await orAborted(making, signal)
    isMade = true
    watch.expect('no blob has had a verdict')
    showVerifier(verifier)
    instrument?.workers(verifier.workers)
    let firstAt: number | null = null
    const run = await runAll(
      verifier,
      blobs.map(({ sidecar }) => sidecar),
      {
        anchor: anchorNow(headerTrusted),
        signal,
        onChecking: (at) => blobs[at]!.card.check(),
        onVerdict: (at, timed) => {
          firstAt ??= performance.now()
          const blob = blobs[at]!
          open.delete(blob)
          blob.card.judge(timed)
          instrument?.judge(at, timed)
          progress.value++
          watch.expect('no other blob has had a verdict')
        },
      },
    )
    showRun(run, runs++ === 0 ? firstAt : null)
    conclude(run, headerTrusted)
    if (runs === 1) whenIdle(() => void extendAndControl(verifier))
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') {
      const results = blobs.map(() => null)
      conclude({ results, cancelled: true, firstMs: null, totalMs: 0 }, headerTrusted)
    } else {
      for (const { card } of open) card.fail()
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

function anchorNow(headerTrusted: boolean): Parameters<typeof runAll>[2]['anchor'] {
  const { signed_block_header: header } = blobs[0]!.original
  if (isRootBroken) return { header: { ...header, message: otherHeader(header.message) } }
  return headerTrusted ? { header } : 'none'
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
  if (blobs.length > 0) return void verify()
  setText('#status', 'Fetching the block…')
  if (isBroken) remake()
  read()
}

let lastRun: Run | null = null

/** What a run found, in the bar and the chain. */
function showConclusion(run: Run): void {
  const verdicts = run.results.map((timed): Verdict | null => timed?.verdict ?? null)
  barConclude(verdicts, run.totalMs, trust.checked)
  run.results.forEach((timed, at) => timed !== null && instrument?.judge(at, timed))
  instrument?.conclude(verdicts, changes())
}

/** What is broken now, and what was there before. */
function changes(): Map<BreakName, { blob: number; difference: Difference }> {
  const broken = new Map<BreakName, { blob: number; difference: Difference }>()
  blobs.forEach(({ original, flipped, flips, parts }, at) => {
    const [flip] = flips
    if (flip !== undefined && !broken.has('blob'))
      broken.set('blob', { blob: at, difference: elementsAt(flip.at, original, flipped) })
    for (const part of parts)
      if (!broken.has(part)) broken.set(part, { blob: at, ...breakPart(part, original, neighbour(at)) })
  })
  if (isRootBroken) {
    const { message } = blobs[0]!.original.signed_block_header
    broken.set('root', {
      blob: 0,
      difference: { expected: otherHeader(message).state_root, got: message.state_root },
    })
  }
  return broken
}

const neighbour = (at: number): Sidecar => blobs[(at + 1) % blobs.length]!.original

function conclude(run: Run, headerTrusted: boolean): void {
  lastRun = run
  showConclusion(run)
  const verdicts = run.results.flatMap((timed) => (timed === null ? [] : [timed.verdict]))
  trustPanel.show(verdicts, run.results.length, headerTrusted)
  const lines = [
    `${verdicts.filter(({ status }) => status === 'valid').length} of ${run.results.length} blobs valid.`,
  ]
  if (run.cancelled) lines.unshift('Cancelled.')
  const faults: string[] = []
  run.results.forEach((timed, at) => {
    if (timed === null) blobs[at]?.card.wait('Cancelled before it had a verdict')
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
  const sidecars = blobs.map(({ original }) => original.blob)
  await extend(sidecars, ({ at, parity }) => instrument?.extend(at, parity))
  await runControl(verifier)
  const { keepForOffline } = await import('./offline.ts')
  await keepForOffline()
}

async function runControl(verifier: Verifier): Promise<void> {
  const refused = await control(verifier, blobs[0]!.original).catch(() => null)
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
  const candidates = target.value === 'random' ? untouched() : [blobs[Number(target.value)]]
  const blob = candidates[Math.floor(Math.random() * candidates.length)]
  if (blob === undefined) return
  flipOne(blob)
  blob.card.reveal()
  change()
}

function flipOne(blob: Blob): void {
  const { sidecar, flip } = tamper(blob.flipped, blob.flips)
  blob.flipped = sidecar
  blob.flips.push(flip)
  blob.card.showFlips(blob.flips)
}

/** Breaks a link of the chain, for one blob or, where it is the header's, for all. */
function onBreak(name: BreakName, at = chosenBlob()): void {
  const blob = blobs[at]
  if (blob === undefined) return
  if (name === 'root') isRootBroken = true
  else if (name === 'blob') flipOne(blob)
  else blob.parts.add(name)
  change()
}

function onRestore(name: BreakName): void {
  unbreak(name)
  change()
}

function unbreak(name: BreakName): void {
  if (name === 'root') isRootBroken = false
  for (const blob of blobs) {
    if (name === 'blob') {
      blob.flipped = blob.original
      blob.flips = []
      blob.card.showFlips([])
    } else if (name !== 'root') blob.parts.delete(name)
  }
}

/** The blob that the cursor of the grid is on, or the one that is named beside the button, or the first. */
function chosenBlob(): number {
  return instrument?.selectedBlob ?? (target.value === 'random' ? 0 : Number(target.value))
}

/** Makes what the verifier is given from what was broken, and verifies it. */
function change(): void {
  blobs.forEach((blob, at) => {
    blob.sidecar = [...blob.parts].reduce(
      (sidecar, part) => breakPart(part, sidecar, neighbour(at)).sidecar,
      blob.flipped,
    )
  })
  const [first] = changes()
  showInAddress(first === undefined ? null : { broken: first[0], blob: first[1].blob })
  void verify()
}

/** Blobs that are still as they came, so that one press more is one blob more; all of them once there is none. */
function untouched(): readonly Blob[] {
  const whole = blobs.filter(({ flips }) => flips.length === 0)
  return whole.length > 0 ? whole : blobs
}

function restore(): void {
  for (const name of breakNames) unbreak(name)
  change()
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
  buttons.restore.enable(idle && changes().size > 0, !idle)
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
