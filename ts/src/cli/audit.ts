/** `blobcheck audit`: whether servers have every blob of a range of slots, and whether each is right. */
import { Command } from '../vendor/commander.ts'
import type { JobRunner, SlotCounts } from '../audit/index.ts'
import type { AuditCommandOptions, Plan } from './audit/options.ts'
import type { AuditPrinter } from './audit/printers.ts'
import type { RedisLink } from './audit/redis.ts'
import { type CommandContext, type ExitCode, exitCodes, withExitCode } from './command.ts'
import { fileFault } from './files.ts'
import {
  clockOf,
  archiveOption,
  beaconOption,
  checkpointOption,
  integerUpTo,
  networkOption,
  readSeconds,
  trustEndpointOption,
  warnOfStore,
  withLightClientOptions,
  writeNetwork,
} from './options.ts'
import { helpText } from './terminal/output.ts'
import { printError } from './terminal/words.ts'

const AFTER_HELP = `
Each server is audited by itself: it is asked for all blobs of each block, in whatever form it has them, and each blob is verified against
the commitments of the block. With --archive, archives are audited, and --beacon, if it is given, has headers and blocks.

With --report, the same command goes on where it was interrupted. With --redis, machines that run “blobcheck audit-worker” do the work.

Exit codes: 0 everything is there and right, 1 something is missing, wrong or unreadable, 2 bad usage, 3 something is unknown.`

/** `end` is told the exit code. */
export function auditCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  const slot = integerUpTo(999_999_999_999)
  const command = new Command('audit')
  command
    .description('Find out whether servers have every blob of a range of slots, and whether each is right.')
    .requiredOption('--from <slot>', 'the first slot', slot)
    .requiredOption('--to <slot>', 'the last slot', slot)
    .addOption(beaconOption(command))
    .addOption(archiveOption(command, 'blob archives, which are audited instead of the endpoints'))
    .addOption(networkOption())
    .addOption(checkpointOption())
    .addOption(trustEndpointOption())
    .option('--report <file>', 'write a report of JSON lines, or go on with it')
    .option('--all', 'a line for each slot, not only where something is not as it should be', false)
    .option('--retry-unknown', 'audit again what the report has as unknown', false)
    .option('--concurrency <n>', 'slots at the same time', integerUpTo(64, 1), 64)
    .option('--workers <n>', 'threads that verify; default: one for each core', integerUpTo(256))
    .option('--attempts <n>', 'how often what cannot be found out is tried', integerUpTo(100, 1), 3)
    .option('--redis <url>', 'leave the work to “blobcheck audit-worker”, by way of this Redis server')
    .option('--redis-patience <seconds>', 'how long to wait for a Redis server that is gone', readSeconds, 60)
    .option('--json', 'print a line of JSON for each event', false)
  return withLightClientOptions(command)
    .addHelpText('after', helpText(AFTER_HELP, context.stdout))
    .showHelpAfterError('(blobcheck audit --help says what there is)')
    .action(async (options: AuditCommandOptions) => end(await audit(options, context)))
}

async function audit(options: AuditCommandOptions, context: CommandContext): Promise<ExitCode> {
  const { signal } = context
  let printer: AuditPrinter | undefined
  const failed = (error: Error): void =>
    printer === undefined ? printError(context.stderr, error) : printer.failed(error)
  const task = async (): Promise<ExitCode> => {
    const { readPlan } = await import('./audit/options.ts')
    const { jsonAuditPrinter, textAuditPrinter } = await import('./audit/printers.ts')
    const plan = readPlan(options)
    if (options.checkpoint !== undefined) await warnOfStore(options, context.stderr)
    const trust = options.checkpoint === undefined ? 'trusted' : 'verified'
    printer = options.json
      ? jsonAuditPrinter(context, options.all)
      : textAuditPrinter(context, options.all, trust)
    return await auditPlan(plan, options, printer, signal)
  }
  const exitCode = await withExitCode(signal, task, { failed })
  printer?.end(exitCode)
  return exitCode
}

async function auditPlan(
  plan: Plan,
  options: AuditCommandOptions,
  printer: AuditPrinter,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { nameOf, piecesOf, runAudit, Tally, countsOf } = await import('../audit/index.ts')
  const { newAuditId, ReportFile } = await import('./audit/report-file.ts')
  const { identity } = plan
  const { report: path, all, retryUnknown: retry } = options
  // Before the file is touched: what cannot begin leaves nothing behind.
  const redis = options.redis === undefined ? null : await openRedis(options, options.redis, printer, signal)
  try {
    const report =
      path === undefined
        ? null
        : await ReportFile.open(path, identity, { all, retry }).catch((error: unknown) => {
            throw fileFault(error, '--report', path)
          })
    try {
      const tally = report?.tally ?? new Tally(identity)
      const id = report?.id ?? newAuditId()
      const before = tally.slots
      printer.began(id, identity, before)
      const began = performance.now()
      const end = async (): Promise<void> => {
        const run = { slots: tally.slots - before, ms: performance.now() - began }
        const summary = tally.summary()
        await report?.addSummary(summary)
        printer.summary(summary, run, path)
      }
      const isDone = (name: string): boolean => report?.isDone(name) ?? false
      if (piecesOf(identity).every((piece) => isDone(nameOf(piece)))) {
        await end()
        return exitCodeOf(tally.counts)
      }
      const { openHeaders } = await import('./audit/source.ts')
      const following = (progress: string): void =>
        printer.preparing(`following the chain from your checkpoint${progress}`)
      if (options.checkpoint !== undefined) following('')
      const { headers, dispose } = await openHeaders(
        options,
        plan.beacon,
        ({ stage, done, total }) => following(`: ${stage} ${done}/${total}`),
        signal,
      )
      try {
        await withRunner(plan, options, { redis, id, printer, signal }, async (runner) => {
          await runAudit({
            ...{ range: identity, headers, runner, isDone, signal },
            onProgress: (progress) => printer.progress(progress),
            async onResult(result) {
              if (report === null) tally.add(countsOf(result), result.slots)
              else await report.add(result)
              printer.result(result)
            },
          })
        })
      } catch (error) {
        // What was found out until then is worth telling, too.
        if (tally.slots > 0) await end()
        throw error
      } finally {
        await dispose()
      }
      await end()
      return exitCodeOf(tally.counts)
    } finally {
      await report?.close()
    }
  } finally {
    await redis?.close()
  }
}

interface RunnerTerms {
  readonly redis: RedisLink | null
  readonly id: string
  readonly printer: AuditPrinter
  readonly signal: AbortSignal
}

/** Runs an audit with whoever does its jobs. */
async function withRunner(
  plan: Plan,
  options: AuditCommandOptions,
  { redis, id, printer, signal }: RunnerTerms,
  task: (runner: JobRunner) => Promise<void>,
): Promise<void> {
  const { network, concurrency, attempts, workers, timeout } = options
  const { beacon, servers } = plan
  if (redis !== null) {
    const { withQueue } = await import('./audit/queue.ts')
    const text = typeof network === 'string' ? network : writeNetwork(network)
    const record = { network: text, beacon, servers, attempts, timeoutMs: timeout * 1000 }
    const onTrouble = (text: string): void => printer.trouble(text)
    const isKept = options.report !== undefined
    return await withQueue(redis, { id, record, isKept, onTrouble, signal }, task)
  }
  const { createAuditor, embeddedRunner } = await import('../audit/index.ts')
  const { createVerifier } = await import('../verifier/create.ts')
  const verifier = await createVerifier({ network, cache: false, ...(workers !== undefined && { workers }) })
  try {
    const auditor = createAuditor({
      ...{ verifier, beacon, servers, concurrency, attempts },
      ...{ timeoutMs: timeout * 1000, now: clockOf(options) },
    })
    await task(embeddedRunner(auditor))
  } finally {
    await verifier.dispose()
  }
}

async function openRedis(
  { redisPatience }: AuditCommandOptions,
  url: string,
  printer: AuditPrinter,
  signal: AbortSignal,
): Promise<RedisLink> {
  const { connectRedis } = await import('./audit/redis.ts')
  return await connectRedis(url, {
    patienceMs: redisPatience * 1000,
    onTrouble: (text) => printer.trouble(text),
    signal,
  })
}

/** What the counts of slots make of the exit code. */
export function exitCodeOf({ missing, wrong, unreadable, unknown }: SlotCounts): ExitCode {
  if (missing + wrong + unreadable > 0) return exitCodes.bad
  return unknown > 0 ? exitCodes.unknown : exitCodes.ok
}
