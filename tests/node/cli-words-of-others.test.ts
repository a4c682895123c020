/** Words of others in what commands complain about: of files, their names, and the command line. None steers the terminal. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { identityOf } from '../../dist/cli/audit/identity.js'
import { ReportFile } from '../../dist/cli/audit/report-file.js'
import { folder } from '../support/beacons.ts'
import { blobcheck, blobcheckHere } from '../support/cli.ts'

const EVIL = '\u001b[2J\u001b]0;owned\u0007\u009b1m\u202e'
const STEERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/

async function evilFile(content: string): Promise<string> {
  const path = join(await folder(), `a${EVIL}b.json`)
  await writeFile(path, content)
  return path
}

const commands = [
  ['verify', 'x'],
  ['sample', '--beacon', 'http://127.0.0.1:1', '--trust-endpoint'],
  ['light-client', '--once', '--checkpoint', `0x${'1'.repeat(64)}`, '--beacon', 'http://127.0.0.1:1'],
]

it.each(commands)('%s: of a network file and its name', async (...command) => {
  for (const content of [`${EVIL}{`, `{"${EVIL}`, `{"a":1}\n${EVIL}`, '{"genesisTime":1}']) {
    const { code, out, err } = await blobcheckHere([...command, '--network', await evilFile(content)])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('b.json')
    expect(err).not.toMatch(STEERS)
  }
})

it.each([
  ['an option’s value', ['verify', '--as', EVIL, 'x']],
  ['an option', ['verify', `--${EVIL}`, 'x']],
  ['a command', [EVIL]],
  ['a block', ['sample', '--block', EVIL]],
  ['a part', ['serve', '--corrupt', EVIL]],
  ['a root', ['light-client', '--checkpoint', EVIL]],
  ['a header', ['verify', '--header', EVIL, 'x']],
  ['a beacon', ['sample', '--trust-endpoint', '--beacon', EVIL]],
])('the command line: %s', async (_name, args) => {
  const { code, out, err } = await blobcheckHere(args)
  expect(code).toBe(2)
  expect(err).not.toBe('')
  expect(out + err).not.toMatch(STEERS)
})

it('help, whatever the environment says', async () => {
  const { code, out } = await blobcheck(['sample', '--help'], { env: { XDG_CACHE_HOME: `/${EVIL}` } })
  expect(code).toBe(0)
  expect(out).toContain('blobcheck')
  expect(out).not.toMatch(STEERS)
})

it('the name of a report', async () => {
  const [from, to, server] = [100, 100, 'http://127.0.0.1:1']
  const path = join(await folder(), `a${EVIL}b.jsonl`)
  const identity = identityOf({ from, to, network: 'mainnet', servers: [server] })
  const report = await ReportFile.open(path, identity, { all: false, retry: false })
  // All of it, so that nobody is asked.
  const slot = { slot: from, root: null, header: 'trusted', outcome: 'no-block', reason: null } as const
  const rest = { detail: null, blobs: { wanted: null, valid: 0 }, servers: [], bytes: 0 }
  await report.add({ from, to, slots: [{ ...slot, ...rest }] })
  await report.close()
  const args = ['audit', '--from', `${from}`, '--to', `${to}`, '--trust-endpoint', '--beacon', server]
  const { code, out, err } = await blobcheckHere([...args, '--report', path])
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('b.jsonl')
  expect(out).not.toMatch(STEERS)
})

it('what cannot be served, and what is', async () => {
  const nowhere = join(await folder(), EVIL, 'network.json')
  const args = ['serve', '--port', '0', '--slots', '1', '--blobs', '0', '--network-file']
  const refused = await blobcheckHere([...args, nowhere])
  expect(refused.code).not.toBe(0)
  expect(refused.err).toContain('network.json: the folder that it is to be in is not there')
  for (const form of [[], ['--json']]) {
    const file = await evilFile('')
    const served = await blobcheckHere([...args, file, ...form], {
      onLine: (_line, kill) => kill('SIGINT'),
    })
    expect(served.code).toBe(0)
    // No header can have that for its value.
    const odd = await blobcheckHere([...args, await evilFile(''), '--content-type', `x${EVIL}`, ...form])
    expect(odd.code).toBe(2)
    for (const { out, err } of [served, refused, odd]) {
      expect(out + err).not.toBe('')
      expect(out + err).not.toMatch(STEERS)
    }
  }
})
