// What a run of the bench has found so far. It is written to its files after each row, so that a run that fails or is
// interrupted keeps what it had measured.
import { renameSync, writeFileSync } from 'node:fs'
import { writeSection } from './markdown.mjs'
import { toMarkdown } from './tables.mjs'

export class Report {
  #options
  #env
  #contenders = []
  /** `poolScaling`, `stages` and `wire`: rows of their own. */
  #extras = { wire: [], stages: [], scaling: [] }
  #failures = []

  /** `options`: the rows, and the files that are wanted; `env`: where and with what it is measured. */
  constructor({ rows, json, markdown }, env) {
    this.#options = { rows, json, markdown }
    this.#env = { ...env, complete: false, tookS: 0 }
  }

  /** The implementations, which keep their own samples. */
  set contenders(contenders) {
    this.#contenders = contenders
  }

  /** Adds rows to one of the tables beside the operations. */
  add(extra, rows) {
    this.#extras[extra].push(...rows)
    this.save()
  }

  /** Notes that something could not be measured. */
  fail(impl, op, failure) {
    this.#failures.push({ op, n: null, impl, failure })
    this.save()
  }

  /** All rows are measured; `tookS` seconds after the start. */
  finish(tookS) {
    Object.assign(this.#env, { complete: true, tookS })
    this.save()
  }

  /** Everything that is known by now. */
  get found() {
    const contenders = this.#contenders
    return {
      env: this.#env,
      results: contenders.flatMap((contender) => contender.results()),
      failures: [...contenders.flatMap((contender) => contender.failures()), ...this.#failures],
      memory: contenders
        .filter(({ start }) => start !== undefined)
        .map(({ name, start, peakKb }) => ({
          impl: name,
          firstVerdictMib: start.addedKb / 1024,
          processMib: start.peakKb / 1024,
          wholeRunMib: peakKb / 1024,
        })),
      ...this.#extras,
    }
  }

  save() {
    const { rows, json, markdown } = this.#options
    const { found } = this
    if (json) {
      // Whoever reads the file meanwhile finds the whole of the one before.
      writeFileSync(`${json}.part`, `${JSON.stringify(found, null, 2)}\n`)
      renameSync(`${json}.part`, json)
    }
    if (markdown)
      for (const [name, text] of Object.entries(toMarkdown(found, rows))) writeSection(markdown, name, text)
  }
}
