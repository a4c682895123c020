/**
 * The package's worker with traps in it, and with a diary. What it does is in its own URL:
 *
 * - `poison=7`  dies of any task whose data holds a blob or cell of the constant 7 (`make.ts`);
 * - `company=7` dies of it only where there is other data with it;
 * - `start`, `setup`, `parse`, `close`, `confirm`  dies when it starts, is set up, is asked to parse, for a pairing or to confirm a refusal;
 * - `refuse`  says of all that it verifies that it is false, as a miscompiled kernel might; what confirms is not affected;
 * - `unsound`  fails the kernel's probe when it is repeated;
 * - `diary=name` writes each task that it has done, when, and its memory after it, to a BroadcastChannel. What two workers write comes in any order.
 * - `rehearsal` writes that, too, for each step of its rehearsal;
 * - `gate=name`  waits with KZG until that gate is opened (`makeGate`).
 *
 * It dies without a word: in Node by `process.exit`, in a browser by `close()`, which fires no event anywhere.
 */
import { parent } from '#platform'
import { instance as relaxed } from '#wasm/verifier/relaxed-simd'
import { instance as simd128 } from '#wasm/verifier/simd128'
import { expose } from 'comlink'
import { createTasks } from '../../dist/verifier/worker/tasks.js'

const traps = new URL(import.meta.url).searchParams
const tasks = createTasks('die')
const thread = Math.random().toString(36).slice(2)
const diary = traps.has('diary') ? new BroadcastChannel(traps.get('diary')) : null
diary?.unref?.()
/** The instance that the tasks run on; `initSync` gives the one that there is. */
let glue = simd128

/** Asks at the gate, since it may have been opened before this worker was there. */
function pass() {
  const gate = new BroadcastChannel(traps.get('gate'))
  return new Promise((opened) => {
    gate.onmessage = ({ data }) => {
      if (data !== 'open') return
      gate.close()
      opened()
    }
    gate.postMessage('held')
  })
}

function die() {
  if (typeof process === 'object') process.exit(1)
  self.close()
  return new Promise(() => {})
}

/** Whether data ends with the scalar that the parameter names. */
function holds(data, trap) {
  const wanted = Number(traps.get(trap) ?? Number.NaN)
  return new DataView(data.buffer, data.byteOffset).getUint32(data.length - 4) === wanted
}

const kills = (parts) =>
  parts.some((bytes) => holds(bytes, 'poison') || (parts.length > 1 && holds(bytes, 'company')))

const trapped =
  (task, run, partsOf = () => []) =>
  async (...given) => {
    if (kills(partsOf(...given)) || traps.has(task)) return die()
    if (traps.has('gate') && (task === 'collect' || task === 'verify')) await pass()
    const answer = await run(...given)
    const at = performance.timeOrigin + performance.now()
    diary?.postMessage({ thread, task, at, memory: glue.initSync({}).memory.buffer.byteLength })
    return answer
  }

/** What a kernel that refuses everything says of a batch. */
const refused = { status: 'invalid', stage: 'kzg', reason: 'commitment-mismatch' }
const verify = async (list) => {
  const answer = await tasks.verify(list)
  return traps.has('refuse') ? { ...answer, outcomes: answer.outcomes.map(() => refused) } : answer
}
const closeBare = (...given) => !traps.has('refuse') && tasks.closeBare(...given)

/** The data of units, whose bodies' hashes are behind them: a blob's ends before its commitment, a cell's with the unit. */
const units = (list) => list.map((unit) => unit.subarray(0, unit[0] === 1 ? -48 - 32 : -32))
/** The data of what was delivered: of a blob, of a cell, or of a blob sidecar as SSZ, behind its index. */
const delivered = ({ items }) =>
  items.map(({ item }) => item.blob ?? item.cell ?? item.subarray(8, 8 + 131_072))

if (traps.has('start')) await die()

expose(
  {
    setUp: trapped('setup', (setup) => {
      glue = setup.kernel === 'simd128' ? simd128 : relaxed
      return tasks.setUp(setup)
    }),
    check: trapped('check', tasks.check, traps.has('checks') ? delivered : undefined),
    collect: trapped('collect', tasks.collect, units),
    close: trapped('close', tasks.close),
    verify: trapped('verify', verify, units),
    takeCommitmentKernel: tasks.takeCommitmentKernel,
    commitPart: trapped('close', tasks.commitPart),
    closeBare: trapped('close', closeBare),
    confirm: trapped('confirm', tasks.confirm),
    parse: trapped('parse', tasks.parse),
    hold: tasks.hold,
    ping: tasks.ping,
    warmUp: trapped('warmUp', tasks.warmUp),
    probe: () => !traps.has('unsound') && tasks.probe(),
    rehearse: traps.has('rehearsal') ? trapped('rehearse', tasks.rehearse) : tasks.rehearse,
  },
  parent(),
)
