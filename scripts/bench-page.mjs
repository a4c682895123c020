// `npm run bench:page`: builds the demo page, and measures in headless Chromium when a visitor sees the first verdict.
import { parseArgs } from 'node:util'
import { buildPage, setUpAllOrExit } from './setup.mjs'

const USAGE = 'npm run bench:page [-- --rounds N]'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } })
const rounds = Number(values.rounds)
if (Number.isInteger(rounds) && rounds > 0) {
  await setUpAllOrExit()
  await buildPage()
  const { benchPage } = await import('../tests/bench/page/main.mjs')
  await benchPage({ rounds })
} else {
  console.error(`--rounds must be a positive integer\n${USAGE}`)
  process.exitCode = 2
}
