// `npm run bench:browser`: sets up what is missing, and measures in headless Chromium.
import { parseArgs } from 'node:util'
import { setUpOrExit } from './setup.mjs'

const USAGE = 'npm run bench:browser [-- --rounds N] [--peers A,B,…] [--json FILE] [--markdown FILE]'

const options = readOptions(process.argv.slice(2))
if (options !== null) {
  await setUpOrExit()
  try {
    const { installPeers } = await import('../tests/bench/install.mjs')
    await installPeers()
    const { leaveNothingBehind } = await import('../tests/bench/processes.mjs')
    leaveNothingBehind()
    const { benchBrowser, choose } = await import('../tests/bench/browser/main.mjs')
    await benchBrowser({ ...options, peers: choose(options.peers) })
    process.exit()
  } catch (error) {
    console.error(`\nthe bench failed: ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  }
}

function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        rounds: { type: 'string', default: '3' },
        peers: { type: 'string' },
        json: { type: 'string' },
        markdown: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const rounds = Number(values.rounds)
    if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a positive integer')
    if (!values.help) return { ...values, args, rounds, peers: values.peers?.split(',') }
    console.log(USAGE)
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    process.exitCode = 2
  }
  return null
}
