/** `blobcheck proxy`: a Beacon API on this machine, in front of nodes and archives that nobody needs to trust. */
import { Command } from '../vendor/commander.ts'
import {
  type CommandContext,
  endsWell,
  type ExitCode,
  exitCodes,
  untilAborted,
  withExitCode,
} from './command.ts'
import { folderFault, refuseFolder } from './files.ts'
import { integerUpTo } from './options/arguments.ts'
import { cacheFolder } from './options/cache-folder.ts'
import { archiveOption, beaconOption, hostOption } from './options/endpoints.ts'
import { historyOption, withLightClientOptions } from './options/light-client.ts'
import { networkInWords, networkOption } from './options/network.ts'
import { openStore, storeFault } from './options/store.ts'
import { checkpointOption, trustEndpointOption } from './options/trust.ts'
import { readProxyOptions, type ProxyCommandOptions } from './proxy/options.ts'
import { proxyPrinter } from './proxy/printer.ts'
import { goOnWithoutLines } from './terminal/lost-lines.ts'
import { helpText } from './terminal/output.ts'

const AFTER_HELP = `
Each blob, header and root that leaves has been verified against the chain of your checkpoint. What cannot be is a 503 with a reason.

Examples:
  $ blobcheck proxy --checkpoint 0x… --beacon https://a.example https://b.example
  $ blobcheck proxy --checkpoint 0x… --beacon https://a.example --archive https://archive.example --cache-size 20000
  $ op-node --l1.beacon http://127.0.0.1:7594 …
  $ nitro --parent-chain.blob-client.beacon-url http://127.0.0.1:7594 …
  $ curl -s http://127.0.0.1:7594/health

Exit codes: 0 it ran until it was stopped, 2 bad usage, 3 it could not start.`

/**
 * Beside the 4844 of `demo`: EIP-7594's number. The ports of nodes (3500, 5051, 5052, 9596) may be taken by nodes, and 5052 is that of `serve`.
 */
const DEFAULT_PORT = 7_594

/** `end` is told the exit code. */
export function proxyCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  const command = new Command('proxy')
  command
    .description('Serve a Beacon API on this machine whose blobs and headers have been verified.')
    .addOption(beaconOption(command).makeOptionMandatory())
    .addOption(
      archiveOption(command, 'blob archives, which are asked for what endpoints have not; none is trusted'),
    )
    .addOption(checkpointOption())
    .addOption(trustEndpointOption())
    .addOption(networkOption())
    .option('-p, --port <number>', 'port; 0 for any that is free', integerUpTo(65_535), DEFAULT_PORT)
    .addOption(hostOption())
    .option('--cache <folder>', 'where to keep blobs', cacheFolder('blobs'))
    .option('--no-cache', 'keep no blobs on disk')
    .option(
      '--cache-size <megabytes>',
      'how much of the disk blobs may take',
      integerUpTo(100_000_000),
      2_000,
    )
    .option('--memory <megabytes>', 'how much memory verified blobs may take', integerUpTo(1_000_000), 64)
    .addOption(historyOption())
    .option('--deadline <seconds>', 'how long a client waits before it gets a 503', integerUpTo(3_600, 1), 20)
    .option(
      '--grace <seconds>',
      'how long answers may take to end when it is stopped',
      integerUpTo(3_600),
      10,
    )
    .option('--json', 'print a line of JSON for each event', false)
  return withLightClientOptions(command)
    .addHelpText('after', helpText(AFTER_HELP, context.stdout))
    .action(async (options: ProxyCommandOptions) =>
      end(await proxy(options, command.getOptionValueSource('cache') === 'cli', context)),
    )
}

async function proxy(
  options: ProxyCommandOptions,
  isCacheGiven: boolean,
  context: CommandContext,
): Promise<ExitCode> {
  const { signal } = context
  goOnWithoutLines(context.stdout)
  const printer = proxyPrinter(options.json, context)
  const task = async (): Promise<ExitCode> => {
    const read = readProxyOptions(options)
    const { startProxy } = await import('../proxy/start.ts')
    if (options.trustEndpoint) printer.warned(ON_TRUST)
    const unkept = options.trustEndpoint ? null : await storeFault(options)
    if (unkept !== null) printer.warned(unkept)
    const uncached = await cacheFault(options.cache, isCacheGiven)
    if (uncached !== null) printer.warned(uncached)
    const onNews = (text: string, isTrouble: boolean): void => printer.news(text, isTrouble)
    const running = await startProxy({
      ...read,
      store: await openStore(options, onNews),
      ...(uncached !== null && { cache: null }),
      onNews,
      onAnswer: (entry) => printer.answered(entry),
      onFault: (error) => printer.faulted(error),
    })
    printer.started({
      url: running.url,
      network: networkInWords(options.network),
      beacon: read.beacon.map((url) => new URL(url).origin),
      archives: (read.archives ?? []).map((url) => new URL(url).origin),
      headers: options.trustEndpoint ? 'on trust' : 'verified',
      cached: running.cached,
    })
    try {
      await Promise.race([untilAborted(signal), running.following])
    } finally {
      printer.stopping()
      printer.stopped(await running.stop(options.grace * 1000))
    }
    return exitCodes.ok
  }
  return await withExitCode(signal, task, {
    interrupted: endsWell,
    failed: (error) => printer.failed(error),
  })
}

/**
 * Why the cache's folder will keep nothing, as a sentence; null where it can, or is not to. That nothing can be written where nobody said that it
 * could, as in a container that may only be read, is no reason to refuse. Throws `UsageError` for a folder that was named.
 */
async function cacheFault(folder: string | false, isGiven: boolean): Promise<string | null> {
  if (folder === false) return null
  if (isGiven) await refuseFolder(folder, '--cache', '--no-cache keeps no blobs on disk')
  const fault = await folderFault(folder)
  return fault === null
    ? null
    : `--cache ${folder}: ${fault}, so that no blobs are kept on disk (--no-cache does not try)`
}

const ON_TRUST =
  'HEADERS ARE ON TRUST: --trust-endpoint takes the endpoints’ word for which blocks are of the chain. A node that makes up a block can make up its ' +
  'blobs with it, and nobody here would notice. With --checkpoint 0x… nothing is taken on trust.'
