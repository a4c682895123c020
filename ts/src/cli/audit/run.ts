/** Carries out an audit that the command line asked for: opens what it needs, audits what its report lacks, and sums up. */
import {
  countsOf,
  createAuditor,
  embeddedRunner,
  type JobRunner,
  nameOf,
  piecesOf,
  runAudit,
  type SlotCounts,
  Tally,
} from '../../audit/index.ts'
import { type ExitCode, exitCodes } from '../command.ts'
import { fileFault } from '../files.ts'
import { timerMs } from '../options/arguments.ts'
import { wordedFetch } from '../options/fetch.ts'
import { clockOf } from '../options/light-client.ts'
import { writeNetwork } from '../options/network.ts'
import type { AuditCommandOptions, Plan } from './options.ts'
import type { AuditPrinter } from './printers.ts'
import type { RedisLink } from './redis.ts'
import { newAuditId, ReportFile } from './report-file.ts'
import { type HeadersOfCommand, openHeaders } from './source.ts'

/** An audit, and where it is told how far it is. */
export interface AuditTask {
  readonly plan: Plan
  readonly options: AuditCommandOptions
  readonly printer: AuditPrinter
  readonly signal: AbortSignal
}

/** Resolves with the exit code. Throws what keeps the audit from its end. */
export async function carryOut(task: AuditTask): Promise<ExitCode> {
  // Before the file is touched: what cannot begin leaves nothing behind.
  const redis = await openRedis(task)
  try {
    const report = await openReport(task)
    try {
      return await auditRest(task, report, redis)
    } finally {
      await report?.close()
    }
  } finally {
    await redis?.close()
  }
}

/** Null where this process does the work itself. */
async function openRedis({ options, printer, signal }: AuditTask): Promise<RedisLink | null> {
  if (options.redis === undefined) return null
  const { connectRedis } = await import('./redis.ts')
  return await connectRedis(options.redis, {
    patienceMs: timerMs(options.redisPatience),
    onTrouble: (text) => printer.trouble(text),
    signal,
  })
}

/** Null where none is to be written. */
async function openReport({ plan, options }: AuditTask): Promise<ReportFile | null> {
  const { report: path, all, retryUnknown: retry } = options
  if (path === undefined) return null
  try {
    return await ReportFile.open(path, plan.identity, { all, retry })
  } catch (error) {
    throw fileFault(error, '--report', path)
  }
}

/** Audits what the report does not have yet, and sums up all of it. */
async function auditRest(
  task: AuditTask,
  report: ReportFile | null,
  redis: RedisLink | null,
): Promise<ExitCode> {
  const { printer, signal } = task
  const { identity } = task.plan
  const tally = report?.tally ?? new Tally(identity)
  const id = report?.id ?? newAuditId()
  const before = tally.slots
  printer.began(id, identity, before)
  const began = performance.now()
  const sumUp = async (): Promise<ExitCode> => {
    const run = { slots: tally.slots - before, ms: performance.now() - began }
    const summary = tally.summary()
    let isWritten = false
    try {
      await report?.addSummary(summary)
      isWritten = true
    } finally {
      // It is worth telling whether or not it can be written.
      printer.summary(summary, run, isWritten ? task.options.report : undefined)
    }
    return exitCodeOf(tally.counts)
  }
  const isDone = (name: string): boolean => report?.isDone(name) ?? false
  if (piecesOf(identity).every((piece) => isDone(nameOf(piece)))) return await sumUp()
  const { headers, dispose } = await followChain(task)
  try {
    await withRunner(task, id, redis, (runner) =>
      runAudit({
        ...{ range: identity, headers, runner, isDone, signal },
        onProgress: (progress) => printer.progress(progress),
        async onResult(result) {
          if (report === null) tally.add(countsOf(result), result.slots)
          else await report.add(result)
          printer.result(result)
        },
      }),
    )
  } catch (error) {
    // What was found out until then is worth telling, too. Where the report cannot be written, that is the error already.
    if (tally.slots > 0) await sumUp().catch(() => {})
    throw error
  } finally {
    await dispose()
  }
  return await sumUp()
}

/** Opens the headers, and says how far that is where it takes a while. */
async function followChain({ plan, options, printer, signal }: AuditTask): Promise<HeadersOfCommand> {
  const following = (progress: string): void =>
    printer.preparing(`following the chain from your checkpoint${progress}`)
  if (options.checkpoint !== undefined) following('')
  return await openHeaders(
    options,
    plan.beacon,
    ({ stage, done, total }) => following(`: ${stage} ${done}/${total}`),
    (text) => printer.trouble(text),
    signal,
  )
}

/** Runs an audit with whoever does its jobs. */
async function withRunner(
  task: AuditTask,
  id: string,
  redis: RedisLink | null,
  run: (runner: JobRunner) => Promise<void>,
): Promise<void> {
  if (redis === null) await withThreads(task, run)
  else await withWorkers(task, id, redis, run)
}

/** The jobs are done here. */
async function withThreads(
  { plan, options }: AuditTask,
  run: (runner: JobRunner) => Promise<void>,
): Promise<void> {
  const { network, concurrency, attempts, workers, timeout } = options
  const { beacon, servers } = plan
  const { loadAhead } = await import('../../block-data/load-ahead.ts')
  const { createVerifier } = await import('../../verifier/create.ts')
  const verifier = await createVerifier({ network, cache: false, ...(workers !== undefined && { workers }) })
  try {
    await loadAhead(verifier)
    const auditor = createAuditor({
      ...{ verifier, beacon, servers, concurrency, attempts },
      ...{ timeoutMs: timerMs(timeout), now: clockOf(options), fetch: wordedFetch },
    })
    await run(embeddedRunner(auditor))
  } finally {
    await verifier.dispose()
  }
}

/** The jobs are done by whoever takes them out of a queue. */
async function withWorkers(
  { plan, options, printer, signal }: AuditTask,
  id: string,
  redis: RedisLink,
  run: (runner: JobRunner) => Promise<void>,
): Promise<void> {
  const { network, attempts, timeout } = options
  const { beacon, servers } = plan
  const { withQueue } = await import('./queue.ts')
  const text = typeof network === 'string' ? network : writeNetwork(network)
  const record = { network: text, beacon, servers, attempts, timeoutMs: timerMs(timeout) }
  const onTrouble = (text: string): void => printer.trouble(text)
  const isKept = options.report !== undefined
  await withQueue(redis, { id, record, isKept, onTrouble, signal }, run)
}

/** What the counts of slots make of the exit code. */
function exitCodeOf({ missing, wrong, unreadable, unknown }: SlotCounts): ExitCode {
  if (missing + wrong + unreadable > 0) return exitCodes.bad
  return unknown > 0 ? exitCodes.unknown : exitCodes.ok
}
