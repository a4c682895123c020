/** What all commands have in common: a signal that Ctrl-C aborts, and exit codes for what they end with. */
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** The command line makes no sense, which shows only when it is carried out. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** How a command ends that does not end as it should. */
interface InterruptibleOptions {
  /** When the user interrupts it, where that is no failure. */
  readonly interrupted?: () => ExitCode
  /** It is told of what the task throws; of an interruption as an `AbortError`. */
  readonly failed: (error: Error) => void
}

/**
 * Runs a task; its exit code. The first interruption aborts the signal, for an end in good order; the second ends the
 * process at once, as it does elsewhere. `TypeError` is what the library throws for options that make no sense.
 */
export async function interruptible(
  task: (signal: AbortSignal) => Promise<ExitCode>,
  { interrupted, failed }: InterruptibleOptions,
): Promise<ExitCode> {
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
  try {
    return await task(controller.signal)
  } catch (thrown) {
    if (controller.signal.aborted && interrupted !== undefined) return interrupted()
    const error = controller.signal.aborted
      ? interruption()
      : thrown instanceof Error
        ? thrown
        : new Error(String(thrown))
    failed(error)
    return error instanceof UsageError || error instanceof TypeError ? exitCodes.usage : exitCodes.unknown
  } finally {
    release()
  }
}

/** Waits for the interruption: what a command does that goes on until then. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function interruption(): Error {
  return new DOMException('interrupted, before it was found out', 'AbortError')
}
