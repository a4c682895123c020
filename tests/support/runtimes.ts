/** Programs that run JavaScript, out of `tests/consumers`. They are installed for Linux alone. */
import { existsSync } from 'node:fs'
import { toolPath } from './consumers.ts'

const binaries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  deno: { 'linux-x64': '@deno/linux-x64-glibc/deno' },
  bun: { 'linux-x64': '@oven/bun-linux-x64/bin/bun', 'linux-arm64': '@oven/bun-linux-aarch64/bin/bun' },
  workerd: {
    'linux-x64': '@cloudflare/workerd-linux-64/bin/workerd',
    'linux-arm64': '@cloudflare/workerd-linux-arm64/bin/workerd',
  },
  node26: { 'linux-x64': 'node26-linux-x64/bin/node', 'linux-arm64': 'node26-linux-arm64/bin/node' },
}

/** What Deno is to be told before the name of a script that has npm's packages beside it. */
export const denoArguments: readonly string[] = ['run', '--allow-all', '--node-modules-dir=manual']

/** The path of a program, or null where there is no package of it for this platform. In CI there must be. */
export function runtime(name: 'deno' | 'bun' | 'workerd' | 'node26'): string | null {
  const binary = binaries[name]![`${process.platform}-${process.arch}`]
  if (binary !== undefined && existsSync(toolPath(binary))) return toolPath(binary)
  if (process.env['CI'] === 'true') throw new Error(`there is no ${name} to test with`)
  console.warn(`SKIPPED: ${name}, of which there is no package here`)
  return null
}
