// The projects of `tests/consumer`: does what is published compile in them? Each project is compiled by the oldest TypeScript that the package
// is for and by the newest; what lies between, where something changed for declarations: 5.4 is the last that the Node 20 of its time came
// with, 5.7 made `Uint8Array` generic and 5.9 drew the consequences in DOM, 6 is the last in JavaScript. Not every project meets every
// version with both resolutions, since one such run takes up to four seconds of a core; the newest, which takes a tenth of that, meets all.
import { join } from 'node:path'
import { isMain } from './is-main.mjs'
import { run } from './run.mjs'
import { root } from './setup.mjs'

const compilers = {
  '5.0': 'tests/consumer/compilers/node_modules/typescript-5.0/bin/tsc',
  5.4: 'tests/consumer/compilers/node_modules/typescript-5.4/bin/tsc',
  5.9: 'tests/consumer/compilers/node_modules/typescript-5.9/bin/tsc',
  6: 'node_modules/typescript/bin/tsc',
  7: 'node_modules/typescript-native/bin/tsc',
}

/**
 * `tsconfig` has ES2022 and nothing of a platform, `page` has DOM, `node` has the types of Node 20, which TypeScript 6 and 7 find faulty
 * under `exactOptionalPropertyTypes`, and `node-today` those of a current Node, which older compilers cannot read; `disposing` has
 * `ESNext.Disposable`, which there is since 5.2.
 */
const matrix = [
  ['5.0', 'tsconfig', 'bundler'],
  ['5.0', 'page', 'node16'],
  ['5.0', 'node', 'nodenext'],
  ['5.4', 'tsconfig', 'node16'],
  ['5.4', 'page', 'bundler'],
  ['5.9', 'tsconfig', 'nodenext'],
  ['5.9', 'page', 'bundler'],
  ['5.9', 'node-today', 'nodenext'],
  ['5.9', 'disposing', 'bundler'],
  ['6', 'tsconfig', 'bundler'],
  ['6', 'page', 'nodenext'],
  ...['tsconfig', 'page', 'node-today', 'disposing'].flatMap((project) => [
    ['7', project, 'bundler'],
    ['7', project, 'nodenext'],
  ]),
]

const modules = { bundler: 'ESNext', node16: 'Node16', nodenext: 'NodeNext' }

/** The runs with these versions of the compiler, or all, each with its name and the arguments for Node. */
export function consumers(versions = Object.keys(compilers)) {
  return matrix
    .filter(([version]) => versions.includes(version))
    .map(([version, project, resolution]) => ({
      name: `declarations (TypeScript ${version}, ${project}, ${resolution})`,
      args: [
        join(root, compilers[version]),
        ...['-p', `tests/consumer/${project}.json`],
        ...['--module', modules[resolution], '--moduleResolution', resolution],
      ],
    }))
}

/** The files of other packages that the declarations lead to, beside TypeScript's own: there shall be none. */
async function foreignFiles() {
  const listed = await run(
    process.execPath,
    [join(root, compilers['7']), '-p', 'tests/consumer/tsconfig.json', '--listFilesOnly'],
    { cwd: root },
  )
  const files = listed.split('\n').filter((line) => line !== '')
  if (!files.some((file) => file.includes('dist/index.d.ts')))
    throw new Error('these are not the files of the project')
  return files.filter((file) => file.includes('node_modules') && !/[/\\]lib\.[\w.]+\.d\.ts$/.test(file))
}

if (isMain(import.meta.url)) {
  const files = await foreignFiles()
  if (files.length > 0) {
    console.error(`public declarations lead to other packages:\n${files.join('\n')}`)
    process.exit(1)
  }
}
