/** `blobcheck light-client`: follows the head of the chain in a terminal. */
import { Command } from 'commander'
import type { LightClient, TrustedHeader } from '../light-client/index.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { interruptible } from './interruptible.ts'
import {
  type LightClientOptions,
  readRoot,
  startLightClient,
  withLightClientOptions,
} from './light-client/options.ts'
import { jsonPrinter, type Printer, terminalPrinter } from './light-client/printers.ts'
import { networkOption } from './options.ts'

interface Options extends LightClientOptions {
  readonly once: boolean
  readonly json: boolean
}

/** `end` is told the exit code. */
export function lightClientCommand(end: (exitCode: ExitCode) => void): Command {
  const command = new Command('light-client')
    .description('Carry your trust from a checkpoint to the head of the chain, and follow it.')
    .addOption(networkOption())
    .requiredOption('-c, --checkpoint <root>', 'root of a finalized block that you trust, 0x…', readRoot)
    .requiredOption('-b, --beacon <url...>', 'Beacon API endpoints; none of them is trusted')
    .option('--once', 'synchronise once, and end', false)
    .option('--json', 'print a line of JSON for each event', false)
  return withLightClientOptions(command)
    .showHelpAfterError('(blobcheck light-client --help says what there is)')
    .action(async (options: Options) => end(await lightClient(options)))
}

async function lightClient(options: Options): Promise<ExitCode> {
  const printer = options.json ? jsonPrinter(process.stdout) : terminalPrinter(process.stdout)
  return await interruptible(
    async (signal) => {
      await follow(options, printer, signal)
      return exitCodes.ok
    },
    // It goes on until it is interrupted: that is no failure.
    { interrupted: () => exitCodes.ok, failed: (error) => printer.failed(error) },
  )
}

async function follow(options: Options, printer: Printer, signal: AbortSignal): Promise<void> {
  const client = await startLightClient(options, signal)
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
