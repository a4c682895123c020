// What `npm test` makes of cargo's output: a failure that it overlooked would pass for a success.
import { expect, it } from 'vitest'
import { readCargo } from '../../scripts/cargo-report.mjs'

const OUTPUT = `
running 4 tests
.
thread 'sums::add' (17304) panicked at crates/a/src/sums.rs:4:64:
assertion \`left == right\` failed: carries
  left: 1
 right: 2
sums::add --- FAILED
i
failures:

failures:
    sums::add
    sums::vanish

test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.14s

running 4 tests
....
test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s
`

it('counts what passed, and names what failed with its reason', () => {
  expect(readCargo(OUTPUT)).toEqual({
    suites: 2,
    passed: 5,
    ignored: 1,
    failures: [
      {
        name: 'sums::add',
        error: 'crates/a/src/sums.rs:4:64: assertion `left == right` failed: carries',
      },
      { name: 'sums::vanish', error: 'it does not say why' },
    ],
    warnings: [],
  })
})

it('has what the compiler warned of, and not what a test printed', () => {
  const warned = `
warning: this expression creates a reference which is immediately dereferenced by the compiler
  --> crates/a/src/sums.rs:12:9
   |
   = note: \`#[warn(clippy::needless_borrow)]\` on by default

warning: \`a\` (lib) generated 1 warning
warning: the module has more panics than it had
`
  expect(readCargo(warned + OUTPUT).warnings).toEqual([
    'crates/a/src/sums.rs:12:9 this expression creates a reference which is immediately dereferenced by the compiler',
  ])
})

it('sees a program that ended before it had a result, whatever its code', () => {
  const ended = '\nrunning 3 tests\n.\nrunning 1 test\n\nrunning 0 tests\n'
  const none =
    'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n'
  const { failures } = readCargo(OUTPUT + ended + none)
  expect(failures.at(-1)).toEqual({
    name: 'cargo test',
    error: 'programs of tests that ended before they had a result: 2',
  })
  expect(failures).toHaveLength(3)
})

it('sees what did not compile, and what was killed', () => {
  const compile = 'error: could not compile `c` (test "k") due to 1 previous error'
  const killed = "  process didn't exit successfully: `target/k` (signal: 6, SIGABRT: process abort signal)"
  for (const line of [compile, killed])
    expect(readCargo(`${OUTPUT}\n${line}\n`).failures.at(-1)).toEqual({
      name: 'cargo test',
      error: line.trim(),
    })
})
