// What ran, stage by stage: how much of it passed, and by name what failed and what was left out.

const passed = { count: 0 }
const failures = []
const skips = []
const stages = []
const times = []
const engines = []

/** Runs a stage, and keeps how long it took. Stages may run side by side. */
export async function stage(name, task) {
  console.log(`\n── ${name}`)
  const since = performance.now()
  const result = await task()
  stages.push({ name, ms: performance.now() - since })
  return result
}

export function pass(count = 1) {
  passed.count += count
}

/** `error` is what the failure says; the end of the log repeats its first line. */
export function fail(name, error) {
  failures.push({ name, error: firstLine(error) })
}

export function skip(name) {
  skips.push(name)
}

/** A file of tests, how long it took, and how much of the processor's time: 0 where that is not known. */
export function took(name, ms, cpu) {
  times.push({ name, ms, cpu })
}

/** An engine, with the kernel and the workers of its verifier, and how many tests passed in it, or answers where one test asks for many. */
export function ranIn({ name, kernel, workers }, passed) {
  const known = engines.find((other) => other.engine === name && other.kernel === kernel)
  if (known === undefined) engines.push({ engine: name, kernel, workers, passed })
  else known.passed += passed
}

/** The counts, in the form in which they are remembered and printed. */
export function total() {
  return { passed: passed.count, failed: failures.length, skipped: skips.length }
}

/** The end of the log: how long each stage took, what was left out, and what failed, for those who read nothing else. */
export function printEnd() {
  console.log('\ntime, of stages that ran side by side')
  for (const { name, ms } of stages) console.log(`${(ms / 1000).toFixed(0).padStart(6)} s  ${name}`)
  const slowest = times.sort((a, b) => b.ms - a.ms).slice(0, 10)
  if (slowest.length > 0) console.log('\nthe ten files that took longest')
  for (const { name, ms, cpu } of slowest)
    console.log(`${inSeconds(ms)}  ${name}${cpu > 0 ? `, ${inSeconds(cpu).trim()} of a processor` : ''}`)
  if (engines.length > 0) {
    console.log('\nthe engines, and what a verifier chooses there')
    console.table(engines)
  }
  if (skips.length > 0) console.log(`\nskipped\n${skips.map((name) => `  ${name}`).join('\n')}`)
  if (failures.length > 0) console.log('\nfailed')
  for (const { name, error } of failures) console.log(`  ${name}\n    ${error}`)
}

/** One line of `N passed, N failed, N skipped`. */
export function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

function inSeconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`
}

function firstLine(text) {
  const [line] = String(text).trim().split('\n')
  return line.length > 300 ? `${line.slice(0, 300)} …` : line
}
