/** `blobcheck audit`: whether servers have every blob of a range of slots, and whether each is right. */
import { Command } from '../vendor/commander.ts'
import type { AuditCommandOptions } from './audit/options.ts'
import type { AuditPrinter } from './audit/printers.ts'
import { type CommandContext, type ExitCode, withExitCode } from './command.ts'
import { integerUpTo, readSeconds } from './options/arguments.ts'
import { archiveOption, beaconOption } from './options/endpoints.ts'
import { withLightClientOptions } from './options/light-client.ts'
import { networkOption } from './options/network.ts'
import { warnOfStore } from './options/store.ts'
import { checkpointOption, trustEndpointOption } from './options/trust.ts'
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
    .option('--workers <n>', 'threads that verify; default: one for each core, up to eight', integerUpTo(256))
    .option('--attempts <n>', 'how often what cannot be found out is tried', integerUpTo(100, 1), 3)
    .option('--redis <url>', 'leave the work to “blobcheck audit-worker”, by way of this Redis server')
    .option('--redis-patience <seconds>', 'how long to wait for a Redis server that is gone', readSeconds, 60)
    .option('--json', 'print a line of JSON for each event', false)
  return withLightClientOptions(command)
    .addHelpText('after', helpText(AFTER_HELP, context.stdout))
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
    const { carryOut } = await import('./audit/run.ts')
    return await carryOut({ plan, options, printer, signal })
  }
  const exitCode = await withExitCode(signal, task, { failed })
  printer?.end(exitCode)
  return exitCode
}
