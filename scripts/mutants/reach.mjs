// Which mutants each test comes by.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { filesIn, folder, tree } from './tree.mjs'

/** The tests that are asked: those that come to the verifier, the sampler or the source of blobs without programs, pages or other modules. */
const TESTS =
  /^(shared\/(?!light-client|prover|serve|sizes)|wasm\/(blocks|forks|(gloas|spec)-gossip|hostile|sidecar-rules)|node\/(assemble|fork-to-come|batch(-defects|-plan|-run|er)\.|call(-items)?\.|check(s|-items)\.|layered-cache|taken-items|pending-verifications|pipeline|blobs-|block-anchor|commitment-kernels|create-verifier|lent-buffers|probe-again|signature-check|tracer|verdict-caches|verifier-methods|worker-(answers|rehearsal|spawn|tasks)|refusals|sampler|proposer|model-(sampler|follow|blobs)))/

/** Milliseconds until a file's first test begins. */
export const START = 1_000

/** By file of tests, which mutants each of its tests comes by, and the milliseconds that it takes. It is kept until tests or scripts change. */
export async function reachOf(mutants, each, deadline) {
  const kept = join(folder, 'reach')
  mkdirSync(kept, { recursive: true })
  const files = filesIn(join(tree, 'tests')).filter((path) => path.endsWith('.test.ts') && TESTS.test(path))
  const hash = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex')
  const counting = readFileSync(join(root, 'scripts/mutants/reached.mjs'), 'utf8')
  const state = hash(process.version, counting, ...mutants.map(({ id }) => id))
  const reaches = []
  await each(files, async (file, runner) => {
    const path = join(tree, 'tests', file)
    const key = hash(state, readFileSync(path, 'utf8')).slice(0, 16)
    const at = join(kept, `${file.replaceAll('/', '-')}.json`)
    let reach = existsSync(at) ? JSON.parse(readFileSync(at, 'utf8')) : {}
    if (reach.key !== key) {
      if (Date.now() > deadline) return
      const { failure, ...found } = await runner.reach(file)
      // A file that fails as it is says nothing.
      if (failure !== null) console.log(`left out  ${file}: ${failure.message}`)
      reach = { key, file, ...(failure === null ? found : { tests: [], around: [] }) }
      writeFileSync(at, JSON.stringify(reach))
      console.log(`reach     ${file}: ${reach.tests.length} tests`)
    }
    const tests = reach.tests.map((test) => ({ ...test, file, reached: new Set(test.reached) }))
    reaches.push({ file, tests, around: new Set(reach.around) })
  })
  return reaches
}

/** The tests that come by a mutant and are wanted, those of a file together: first the files that try most in a second. */
export function candidatesOf({ number }, reaches, isWanted) {
  return reaches
    .map(({ file, tests, around }) => {
      const some = tests.filter((test) => (test.reached.has(number) || around.has(number)) && isWanted(test))
      const time = some.reduce((sum, test) => sum + test.time, 0)
      return { file, time, ids: some.map(({ id }) => id) }
    })
    .filter(({ ids }) => ids.length > 0)
    .sort((a, b) => b.ids.length / (START + b.time) - a.ids.length / (START + a.time))
}
