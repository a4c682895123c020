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
import { detailOf, errorWords, integer, numberWord } from './words.ts'

const BLOCK = new URL('holesky_1409759_blob_sidecars.json', document.baseURI).href

/** A blob as it came, as it is now, and what was done to it. */
interface Blob {
  readonly original: Sidecar
  readonly card: Card
  sidecar: Sidecar
  flips: Flip[]
}

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
trust.addEventListener('change', () => void verify())

element('#unstarted', HTMLElement).remove()
setText('#status', 'Fetching the block…')

// Both at once: the block is fetched and parsed while the verifier compiles and starts its workers.
let making: Promise<Verifier> = createVerifier({ network: 'holesky' })
making.catch(fail)
startReading(BLOCK, onReading)

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
      setText('#status', 'There is nothing to verify.')
      return alert(`The block could not be read: ${reading.why}`)
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
  const { signal } = (running = new AbortController())
  const headerTrusted = trust.checked
  const total = blobs.length
  enableButtons()
  progress.max = total
  progress.value = 0
  for (const { card } of blobs) card.wait('Its branch to the header is first')
  setText('#status', `Verifying ${numberWord(total)} blobs…`)
  try {
    const verifier = await making
    showVerifier(verifier)
    let firstAt: number | null = null
    const run = await runAll(
      verifier,
      blobs.map(({ sidecar }) => sidecar),
      {
        anchor: headerTrusted ? { header: blobs[0]!.original.signed_block_header } : 'none',
        signal,
        onChecking: (at) => blobs[at]?.card.check(),
        onVerdict: (at, timed) => {
          firstAt ??= performance.now()
          blobs[at]?.card.judge(timed)
          progress.value++
        },
      },
    )
    showRun(run, runs++ === 0 ? firstAt : null)
    conclude(run, headerTrusted)
    if (runs === 1) whenIdle(() => void runControl(verifier))
  } catch (error) {
    fail(error)
  } finally {
    running = null
    enableButtons()
  }
  // Switched meanwhile: what is on the screen answers another question.
  if (trust.checked !== headerTrusted) await verify()
}

function conclude(run: Run, headerTrusted: boolean): void {
  const verdicts = run.results.flatMap((timed) => (timed === null ? [] : [timed.verdict]))
  trustPanel.show(verdicts, run.results.length, headerTrusted)
  const lines = [
    `${verdicts.filter(({ status }) => status === 'valid').length} of ${run.results.length} blobs valid.`,
  ]
  if (run.cancelled) lines.unshift('Cancelled.')
  run.results.forEach((timed, at) => {
    if (timed === null) blobs[at]?.card.wait('Cancelled before it had a verdict')
    else if (timed.verdict.status !== 'valid') lines.push(`Blob ${at}: ${detailOf(timed.verdict)}.`)
  })
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
    return await createVerifier({ network: 'holesky' })
  })()
  void verify()
}

function enableButtons(): void {
  const idle = running === null
  buttons.tamper.enable(idle)
  buttons.restore.enable(idle && blobs.some(({ flips }) => flips.length > 0))
  buttons.again.enable(idle)
  buttons.forget.enable(idle)
  buttons.cancel.enable(!idle)
  trust.disabled = false
}

function fail(error: unknown): void {
  setText('#status', 'There are no verdicts.')
  alert(errorWords(error))
}

function alert(text: string): void {
  setText('#alert', text)
  element('#alert', HTMLElement).hidden = false
}

function whenIdle(task: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(task, { timeout: 2000 })
  else setTimeout(task, 200)
}
