/** `blobcheck audit-worker`: does the work of audits that other machines began. */
import { Command } from '../vendor/commander.ts'
import { printable } from '../util/printable.ts'
import type { WorkerEvent } from './audit/worker.ts'
import { type CommandContext, endsWell, type ExitCode, exitCodes, withExitCode } from './command.ts'
import { integerUpTo, readSeconds, timerMs } from './options/arguments.ts'
import { goOnWithoutLines } from './terminal/lost-lines.ts'
import { helpText, jsonLine, Lines } from './terminal/output.ts'
import { printError } from './terminal/words.ts'

interface Options {
  readonly redis: string
  readonly concurrency: number
  readonly workers?: number
  readonly lock: number
  readonly json: boolean
}

const AFTER_HELP = `
It takes jobs of “blobcheck audit --redis”, with which it gets servers, network and the roots of blocks: these are that audit’s word. Whoever
can write to that Redis server can have it fetch from any address, so keep the server to your own machines.

It goes on until it is interrupted; then it ends the jobs that it has. The jobs of a worker that was killed are taken over by others.`

/** `end` is told the exit code. */
export function auditWorkerCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  return new Command('audit-worker')
    .description('Do the work of “blobcheck audit --redis”, on as many machines as you like.')
    .requiredOption('--redis <url>', 'the Redis server that the audit names, redis://host:6379')
    .option('--concurrency <n>', 'slots at the same time', integerUpTo(64, 1), 64)
    .option('--workers <n>', 'threads that verify; default: one for each core, up to eight', integerUpTo(256))
    .option('--lock <seconds>', 'how long after its last sign its jobs are taken over', readSeconds, 30)
    .option('--json', 'print a line of JSON for each event', false)
    .addHelpText('after', helpText(AFTER_HELP, context.stdout))
    .action(async (options: Options) => end(await auditWorker(options, context)))
}

async function auditWorker(options: Options, context: CommandContext): Promise<ExitCode> {
  const { signal } = context
  goOnWithoutLines(context.stdout)
  const { concurrency, workers, lock, json } = options
  const print = json ? jsonPrinter(context) : textPrinter(context)
  const task = async (): Promise<ExitCode> => {
    const { connectRedis } = await import('./audit/redis.ts')
    const { loadForJobs, work } = await import('./audit/worker.ts')
    const link = await connectRedis(options.redis, {
      // Who waits for work can wait for where it comes from, too.
      patienceMs: Number.POSITIVE_INFINITY,
      onTrouble: (detail) => print({ event: 'trouble', detail }),
      signal,
    })
    try {
      await loadForJobs()
      print({ event: 'waiting', redis: link.place })
      await work(link, { concurrency, workers, lockMs: timerMs(lock), onEvent: print, signal })
      return exitCodes.ok
    } finally {
      await link.close()
    }
  }
  return await withExitCode(signal, task, {
    interrupted: endsWell,
    failed: (error) =>
      json ? print({ event: 'failed', job: null, error: error.message }) : printError(context.stderr, error),
  })
}

type Event = WorkerEvent | { readonly event: 'waiting'; readonly redis: string }

function jsonPrinter({ stdout }: CommandContext): (event: Event) => void {
  return (event) => void stdout.write(jsonLine(event))
}

function textPrinter({ stdout }: CommandContext): (event: Event) => void {
  const lines = new Lines(stdout)
  return (event) => lines.print(printable(inWords(event)), '  ')
}

function inWords(event: Event): string {
  switch (event.event) {
    case 'waiting':
      return `waiting for jobs at ${event.redis}; Ctrl-C ends it`
    case 'done':
      return `audit ${event.audit}: slots ${event.from} to ${event.to}, ${event.ms} ms`
    case 'failed':
      return `slots ${event.job}: ${event.error}`
    case 'trouble':
      return event.detail
  }
}
