// The command line.
import { parseArgs } from 'node:util'
import { chooseRows, operations } from './operations.mjs'
import { choosePeers, peers } from './peers/index.mjs'

/** Beside the operations: what workers gain, what stages cost, and the bytes over the wire. */
const EXTRAS = ['poolScaling', 'stages', 'wire']

const USAGE = `npm run bench [-- options]

  --quick            three rows and the stages, in seconds; peers only if they are installed
  --rounds N         turns that each implementation gets at each row (default 5; quick: 3)
  --ops A,B/6,…      only these operations, at all their sizes or at one
  --peers A,B,…      only these implementations
  --node 24          measure under a current Node, which has the relaxed-SIMD kernel
  --no-pin           do not hold measured processes on one core
  --no-setup         measure what is built and installed already
  --json FILE        write { env, results, … }, anew after each row
  --markdown FILE    write the tables into their section of FILE, anew after each row

operations       ${wrap([...Object.keys(operations), ...EXTRAS])}
implementations  ${wrap(Object.keys(peers))}`

/** The options, or null where there is nothing to do but what was printed. */
export function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        ops: { type: 'string' },
        peers: { type: 'string' },
        node: { type: 'string' },
        'no-pin': { type: 'boolean', default: false },
        'no-setup': { type: 'boolean', default: false },
        json: { type: 'string' },
        markdown: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) {
      console.log(USAGE)
      return null
    }
    const list = (text) =>
      text
        ?.split(',')
        .map((name) => name.trim())
        .filter(Boolean)
    const ops = list(values.ops)
    return {
      args,
      quick: values.quick,
      rounds: positive(values.rounds ?? (values.quick ? '3' : '5'), '--rounds'),
      rows: chooseRows(
        ops?.filter((name) => !EXTRAS.includes(name)),
        values.quick,
      ),
      extras: EXTRAS.filter((name) =>
        ops === undefined ? !values.quick || name === 'stages' : ops.includes(name),
      ),
      peers: choosePeers(list(values.peers), values.quick),
      node: values.node === undefined ? undefined : positive(values.node, '--node'),
      pin: !values['no-pin'],
      setup: !values['no-setup'],
      json: values.json,
      markdown: values.markdown,
    }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exitCode = 2
    return null
  }
}

function positive(text, name) {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a positive integer`)
  return value
}

function wrap(names) {
  const lines = ['']
  for (const name of names) {
    if (lines.at(-1).length + name.length > 90) lines.push('')
    lines[lines.length - 1] += `${lines.at(-1) === '' ? '' : ', '}${name}`
  }
  return lines.join(`,\n${' '.repeat(17)}`)
}
