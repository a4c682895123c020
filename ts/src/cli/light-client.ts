/** `blobcheck light-client`: follows the head of the chain in a terminal. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { LightClient, TrustedHeader } from '../light-client/index.ts'
import type { NetworkConfig, NetworkName } from '../networks.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { jsonPrinter, type Printer, terminalPrinter } from './light-client/printers.ts'
import { networkOption } from './network.ts'
import { running } from './running.ts'

interface Options {
  readonly network: NetworkName | NetworkConfig
  readonly checkpoint: string
  readonly beacon: string[]
  readonly store: string | false
  readonly allowStale: boolean
  readonly once: boolean
  readonly json: boolean
  readonly timeout: number
  readonly now?: number
}

/** `end` is told the exit code. */
export function lightClientCommand(end: (exitCode: ExitCode) => void): Command {
  return new Command('light-client')
    .description('Carry your trust from a checkpoint to the head of the chain, and follow it.')
    .addOption(networkOption())
    .requiredOption('-c, --checkpoint <root>', 'root of a finalized block that you trust, 0x…', readRoot)
    .requiredOption('-b, --beacon <url...>', 'Beacon API endpoints; none of them is trusted')
    .option('--store <folder>', 'where to keep what was verified', defaultFolder())
    .option('--no-store', 'keep nothing')
    .option('--allow-stale', 'take a checkpoint older than the weak-subjectivity period', false)
    .option('--once', 'synchronise once, and end', false)
    .option('--json', 'print a line of JSON for each event', false)
    .option('--timeout <seconds>', 'how long an endpoint may take to answer', readSeconds, 10)
    .addOption(
      new Option('--now <seconds>', 'another Unix time than that of the clock')
        .argParser(readSeconds)
        .hideHelp(),
    )
    .showHelpAfterError('(blobcheck light-client --help says what there is)')
    .action(async (options: Options) => end(await lightClient(options)))
}

async function lightClient(options: Options): Promise<ExitCode> {
  const printer = options.json ? jsonPrinter(process.stdout) : terminalPrinter(process.stdout, process.stderr)
  return await running(
    async (signal) => {
      await follow(options, printer, signal)
      return exitCodes.ok
    },
    // It goes on until it is interrupted: that is no failure.
    { interrupted: () => exitCodes.ok, failed: (error) => printer.failed(error) },
  )
}

async function follow(options: Options, printer: Printer, signal: AbortSignal): Promise<void> {
  const { FileStorage, LightClient } = await import('../light-client/index.ts')
  const { network, checkpoint, beacon, allowStale, store } = options
  // A clock that was set goes on from there.
  const offsetMs = options.now === undefined ? 0 : options.now * 1000 - Date.now()
  const client = await LightClient.fromCheckpoint({
    network,
    checkpoint,
    beacon,
    allowStale,
    store: store === false ? false : new FileStorage(store),
    timeoutMs: options.timeout * 1000,
    now: () => Date.now() + offsetMs,
    signal,
  })
  try {
    printer.started(client.report())
    await client.sync({ signal, onProgress: (progress) => printer.progress(progress) })
    printer.synced(client.report())
    if (!options.once) await report(client, printer, signal)
  } finally {
    await client.dispose()
  }
}

async function report(client: LightClient, printer: Printer, signal: AbortSignal): Promise<void> {
  const onError = (error: Error): void => printer.troubled(error, client.report())
  let last: TrustedHeader = client.optimistic
  for await (const header of client.headers({ signal, onError })) {
    if (header.root === last.root) continue
    last = header
    printer.head(client.report())
  }
}

function defaultFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'blobcheck')
}

function readRoot(value: string): string {
  if (!/^0x[0-9a-f]{64}$/i.test(value)) throw new InvalidArgumentError('It must be 0x and 64 hex digits.')
  return value
}

function readSeconds(value: string): number {
  const seconds = Number(value)
  if (!(seconds > 0)) throw new InvalidArgumentError('It must be a number of seconds.')
  return seconds
}
