/** The page: reads a block, verifies it, and lets its reader try to fool the verifier. */
import { createVerifier, IndexedDbCache, type Verifier } from 'blobcheck'
import { Card } from './card.ts'
import { control } from './control.ts'
import { showRun, showVerifier } from './figures.ts'
import { element, pressable, setText } from './page.ts'
import { startReading } from './reader.ts'
import type { Reading } from './reading.ts'
import { type Run, runAll } from './run.ts'
import type { Sidecar } from './sidecar.ts'
import { type Flip, tamper } from './tampering.ts'
import { TrustPanel } from './trust.ts'
import { orAborted, StalledError, Watch } from './watch.ts'
import { detailOf, errorWords, integer, numberWord } from './words.ts'

const BLOCK = new URL('holesky_1409759_blob_sidecars.json', document.baseURI).href

/** A blob as it came, as it is now, and what was done to it. */
interface Blob {
  readonly original: Sidecar
  readonly card: Card
  sidecar: Sidecar
  flips: Flip[]
}

// Before all else: the verifier compiles and starts its workers while the page is set up, and its block is fetched and parsed.
let making: Promise<Verifier> = make()
/** Whether the next run needs another verifier, as this one failed or is overdue. */
let isBroken = false
making.catch(fail)

let blobs: readonly Blob[] = []
let running: AbortController | null = null
let runs = 0

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

startReading(BLOCK, onReading)

async function make(): Promise<Verifier> {
  return await createVerifier({ network: 'holesky' })
}

function onReading(reading: Reading): void {
  switch (reading.kind) {
    case 'block':
      return open(reading.sidecars)
    case 'root':
      return trustPanel.showHeader(blobs[0]!.original, reading.root)
    case 'hash':
      return blobs[reading.at]?.card.showHash(reading.hash)
    case 'picture':
      return blobs[reading.at]?.card.showPicture(reading.pixels, reading.filled)
    case 'failed':
      element('#blobs', HTMLElement).replaceChildren()
      setText('#status', 'There is nothing to verify.')
      return alertRetry(`The block could not be read: ${reading.why}`)
  }
}

function open(sidecars: readonly Sidecar[]): void {
  blobs = sidecars.map((sidecar, at) => ({
    original: sidecar,
    sidecar,
    flips: [],
    card: new Card(sidecar, at),
  }))
  element('#blobs', HTMLElement).replaceChildren(...blobs.map(({ card }) => card.item))
  target.append(...blobs.map((_, at) => new Option(`of blob ${at}`, String(at))))
  setText('#slot', integer(String(sidecars[0]!.signed_block_header.message.slot)))
  setText('#count', numberWord(sidecars.length))
  trustPanel.showHeader(sidecars[0]!, undefined)
  void verify()
}

/** Verifies all blobs as they are now, against the header if it is trusted. */
async function verify(): Promise<void> {
  if (running !== null || blobs.length === 0) return
  if (isBroken) remake()
  dismissAlert()
  const { signal } = (running = new AbortController())
  const watch = new Watch(running)
  const headerTrusted = trust.checked
  const total = blobs.length
  enableButtons()
  progress.max = total
  progress.value = 0
  for (const { card } of blobs) card.wait('Its branch to the header is first')
  setText('#status', `Verifying ${numberWord(total)} blobs…`)
  const open = new Set(blobs)
  let isMade = false
  try {
    watch.expect('the verifier has not been loaded')
    const verifier = await orAborted(making, signal)
    isMade = true
    watch.expect('no blob has had a verdict')
    showVerifier(verifier)
    let firstAt: number | null = null
    const run = await runAll(
      verifier,
      blobs.map(({ sidecar }) => sidecar),
      {
        anchor: headerTrusted ? { header: blobs[0]!.original.signed_block_header } : 'none',
        signal,
        onChecking: (at) => blobs[at]!.card.check(),
        onVerdict: (at, timed) => {
          firstAt ??= performance.now()
          const blob = blobs[at]!
          open.delete(blob)
          blob.card.judge(timed)
          progress.value++
          watch.expect('no other blob has had a verdict')
        },
      },
    )
    showRun(run, runs++ === 0 ? firstAt : null)
    conclude(run, headerTrusted)
    if (runs === 1) whenIdle(() => void runControl(verifier))
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
  if (trust.checked !== headerTrusted) await verify()
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
  startReading(BLOCK, onReading)
}

function conclude(run: Run, headerTrusted: boolean): void {
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
  const { sidecar, flip } = tamper(blob.sidecar, blob.flips)
  blob.sidecar = sidecar
  blob.flips.push(flip)
  blob.card.showFlips(blob.flips)
  blob.card.reveal()
  void verify()
}

/** Blobs that are still as they came, so that one press more is one blob more; all of them once there is none. */
function untouched(): readonly Blob[] {
  const whole = blobs.filter(({ flips }) => flips.length === 0)
  return whole.length > 0 ? whole : blobs
}

function restore(): void {
  for (const blob of blobs) {
    blob.sidecar = blob.original
    blob.flips = []
    blob.card.showFlips([])
  }
  void verify()
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
  buttons.restore.enable(idle && blobs.some(({ flips }) => flips.length > 0), !idle)
  buttons.again.enable(idle, !idle)
  buttons.forget.enable(idle, !idle)
  buttons.cancel.enable(!idle)
  trust.disabled = false
}

function fail(error: unknown): void {
  isBroken = true
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
