// A reporter for vitest: one JSON file of counts, names of what failed and what was skipped, each file's time, and the engine. Unlike
// vitest's own, it knows the project of a test, and errors that belong to none.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export default class Report {
  #path

  constructor(path) {
    this.#path = path
  }

  onTestRunEnd(modules, unhandled) {
    const report = { passed: 0, failures: [], skipped: [], files: [], engines: [] }
    for (const module of modules) {
      const file = `${module.project.name} ${module.relativeModuleId}`
      const { cpu } = module.meta()
      report.files.push({ file, ms: Math.round(module.diagnostic().duration), cpu: Math.round(cpu ?? 0) })
      for (const error of module.errors()) report.failures.push({ name: file, error: error.message })
      for (const suite of module.children.allSuites())
        for (const error of suite.errors())
          report.failures.push({ name: `${file} > ${suite.fullName}`, error: error.message })
      // Where its process died or its page was left, it is not even known which of its tests ended.
      let hasEnded = !['queued', 'pending'].includes(module.state())
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        const name = `${file} > ${test.fullName}`
        const { engine } = test.meta()
        if (engine) report.engines.push(engine)
        if (state === 'passed') report.passed++
        else if (state === 'failed') report.failures.push({ name, error: errors[0]?.message ?? 'no message' })
        else if (state === 'skipped') report.skipped.push(name)
        else hasEnded = false
      }
      if (!hasEnded) report.failures.push({ name: file, error: 'it did not come to its end' })
    }
    for (const unknown of unhandled) {
      const error = unknown.message ?? unknown.name ?? JSON.stringify(unknown)
      report.failures.push({ name: 'an error that no test caught', error })
    }
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(this.#path, JSON.stringify(report, null, 1))
  }
}
