/** `blobcheck blobs`: the blobs of a transaction or a block, from whoever has them. */
import { Command } from '../vendor/commander.ts'
import type { BlobsReason, BlobsResult } from '../blobs/result.ts'
import { afterWriting, blobFileName, writeBlobFiles } from './blob-files.ts'
import { type BlobsCommandOptions, readHash, readWanted } from './blobs/options.ts'
import { jsonBlobsPrinter, textBlobsPrinter } from './blobs/printers.ts'
import { type CommandContext, type ExitCode, exitCodes, withExitCode } from './command.ts'
import { refuseFolder } from './files.ts'
import { integerUpTo, readBlockId } from './options/arguments.ts'
import { archiveOption, beaconOption, executionOption } from './options/endpoints.ts'
import { clockOf, historyOption, withLightClientOptions } from './options/light-client.ts'
import { networkInWords, networkOption } from './options/network.ts'
import { warnOfStore } from './options/store.ts'
import { checkpointOption, trustEndpointOption } from './options/trust.ts'
import { helpText } from './terminal/output.ts'

const AFTER_HELP = `
Examples:
  $ blobcheck blobs 0x… --execution https://rpc.example --beacon https://a.example https://b.example --checkpoint 0x…
  $ blobcheck blobs --block finalized --beacon https://a.example --archive https://archive.example --checkpoint 0x… --out blobs
  $ blobcheck blobs --block head --beacon http://localhost:5052 --trust-endpoint --json

Exit codes: 0 all of them are here, verified, or the block is proven to have none; 1 some are missing; 2 bad usage;
3 unknown, also where the slot is empty or the payload was not revealed.`

/** `end` is told the exit code. */
export function blobsCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  const command = new Command('blobs')
  command
    .description('Fetch the blobs of a transaction or a block from whoever has them, and verify each.')
    .argument('[transaction]', 'hash of a transaction, 0x…', readHash)
    .option('--block <id>', 'all blobs of a block instead: head, finalized, a slot, or a root', readBlockId)
    .option('--execution-block <hash>', 'all blobs of an execution block instead', readHash)
    .addOption(beaconOption(command).makeOptionMandatory())
    .addOption(executionOption(command))
    .addOption(archiveOption(command, 'blob archives, which are asked for what endpoints have not'))
    .addOption(checkpointOption())
    .addOption(trustEndpointOption())
    .addOption(networkOption())
    .option('--out <folder>', 'write the blobs there')
    .addOption(historyOption())
    .option('--deadline <seconds>', 'how long all of it may take', integerUpTo(86_400, 1), 120)
    .option('--json', 'print a line of JSON for each event', false)
  return withLightClientOptions(command)
    .addHelpText('after', helpText(AFTER_HELP, context.stdout))
    .action(async (transaction: string | undefined, options: BlobsCommandOptions) =>
      end(await blobs(transaction, options, context)),
    )
}

async function blobs(
  transaction: string | undefined,
  options: BlobsCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { signal, stdout, stderr } = context
  const printer = options.json ? jsonBlobsPrinter(stdout) : textBlobsPrinter(context)
  const task = async (): Promise<ExitCode> => {
    const wanted = readWanted(transaction, options)
    const { out, beacon, execution = [], archive = [] } = options
    if (out !== undefined) await refuseFolder(out, '--out')
    if (options.checkpoint !== undefined) await warnOfStore(options, stderr)
    printer.began({
      wanted: wanted.name,
      network: networkInWords(options.network),
      trust: options.trustEndpoint ? 'endpoint' : 'checkpoint',
      endpoints: [...beacon, ...execution, ...archive].map((url) => new URL(url).origin),
    })
    const { search } = await import('./blobs/search.ts')
    const { result, trouble } = await search(
      wanted.query,
      { ...options, now: clockOf(options) },
      printer,
      signal,
    )
    await afterWriting(write(out, result), (paths) => printer.result(result, paths, trouble))
    return exitCodeOf(result)
  }
  const exitCode = await withExitCode(signal, task, { failed: (error) => printer.failed(error) })
  printer.end(exitCode)
  return exitCode
}

/** Writes the blobs, each named by its versioned hash where its place in a block is not known; their paths. */
async function write(
  folder: string | undefined,
  { block, blobs }: Pick<BlobsResult, 'block' | 'blobs'>,
): Promise<string[]> {
  if (folder === undefined) return []
  const named = blobs.map(({ index, blob, versionedHash }) => ({
    name: block === null || index === null ? `blob-${versionedHash}.bin` : blobFileName(block.slot, index),
    blob,
  }))
  return await writeBlobFiles(folder, named)
}

/** Why blobs are missing that may be there all the same. */
const PASSING: ReadonlySet<BlobsReason> = new Set([
  'unreachable',
  'unfinished',
  'crashed',
  'may-have-no-payload',
])
/** What has no blobs because it is no part of the chain: nothing can be said of its data. */
const NOT_THERE: ReadonlySet<BlobsReason> = new Set(['empty-slot', 'payload-not-revealed'])

/** What was not shown to be there, or not to be, is not 0. */
function exitCodeOf({ verdict, reason }: BlobsResult): ExitCode {
  if (verdict === 'complete') return exitCodes.ok
  if (verdict === 'none') return NOT_THERE.has(reason) ? exitCodes.unknown : exitCodes.ok
  return verdict === 'unknown' || PASSING.has(reason) ? exitCodes.unknown : exitCodes.bad
}
