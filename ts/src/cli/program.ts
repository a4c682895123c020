/** The commands of `blobcheck`. What a command needs is loaded when it is called. */
import { Command, CommanderError, type OutputConfiguration } from '../vendor/commander.ts'
import { auditCommand } from './audit.ts'
import { auditWorkerCommand } from './audit-worker.ts'
import { benchCommand } from './bench.ts'
import { blobsCommand } from './blobs.ts'
import { type CommandContext, type ExitCode, exitCodes, type MakeCommand, readVersion } from './command.ts'
import { demoCommand } from './demo.ts'
import { lightClientCommand } from './light-client.ts'
import { proxyCommand } from './proxy.ts'
import { sampleCommand } from './sample.ts'
import { serveCommand } from './serve.ts'
import { helpText, type Output } from './terminal/output.ts'
import { printableLines } from './terminal/text.ts'
import { verifyCommand } from './verify.ts'

const AFTER_HELP = `
Examples:
  $ blobcheck sample
  $ blobcheck sample --beacon https://a.example https://b.example --checkpoint 0x… --follow
  $ blobcheck blobs 0x… --execution https://rpc.example --beacon https://a.example https://b.example --checkpoint 0x…
  $ blobcheck verify sidecars.json column.ssz transaction.rlp
  $ curl -fsS https://a.example/eth/v1/beacon/blob_sidecars/head | blobcheck verify --header 0x… -
  $ blobcheck light-client --checkpoint 0x… --beacon https://a.example https://b.example
  $ blobcheck light-client --network sepolia --checkpoint 0x… --beacon http://localhost:5052 --once --json
  $ blobcheck proxy --checkpoint 0x… --beacon https://a.example https://b.example --archive https://c.example
  $ blobcheck audit --from 9000000 --to 9007199 --archive https://a.example --beacon https://b.example --checkpoint 0x… --report audit.jsonl
  $ blobcheck serve --blobs 21 --withhold 65
  $ blobcheck bench --quick
  $ blobcheck demo

A checkpoint is the root of a finalized block, from someone whom you trust: your own node, or a public checkpoint service. Everything else is verified.

Exit codes: 0 all is well, 1 something is bad, 2 bad usage, 3 it could not be found out.`

/** Descriptions are wrapped beside their options in narrow terminals, too. */
const help = { minWidthToWrap: 20 }

/** Runs a command line, and resolves with the exit code of its process. */
export async function run(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const output = outputOf(context)
  let code: ExitCode = exitCodes.ok
  const end = (exitCode: ExitCode): void => void (code = exitCode)
  const program = new Command('blobcheck')
    .description('Check Ethereum’s blob data yourself, without a node.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('(blobcheck --help says what there is)')
    .addHelpText('after', helpText(AFTER_HELP, context.stdout))
    .configureHelp(help)
    .configureOutput(output)
    .exitOverride()
  const commands: readonly MakeCommand[] = [
    sampleCommand,
    blobsCommand,
    verifyCommand,
    lightClientCommand,
    auditCommand,
    auditWorkerCommand,
    proxyCommand,
    serveCommand,
    benchCommand,
    demoCommand,
  ]
  for (const command of commands.map((make) => make(context, end)))
    program.addCommand(
      command
        .showHelpAfterError(`(blobcheck ${command.name()} --help says what there is)`)
        .exitOverride()
        .configureHelp(help)
        .configureOutput(output),
    )
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  }
}

/** What commander writes, without what steers a terminal. */
function outputOf({ stdout, stderr }: CommandContext): OutputConfiguration {
  const width = (out: Output): number => (out.isTTY === true ? (out.columns ?? 80) : 80)
  return {
    writeOut: (text) => void stdout.write(printableLines(text)),
    writeErr: (text) => void stderr.write(printableLines(text)),
    getOutHelpWidth: () => width(stdout),
    getErrHelpWidth: () => width(stderr),
  }
}
