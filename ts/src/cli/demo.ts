/** `blobcheck demo`: the page that verifies a block in a browser, from this machine. */
import { Command } from '../vendor/commander.ts'
import {
  type CommandContext,
  endsWell,
  type ExitCode,
  exitCodes,
  untilAborted,
  withExitCode,
} from './command.ts'
import { integerUpTo } from './options/arguments.ts'
import { hostOption } from './options/endpoints.ts'
import { jsonLine } from './terminal/output.ts'
import { printableLines } from './terminal/text.ts'
import { printError } from './terminal/words.ts'

interface Options {
  readonly port: number
  readonly host: string
  readonly json: boolean
}

/** `end` is told the exit code. */
export function demoCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  return new Command('demo')
    .description('Serve a page that verifies a real block in your browser, and lets you tamper with it.')
    .option('-p, --port <number>', 'port; 0 for any that is free', integerUpTo(65_535), 4_844)
    .addOption(hostOption())
    .option('--json', 'say where it is served as a line of JSON', false)
    .action(async (options: Options) =>
      end(
        await withExitCode(context.signal, () => demo(options, context), {
          interrupted: endsWell,
          failed: (error) => printError(context.stderr, error),
        }),
      ),
    )
}

async function demo({ port, host, json }: Options, { stdout, signal }: CommandContext): Promise<ExitCode> {
  const { pageApp, readPage } = await import('./demo/page.ts')
  const { listen } = await import('../serve/listen.ts')
  const server = await listen(pageApp(await readPage()).fetch, port, host)
  try {
    const { url } = server
    stdout.write(json ? jsonLine({ event: 'serving', url }) : printableLines(words(url)))
    await untilAborted(signal)
    return exitCodes.ok
  } finally {
    await server.close()
  }
}

function words(url: string): string {
  return [
    `Demo page  ${url}`,
    '',
    'It verifies a real block in your browser, off its main thread.',
    'Ctrl-C ends it.',
    '',
  ].join('\n')
}
