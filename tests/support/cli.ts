/** The built command line: as a process, and in the test's own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const mainOfClone = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface Running {
  /** Sees each line of standard output as it comes. `kill` does so once: a second interruption would end it at once. */
  readonly onLine?: (line: string, kill: (signal: NodeJS.Signals) => void) => void
  /** What it reads; else it finds nothing there. `null`: it waits for ever. */
  readonly input?: Uint8Array | null
  readonly env?: Readonly<Record<string, string>>
  /** The file to run; default: that of this clone. */
  readonly main?: string
  /** After so many milliseconds it is killed, and `signal` is `SIGKILL`; default: it may take as long as the test. */
  readonly limitMs?: number
}

/** Runs `blobcheck` with these arguments, to its end. */
export async function blobcheck(args: readonly string[], running: Running = {}): Promise<Ended> {
  const { onLine = () => {}, input = new Uint8Array(0), env = {}, main = mainOfClone, limitMs } = running
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(limitMs === undefined ? {} : { timeout: limitMs, killSignal: 'SIGKILL' }),
  })
  // Whoever refuses an option does not read.
  child.stdin.on('error', () => {})
  if (input !== null) child.stdin.end(input)
  const kill = (signal: NodeJS.Signals): void => {
    if (!child.killed) child.kill(signal)
  }
  let [out, err, rest] = ['', '', '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line, kill)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, out, err }
}

/**
 * Runs `blobcheck` with these arguments in the test's own process: the same from the arguments to the exit code, without a start of
 * Node.js for each case. `kill` interrupts it, as a signal does a process.
 */
export async function blobcheckHere(
  args: readonly string[],
  { onLine = () => {}, input = new Uint8Array(0) }: Pick<Running, 'onLine' | 'input'> = {},
): Promise<Ended> {
  const { run } = await import('../../dist/cli/program.js')
  const interruption = new AbortController()
  const [stdout, stderr] = [keep((line) => onLine(line, () => interruption.abort())), keep(() => {})]
  const stdin = new Readable({ read() {} })
  if (input !== null) {
    stdin.push(input)
    stdin.push(null)
  }
  const code = await run(args, { stdin, stdout, stderr, signal: interruption.signal })
  return { code, signal: null, out: stdout.written, err: stderr.written }
}

/**
 * Runs a command that serves until a test is done with it, ends it by the signal, and tells how it ended. `read` finds in a line what the test
 * needs to know; the test begins with the first line in which it does. Throws what the test throws, and where there was no such line.
 */
export async function whileServing<T>(
  run: (onLine: NonNullable<Running['onLine']>) => Promise<Ended>,
  read: (line: string) => T | undefined,
  test: (facts: T, kill: (signal: NodeJS.Signals) => void) => Promise<void>,
  signal: NodeJS.Signals = 'SIGINT',
): Promise<Ended> {
  let tested: Promise<void> | undefined
  const ended = await run((line, kill) => {
    const facts = tested === undefined ? read(line) : undefined
    if (facts === undefined) return
    tested = test(facts, kill).finally(() => kill(signal))
    tested.catch(() => {})
  })
  if (tested === undefined) throw new Error(`it served nothing: ${ended.err}`)
  await tested
  return ended
}

/** Keeps what is written, and tells of each line. */
function keep(onLine: (line: string) => void): Writable & { written: string } {
  let rest = ''
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      kept.written += text
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
      done()
    },
  })
  const kept = Object.assign(stream, { written: '' })
  return kept
}

/** Lines of JSON, each of which must be one. */
export function jsonLines(out: string): Record<string, unknown>[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
