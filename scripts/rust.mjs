// What the scripts ask of the Rust that is here.
import { run } from './run.mjs'

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
