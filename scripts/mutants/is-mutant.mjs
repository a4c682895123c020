// What the scripts with mutants ask (`questions.mjs`). `MUTANT_FILE` names the file with the number of the mutant that runs; where it has none, it is
// counted how often each is come by, in all threads of the process.
import { readFileSync } from 'node:fs'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

const KEY = 'blobcheck: mutants'
const MOST = 1 << 16

const file = process.env['MUTANT_FILE']
const text = file === undefined ? '' : readFileSync(file, 'utf8').trim()

/** The mutant that runs, or null. */
const chosen = text === '' ? null : Number(text)

if (isMainThread && getEnvironmentData(KEY) === undefined)
  setEnvironmentData(KEY, new Uint32Array(new SharedArrayBuffer(4 * MOST)))

/** How often each mutant was come by; nobody counts where one runs. */
export const counts = chosen === null ? getEnvironmentData(KEY) : undefined

/** Whether this process runs a mutant. */
export const isMutant =
  chosen === null
    ? (id) => {
        counts[id]++
        return false
      }
    : (id) => id === chosen
