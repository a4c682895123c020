// THIRD-PARTY-NOTICES.txt: whose work is in the package, and under which licence. The crates that are linked into the modules come from
// cargo, which knows them; the packages of npm that are inside our files were noted when these were bundled (dist/licenses.txt).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './run.mjs'

const HEAD = `The package blobcheck contains work of others, under the licences below. Its own licence is MIT or Apache-2.0, at your option.

wasm/prover-setup.bin and wasm/prover-setup-extension.bin follow from the trusted setup of Ethereum's KZG ceremony, and the points inside the
modules are of it. data/ has a block of the Holesky network, as the crate alloy-rpc-types-beacon (MIT or Apache-2.0) records it.

dist/vendor/rlp.js is a part of @ethereumjs/rlp, which is under the Mozilla Public License 2.0; its source is in the package of that name in npm.
`

/** What every module has inside, though no crate of ours names it. */
const STANDARD_LIBRARY = { name: 'The Rust standard library', holders: ['The Rust Project Contributors'] }

/** Writes the notices of the package in `root`, which has been built. Rejects where no licence was noted when it was. */
export async function writeNotices(root) {
  const ofNpm = readFileSync(join(root, 'dist/licenses.txt'), 'utf8')
  if (ofNpm.trim() === '') throw new Error('dist/licenses.txt is empty: remove dist, and build it anew')
  const crates = await linkedCrates(root)
  const permission = crates
    .map(({ text }) => /Permission is hereby granted[\s\S]*$/.exec(text ?? '')?.[0])
    .find(Boolean)
  const mitOf = (holders) => `MIT License\n\nCopyright (c) ${holders.join(', ')}\n\n${permission}`
  // Many crates have the same text.
  const byText = new Map()
  for (const { name, holders, text = mitOf(holders) } of [...crates, STANDARD_LIBRARY])
    byText.set(text, [...(byText.get(text) ?? []), name])
  const ofCrates = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text.trim()}\n`)
  const rule = `\n${'-'.repeat(80)}\n\n`
  writeFileSync(join(root, 'THIRD-PARTY-NOTICES.txt'), [HEAD, ...ofCrates, ofNpm].join(rule))
}

/**
 * The crates that the modules are linked from, each with its licence: MIT where it offers that, else all that it has. One that offers MIT and carries
 * no file of it comes with those who hold its copyright.
 */
async function linkedCrates(root) {
  const options = ['--format-version', '1', '--filter-platform', 'wasm32-unknown-unknown', '--locked']
  const output = await run('cargo', ['metadata', '--quiet', ...options], { cwd: root, isRead: true })
  const { packages, resolve } = JSON.parse(output)
  const crates = new Map(packages.map((crate) => [crate.id, crate]))
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]))
  const isMacro = (id) => crates.get(id).targets.some(({ kind }) => kind.includes('proc-macro'))
  const linked = new Set()
  const pending = packages.filter(({ name }) => name.startsWith('blobcheck-wasm')).map(({ id }) => id)
  while (pending.length > 0) {
    const id = pending.pop()
    // What macros need runs in the compiler, and is in no module.
    if (linked.has(id) || isMacro(id)) continue
    linked.add(id)
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps)
      if (kinds.some(({ kind }) => kind === null)) pending.push(pkg)
  }
  return [...linked]
    .map((id) => crates.get(id))
    .filter(({ source }) => source !== null)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, version, license, authors, manifest_path: path }) => ({
      name: `${name} ${version}`,
      holders: authors.map((author) => author.replace(/ <.*/, '')),
      text: licenceIn(dirname(path), license, authors.length > 0),
    }))
}

/** The text of a crate's licence; undefined where it is MIT's, and not in the folder. */
function licenceIn(folder, expression, hasHolders) {
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name))
  const mayChoose = !/\bAND\b/.test(expression)
  if (files.length === 0) {
    if (mayChoose && hasHolders && /\bMIT\b/.test(expression)) return undefined
    throw new Error(`${folder} has no licence`)
  }
  const chosen = files.filter((name) => mayChoose && /mit/i.test(name))
  return (chosen.length > 0 ? chosen : files.sort())
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n')
}
