// `ts/src` as it is published: JavaScript file by file, and declarations. There are no source maps: the JavaScript has the names and the order
// of the TypeScript, which is not in the package, and tools of others warn of each map whose sources they do not find.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bundleInline } from './bundle-inline.mjs'
import { bundleVendor } from './bundle-vendor.mjs'
import { bundleWorkers } from './bundle-workers.mjs'
import { Licences } from './licences.mjs'
import { declarationsOf } from './package-contents.mjs'
import { allEnded, run } from './run.mjs'

/** Writes `dist` anew. Without `isChecked`, types are not looked at: where a module has not been built, there are none of it. */
export async function compileTypeScript(root, { isChecked }) {
  const dist = join(root, 'dist')
  rmSync(dist, { recursive: true, force: true })
  // TypeScript 7, which is native; dependency-cruiser needs the interface of 6, under its own name.
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
  const unchecked = isChecked ? [] : ['--noCheck']
  const compile = async (...options) =>
    await run(process.execPath, [tsc, '-p', root, ...options], { cwd: root })
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // Comments are for editors, which read declarations, and for those who read the source.
  await allEnded([
    compile('--emitDeclarationOnly', ...unchecked),
    compile('--declaration', 'false', '--isolatedDeclarations', 'false', '--removeComments', '--noCheck'),
  ])
  leaveOutDeclarations(root, manifest)
  const licences = new Licences()
  await bundleWorkers(root, licences)
  await bundleVendor(root, licences)
  await bundleInline(root)
  writeFileSync(join(dist, 'licenses.txt'), licences.toString())
}

/** The declarations that no user of an entry comes to are for our tests alone: npm leaves them out of the package. */
function leaveOutDeclarations(root, manifest) {
  const shown = declarationsOf(root, manifest)
  const hidden = ['.d.ts', '.d.mts']
    .flatMap((ending) => filesIn(join(root, 'dist'), ending))
    .map((path) => relative(root, path).replaceAll('\\', '/'))
    .filter((path) => !shown.has(path))
  writeFileSync(
    join(root, 'dist/.npmignore'),
    hidden.map((path) => path.replace(/^dist/, '')).join('\n') + '\n',
  )
}

function filesIn(folder, ending) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}
