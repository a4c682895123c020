/** The commands of `blobcheck`. What a command needs is loaded when it is called. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { lightClientCommand } from './light-client.ts'

/** How a process ends. */
export const exitCodes = {
  ok: 0,
  /** What was to be done could not be: no endpoint, a stale checkpoint. */
  failed: 1,
  /** The command line makes no sense. */
  usage: 2,
} as const

const AFTER_HELP = `
Examples:
  $ blobcheck light-client --checkpoint 0x… --beacon https://a.example https://b.example
  $ blobcheck light-client --network sepolia --checkpoint 0x… --beacon http://localhost:5052 --once --json

A checkpoint is the root of a finalized block, from someone whom you trust: your own node, or a public
checkpoint service. Everything else is verified.`

/** Runs a command line; the process' exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  let code: number = exitCodes.ok
  const program = new Command('blobcheck')
    .description('Check Ethereum’s blob data yourself, without a node.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('(blobcheck --help says what there is)')
    .addHelpText('after', AFTER_HELP)
    .exitOverride()
  program.addCommand(lightClientCommand((exitCode) => (code = exitCode)).exitOverride())
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  }
}
