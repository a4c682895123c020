// The licences of what the build puts into a file of ours: each package of npm by name and version, once.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Licence texts by package, gathered while files are bundled. */
export class Licences {
  #texts = new Map()

  /** Takes note of the packages that these modules of a bundle are of; our own have none. */
  add(moduleIds) {
    for (const id of moduleIds) {
      if (!id.includes('node_modules')) continue
      const folder = packageOf(id)
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      this.#texts.set(`${name} ${version}`, readFileSync(join(folder, licenceIn(folder)), 'utf8'))
    }
  }

  /** All of them as one text. Throws where there is none: what was bundled already has no modules of others, and yet their work in it. */
  toString() {
    if (this.#texts.size === 0)
      throw new Error('no package was found in what is bundled: dist is not as it was compiled')
    const texts = [...this.#texts].sort().map(([name, text]) => `${name}\n\n${text.trim()}\n`)
    return texts.join(`\n${'-'.repeat(80)}\n\n`)
  }
}

/** The folder of the package that a file is of. */
function packageOf(file) {
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json')) || licenceIn(folder) === undefined)
    folder = dirname(folder)
  return folder
}

function licenceIn(folder) {
  return readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name))
}
