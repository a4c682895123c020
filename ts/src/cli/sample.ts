/** `blobcheck sample`: whether a block's data is there, from a few random columns. */
import { COLUMNS } from '../beacon/constants.ts'
import { Command, Option } from '../vendor/commander.ts'
import type { SidecarFile } from '../sampler/index.ts'
import { type CommandContext, type ExitCode, withExitCode } from './command.ts'
import { refuseFolder } from './files.ts'
import { integerUpTo, readBlockId } from './options/arguments.ts'
import { archiveOption, beaconOption } from './options/endpoints.ts'
import { wordedFetch } from './options/fetch.ts'
import { historyOption, withLightClientOptions } from './options/light-client.ts'
import { networkInWords, networkOption } from './options/network.ts'
import { warnOfStore } from './options/store.ts'
import { checkpointOption, trustEndpointOption } from './options/trust.ts'
import { readMaxError, readTrustAndTarget, type SampleCommandOptions } from './sample/options.ts'
import {
  type HeaderTrust,
  jsonSamplePrinter,
  type SamplePrinter,
  textSamplePrinter,
} from './sample/printers.ts'
import type { SampleSource } from './sample/source.ts'
import { helpText } from './terminal/output.ts'
import { printError } from './terminal/words.ts'

const AFTER_HELP = `
Without --beacon, a recorded block is sampled from a server that this command starts itself: it works offline, at once.

Examples:
  $ blobcheck sample
  $ blobcheck sample --beacon https://a.example https://b.example --checkpoint 0x… --max-error 1e-9
  $ blobcheck sample --beacon http://localhost:5052 --trust-endpoint --block finalized --json
  $ blobcheck sample --beacon https://a.example --checkpoint 0x… --follow
  $ blobcheck sample --beacon https://a.example --checkpoint 0x… --block finalized --file sidecars.json

Exit codes: 0 available, or proven to have no blobs; 1 unavailable; 2 bad usage;
3 unknown, also where the slot is empty or the payload was not revealed.
With --follow: of all slots until it is interrupted, silence included; empty ones are no gap.`

/** `end` is told the exit code. */
export function sampleCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  const command = new Command('sample')
  command
    .description('Sample a block’s data: a few random columns, verified, tell whether all of it is there.')
    .addOption(
      beaconOption(command, 'Beacon API endpoints; the more, and the less they have in common, the better'),
    )
    .addOption(checkpointOption())
    .addOption(trustEndpointOption())
    .addOption(networkOption())
    .option('--block <id>', 'head, finalized, a slot, or a root', readBlockId, 'head')
    .addOption(
      new Option('--max-error <p>', 'how likely a wrong “available” may be, as 1e-9 (default: 2⁻³⁰)')
        .argParser(readMaxError)
        .conflicts('columns'),
    )
    .option('--columns <n>', 'how many columns to sample instead', integerUpTo(COLUMNS, 1))
    .option(
      '--allow-missing <n>',
      'how many columns may be missing at most; more are drawn for each (default: 8)',
      integerUpTo(64),
    )
    .option('--follow', 'sample slot after slot, until it is interrupted', false)
    .option('--reconstruct <folder>', 'rebuild the blobs from 64 columns or more, and write them there')
    .addOption(
      new Option('--fallback <kind>', 'where columns are missing, take whole blobs').choices(['blobs']),
    )
    .addOption(
      archiveOption(command, 'blob archives, which are asked for whole blobs where columns are missing'),
    )
    .option('--file <path...>', 'sidecars at hand, which are taken where columns are missing')
    // These take no way back.
    .addOption(historyOption().conflicts('follow'))
    .option('--json', 'print a line of JSON for each event', false)
  return withLightClientOptions(command)
    .addHelpText('after', helpText(AFTER_HELP, context.stdout))
    .action(async (options: SampleCommandOptions) =>
      end(await sample(options, (name) => command.getOptionValueSource(name) === 'cli', context)),
    )
}

async function sample(
  options: SampleCommandOptions,
  isGiven: (name: string) => boolean,
  context: CommandContext,
): Promise<ExitCode> {
  const { signal, stderr } = context
  let printer: SamplePrinter | undefined
  const failed = (error: Error): void =>
    printer === undefined ? printError(stderr, error) : printer.failed(error)
  const task = async (): Promise<ExitCode> => {
    const { trust, target } = readTrustAndTarget(options, isGiven)
    const files = await readFiles(options.file ?? [], context)
    if (options.reconstruct !== undefined) await refuseFolder(options.reconstruct, '--reconstruct')
    printer = printerFor(options, trust, context)
    const source = await openSource(options, printer, context)
    try {
      const { createVerifier } = await import('../verifier/create.ts')
      const { createSampler } = await import('../sampler/index.ts')
      const verifier = await createVerifier({ network: source.network, cache: false })
      try {
        const { headers, beacon, now } = source
        const sampler = createSampler({
          ...{ verifier, headers, beacon, now, target, fetch: wordedFetch },
          ...(options.allowMissing !== undefined && { allowMissing: options.allowMissing }),
          timeoutMs: options.timeout * 1000,
          fallbacks: {
            blobs: options.fallback === 'blobs',
            ...(options.archive && { archives: options.archive }),
            files,
          },
        })
        const endpoints = beacon.map((url) => new URL(url).origin)
        printer.began({ network: networkInWords(source.network), trust, endpoints, plan: sampler.plan })
        const { follow, sampleOne } = await import('./sample/run.ts')
        return options.follow
          ? await follow(sampler, source, options.reconstruct, printer, signal)
          : await sampleOne(sampler, source, options, printer, signal)
      } finally {
        await verifier.dispose()
      }
    } finally {
      await source.dispose()
    }
  }
  const exitCode = await withExitCode(signal, task, { failed })
  printer?.end(exitCode)
  return exitCode
}

function printerFor(
  { json, follow }: SampleCommandOptions,
  trust: HeaderTrust,
  context: CommandContext,
): SamplePrinter {
  return json ? jsonSamplePrinter(context.stdout, trust) : textSamplePrinter(context, trust, !follow)
}

/** What reads files is loaded where there are some. */
async function readFiles(paths: readonly string[], context: CommandContext): Promise<SidecarFile[]> {
  if (paths.length === 0) return []
  return await (await import('./sample/files.ts')).readSidecarFiles(paths, context)
}

async function openSource(
  options: SampleCommandOptions,
  printer: SamplePrinter,
  { signal, stderr }: CommandContext,
): Promise<SampleSource> {
  const { beacon, checkpoint, network, timeout } = options
  const { checkpointSource, endpointSource, recordedSource } = await import('./sample/source.ts')
  if (beacon === undefined) return await recordedSource(printer, signal)
  if (checkpoint !== undefined) {
    await warnOfStore(options, stderr)
    return await checkpointSource({ ...options, beacon, checkpoint }, printer, { signal, stderr })
  }
  return endpointSource({ ...options, beacon, network, timeoutMs: timeout * 1000 })
}
