/** What all commands have in common: what they are given, how they end, and how they are interrupted. */
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Command } from '../vendor/commander.ts'
import type { Output } from './terminal/output.ts'

/** What a command line is run with: the streams of a process, and what ends it early. Tests give it streams of their own. */
export interface CommandContext {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal
}

/** How a process ends, the same for every command: scripts read these. */
export const exitCodes = {
  /** All of it is valid, or available, or was followed until the user had enough. */
  ok: 0,
  /** Something is bad: invalid, malformed, unavailable. */
  bad: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** Nothing was found to be bad, and not everything could be found out: no endpoint, no such file, an interruption. */
  unknown: 3,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Makes one of the commands of the program; `end` is told the exit code. */
export type MakeCommand = (context: CommandContext, end: (exitCode: ExitCode) => void) => Command

/** The command line makes no sense, which shows only when it is carried out. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** How a command ends that does not end as it should. */
interface FailureOptions {
  /** The exit code when the user interrupts it, where that is no failure. */
  readonly interrupted?: () => ExitCode
  /** It is told of what the task throws; of an interruption as an `AbortError`. */
  readonly failed: (error: Error) => void
}

/**
 * Runs the task of a command, and resolves with its exit code, whatever it throws. `TypeError` is what the library throws for
 * options that make no sense.
 */
export async function withExitCode(
  signal: AbortSignal,
  task: () => Promise<ExitCode>,
  { interrupted, failed }: FailureOptions,
): Promise<ExitCode> {
  try {
    signal.throwIfAborted()
    return await task()
  } catch (thrown) {
    if (signal.aborted && interrupted !== undefined) return interrupted()
    const error = signal.aborted
      ? new DOMException('interrupted, before it was found out', 'AbortError')
      : thrown instanceof Error
        ? thrown
        : new Error(String(thrown))
    failed(error)
    return error instanceof UsageError || error instanceof TypeError ? exitCodes.usage : exitCodes.unknown
  }
}

/** What an interruption is to a command that goes on until there is one: no failure. */
export const endsWell = (): ExitCode => exitCodes.ok

/** Waits for the interruption: what a command does that goes on until then. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** How long what a task has left behind may hold up a process that was interrupted, in milliseconds. */
const AFTER_TASK_MS = 2_000

/**
 * Runs a task with a signal that Ctrl-C, SIGTERM and SIGHUP abort, for an end in good order. The second interruption ends the process at once, as
 * it does elsewhere; not so of SIGHUP, of which a terminal that is closed sends one, and its shell another. What an interrupted task leaves behind, such as a connection that looks for a server which is gone, does not keep the process: two
 * seconds after the task's end it ends.
 */
export async function interruptible<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = (): void => {
    release()
    controller.abort()
  }
  const release = (): void => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  process.on('SIGHUP', interrupt)
  try {
    return await task(controller.signal)
  } finally {
    release()
    process.off('SIGHUP', interrupt)
    if (controller.signal.aborted) setTimeout(() => process.exit(), AFTER_TASK_MS).unref()
  }
}

/** The version of this package. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
