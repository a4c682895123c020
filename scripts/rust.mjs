// What the scripts ask of the Rust that is here.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { run } from './run.mjs'

/**
 * Builds the build tool (crates/xtask) of the clone in `root`, where it is missing or older than what it is made of; its path. Cargo says where that
 * is: it depends on the system, on the environment, and on settings in several files.
 */
export async function buildXtask(root) {
  const options = ['--quiet', '--locked', '--profile', 'tool', '--package', 'xtask']
  const command = ['build', '--message-format', 'json-render-diagnostics', ...options]
  const messages = await run('cargo', command, { cwd: root, isRead: true })
  const path = messages
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .findLast(({ target, executable }) => target?.name === 'xtask' && executable)?.executable
  if (path === undefined) throw new Error('cargo does not say where the build tool (crates/xtask) is')
  return path
}

/** Whether cargo has built the build tool before, as far as that is seen without asking it. */
export function isXtaskThere(root) {
  const { CARGO_TARGET_DIR: folder = 'target', CARGO_BUILD_TARGET: target = '' } = process.env
  const executable = process.platform === 'win32' ? '.exe' : ''
  return existsSync(resolve(root, folder, target, 'tool', `xtask${executable}`))
}

/** The target that the compiler itself runs on; undefined where it does not say. */
export async function hostTarget() {
  return /^host: (.+)$/m.exec(await run('rustc', ['-vV'], { isRead: true }).catch(() => ''))?.[1]
}

/**
 * Flags with which the model of relaxed SIMD multiplies and adds doubles by the processor's own instruction, seven times as fast as without;
 * null where the processor has none.
 */
export async function fusedFlags() {
  const question = ['--print', 'cfg', '-C', 'target-cpu=native']
  const features = await run('rustc', question, { isRead: true }).catch(() => '')
  if (!features.includes('target_feature="fma"')) return null
  return [process.env.RUSTFLAGS, '-C target-feature=+fma'].filter(Boolean).join(' ')
}

/** Sees to it that cargo has a command, `cargo-` and its name, which is compiled where it is missing. */
export async function ensureCargoCommand(name) {
  if (await run('cargo', [name, '--version']).then(Boolean, () => false)) return
  console.log(`cargo-${name} is missing: cargo install cargo-${name} --locked (some minutes)`)
  await run('cargo', ['install', `cargo-${name}`, '--locked'])
}
