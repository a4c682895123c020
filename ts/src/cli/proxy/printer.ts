/** What `blobcheck proxy` prints: a line for each event, for people or as JSON. Trouble goes to the standard error as well as faults. */
import { type LogEntry, logLine } from '../../proxy/access-log.ts'
import { printable } from '../../util/printable.ts'
import type { CommandContext } from '../command.ts'
import { jsonLine } from '../terminal/output.ts'
import { counted, printError } from '../terminal/words.ts'

/** What is said of a proxy that has started. */
export interface Started {
  readonly url: string
  readonly network: string
  readonly beacon: readonly string[]
  readonly archives: readonly string[]
  /** What headers will rest on: nothing has been verified yet. */
  readonly headers: keyof typeof headersFrom
  readonly cached: number | null
}

const headersFrom = { verified: 'from your checkpoint', 'on trust': 'on the endpoints’ word' } as const

/** Where events go. */
export interface ProxyPrinter {
  warned(text: string): void
  started(started: Started): void
  /** Of the chain that is followed, and of the cache on disk. */
  news(text: string, isTrouble: boolean): void
  answered(entry: LogEntry): void
  /** A fault of our own. */
  faulted(error: Error): void
  stopping(): void
  /** `cut`: answers that were cut off. */
  stopped(cut: number): void
  /** The command failed: it could not start, or cannot go on. */
  failed(error: Error): void
}

export function proxyPrinter(isJson: boolean, context: CommandContext): ProxyPrinter {
  return isJson ? jsonPrinter(context) : textPrinter(context)
}

function jsonPrinter({ stdout }: CommandContext): ProxyPrinter {
  const print = (event: string, data: object): void =>
    void stdout.write(jsonLine({ event, time: new Date().toISOString(), ...data }))
  return {
    warned: (text) => print('warning', { text }),
    started: (started) => print('started', started),
    news: (text, isTrouble) => print(isTrouble ? 'trouble' : 'news', { text: printable(text) }),
    answered: ({ at, ...entry }) =>
      print('request', { time: new Date(at).toISOString(), ...entry, ms: Math.round(10 * entry.ms) / 10 }),
    faulted: (error) => print('fault', { error: error.name, message: printable(error.message) }),
    stopping: () => print('stopping', {}),
    stopped: (cut) => print('stopped', { cut }),
    failed: (error) => print('failed', { error: error.name, message: error.message }),
  }
}

/** Every line begins with the time, and no line is wrapped: a log is read by programs, too. */
function textPrinter({ stdout, stderr }: CommandContext): ProxyPrinter {
  const line = (out: CommandContext['stdout'], word: string, text: string): void =>
    void out.write(`${new Date().toISOString()} ${word} ${printable(text)}\n`)
  return {
    warned: (text) => line(stderr, 'warning', text),
    started({ url, network, beacon, archives, headers, cached }) {
      const kept = cached === null ? 'no cache on disk' : `${counted(cached, 'blob')} in the cache`
      const asked = [...beacon, ...archives.map((origin) => `${origin} (archive)`)].join(' ')
      line(
        stdout,
        'listening',
        `on ${url}, ${network}, headers ${headersFrom[headers]}, ${kept}; asks ${asked}`,
      )
    },
    news: (text, isTrouble) => line(stdout, isTrouble ? 'trouble' : 'news', text),
    answered: (entry) => void stdout.write(`${logLine(entry)}\n`),
    faulted: (error) => line(stderr, 'fault', faultInWords(error)),
    stopping: () => line(stdout, 'stopping', 'no new requests; those under way are answered'),
    stopped: (cut) =>
      line(stdout, 'stopped', cut === 0 ? 'all is answered' : `${counted(cut, 'answer')} cut off`),
    failed: (error) => printError(stderr, error),
  }
}

/** The error, and where it was thrown, in one line. */
function faultInWords({ name, message, stack = '' }: Error): string {
  // The stack begins with the error, under the name that it had when it was made.
  const places = stack.split('\n').filter((text) => /^ +at /.test(text))
  return [`${name}: ${message}`, ...places.map((text) => text.trim())].join(' | ').replace(/\s*\n\s*/g, ' ')
}
