/** What scripts ask of cargo, wherever it is told to put what it builds. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { run } from '../../scripts/run.mjs'
import { buildXtask, isXtaskThere } from '../../scripts/rust.mjs'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-rust-'))
  // A package of that name which needs no other one.
  const manifest = '[package]\nname = "xtask"\nversion = "0.0.0"\n[[bin]]\nname = "xtask"\npath = "main.rs"\n'
  await writeFile(join(folder, 'Cargo.toml'), `${manifest}[profile.tool]\ninherits = "dev"\n[workspace]\n`)
  await writeFile(
    join(folder, 'Cargo.lock'),
    'version = 4\n\n[[package]]\nname = "xtask"\nversion = "0.0.0"\n',
  )
  await writeFile(join(folder, 'main.rs'), 'fn main() { println!("built") }\n')
  for (const name of ['CARGO_TARGET_DIR', 'CARGO_BUILD_TARGET', 'CARGO_BUILD_TARGET_DIR'])
    vi.stubEnv(name, undefined)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

describe('the build tool', () => {
  it.each([
    ['as cargo is without settings', {}],
    ['in a target folder of the user’s', { CARGO_TARGET_DIR: 'elsewhere' }],
  ])('is found where it was built: %s', async (_, settings) => {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
    expect(isXtaskThere(folder)).toBe(false)
    const path = await buildXtask(folder)
    expect(await run(path, [])).toBe('built\n')
    expect(isXtaskThere(folder)).toBe(true)
    // What is built already is found, too.
    expect(await buildXtask(folder)).toBe(path)
  })

  it.skipIf(process.platform === 'win32')('is missing where cargo names none', async () => {
    await writeFile(join(folder, 'cargo'), '#!/bin/sh\necho "{}"\n')
    await chmod(join(folder, 'cargo'), 0o755)
    vi.stubEnv('PATH', folder + delimiter + process.env['PATH'])
    await expect(buildXtask(folder)).rejects.toThrow('does not say where the build tool')
  })
})
