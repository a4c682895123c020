// What `cargo test` printed, as counts and names. Its tests run with `--nocapture`, so that a panic stands where it happened.

/** `{ suites, passed, ignored, failures, warnings }` of everything that a run of cargo printed on both of its streams. */
export function readCargo(output) {
  const report = { suites: 0, passed: 0, ignored: 0, failures: [], warnings: warningsOf(output) }
  for (const [, passed, , ignored] of output.matchAll(
    /^test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored/gm,
  )) {
    report.suites++
    report.passed += Number(passed)
    report.ignored += Number(ignored)
  }
  for (const [, names] of output.matchAll(/^failures:\n((?: {4}\S.*\n)+)/gm))
    for (const name of names
      .trim()
      .split('\n')
      .map((line) => line.trim()))
      report.failures.push({ name, error: panicOf(output, name) })
  // A program that was killed, or that did not compile, has no list of failures.
  for (const [line] of output.matchAll(
    /^.*(?:process didn't exit successfully.*\(signal|could not compile).*$/gm,
  ))
    report.failures.push({ name: 'cargo test', error: line.trim() })
  // To cargo, one whose test ended it with code 0 has passed: what came behind that test never ran.
  const ended = (output.match(/^running \d+ tests?$/gm) ?? []).length - report.suites
  if (ended > 0) {
    const error = `programs of tests that ended before they had a result: ${ended}`
    report.failures.push({ name: 'cargo test', error })
  }
  return report
}

/** What the compiler and clippy warned of, each with its place: what has none is another program's. */
function warningsOf(output) {
  return [...output.matchAll(/^warning: (.*)\n *--> (.*)$/gm)].map(([, words, place]) => `${place} ${words}`)
}

/** What a test said when it panicked: the place and the first line. */
function panicOf(output, name) {
  const lines = output.split('\n')
  const at = lines.findIndex((line) => line.includes(`thread '${name}'`) && line.includes('panicked at'))
  if (at < 0) return 'it does not say why'
  return `${lines[at].replace(/^.*panicked at /, '')} ${lines[at + 1] ?? ''}`.trim()
}
