// What the scripts with mutants ask (`questions.mjs`): which one runs is the same for all threads of a process, and may change while they run.
// `MUTANT_FILE` names the file with the number of the one that runs at first; where it has none, it is counted how often each is come by.
import { readFileSync } from 'node:fs'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

const KEY = 'blobcheck: mutants'
const MOST = 1 << 16
const NONE = -1

if (isMainThread && getEnvironmentData(KEY) === undefined) {
  const file = process.env['MUTANT_FILE']
  const text = file === undefined ? '' : readFileSync(file, 'utf8').trim()
  const state = new Int32Array(new SharedArrayBuffer(8))
  state[0] = text === '' ? NONE : Number(text)
  setEnvironmentData(KEY, { state, counts: new Uint32Array(new SharedArrayBuffer(4 * MOST)) })
}

/** `state`: the mutant that runs, and whether it was come by. `counts`: how often each was come by while none ran. */
const { state, counts } = getEnvironmentData(KEY)

export { counts }

/** The mutant that runs, or null. */
export const chosen = () => (state[0] === NONE ? null : state[0])

/** Has another mutant run from now on, or none. */
export function choose(number) {
  state[0] = number ?? NONE
  state[1] = 0
}

/** Whether the mutant was come by since it was chosen. */
export const wasReached = () => state[1] === 1

/** Whether this mutant runs. */
export function isMutant(id) {
  if (state[0] === NONE) counts[id]++
  if (id !== state[0]) return false
  state[1] = 1
  return true
}
