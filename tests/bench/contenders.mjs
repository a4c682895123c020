// The implementations as the schedule sees them: a process each, started again if it dies, and what was measured.
import { start } from './processes.mjs'
import { median } from './statistics.mjs'

/** Those that load within this time get a process of their own for the cold first call of every row. */
const QUICK_TO_LOAD_MS = 1000

/** The calls of such a process: ten, to see how soon an engine has compiled what is hot, unless they take longer than this. */
const FIRST_CALLS = { calls: 10, forMs: 1500 }

export class Contender {
  constructor(name, files, options) {
    this.name = name
    /** `op/n` → { cold, tenth, samples, failure } */
    this.rows = new Map()
    this.loadMs = 0
    this.has = []
    this.broken = null
    this.peakKb = 0
    this.#files = files
    this.#options = { ...options, flags: ['--expose-gc'] }
  }

  #files
  #options
  #process

  /** Starts the process and loads the implementation; where that fails, `broken` says why. */
  async load() {
    try {
      const { process, loadMs, has } = await this.#launch()
      this.#process = process
      Object.assign(this, { loadMs, has })
    } catch (error) {
      this.broken = firstLine(error)
    }
  }

  async #launch() {
    const process = start('measure.mjs', [this.name], this.#options)
    try {
      return { process, ...(await process.ask('load')) }
    } catch (error) {
      await process.stop()
      throw error
    }
  }

  async read() {
    await this.#process.ask('read', { path: this.#files.all })
  }

  row({ op, n }) {
    const key = `${op}/${n}`
    if (!this.rows.has(key))
      this.rows.set(key, { op, n, cold: null, tenth: null, samples: [], failure: null })
    return this.rows.get(key)
  }

  /** The first call of a row, and a turn that engines may use to compile what is hot. */
  async warmUp(row, limits) {
    if (row.op === 'coldStart') return
    await this.#attempt(row, async (entry) => {
      const [first, tenth] = await this.#firstCalls(row)
      Object.assign(entry, { cold: first, tenth })
      if (first < limits.forMs || this.loadMs < QUICK_TO_LOAD_MS) await this.#turn(row, limits)
    })
  }

  /** One turn at one row: its samples. */
  async measure(row, limits) {
    await this.#attempt(row, async (entry) => {
      entry.samples.push(
        ...(row.op === 'coldStart' ? await this.#start(entry) : await this.#turn(row, limits)),
      )
    })
  }

  /** A failure is a result: it is noted, and the row is not tried again. */
  async #attempt(row, task) {
    const entry = this.row(row)
    if (entry.failure !== null) return
    try {
      await task(entry)
    } catch (error) {
      entry.failure = firstLine(error)
      if (row.op === 'coldStart') return
      // A trap may leave an instance dead: the rows that follow get a new one.
      await this.stop()
      await this.load()
      await this.read()
    }
  }

  async #start(entry) {
    const process = start('cold.mjs', [this.name, this.#files.first], this.#options)
    try {
      const { samples, peakKb, addedKb } = await process.next()
      entry.cold ??= samples[0].wallMs
      this.start = { peakKb, addedKb }
      return samples
    } finally {
      await process.stop()
    }
  }

  async #turn(row, limits) {
    return (await this.#process.ask('run', { row, ...limits })).samples
  }

  /** The first call of a row and the tenth, if it is known: of a new process where that is soon loaded. */
  async #firstCalls(row) {
    const times = ({ samples }) => [samples[0].wallMs, samples[9]?.wallMs ?? null]
    if (this.loadMs > QUICK_TO_LOAD_MS)
      return times(await this.#process.ask('run', { row, calls: 1, forMs: 0 }))
    const { process } = await this.#launch()
    try {
      await process.ask('read', { path: this.#files.all })
      return times(await process.ask('run', { row, ...FIRST_CALLS }))
    } finally {
      await process.stop()
    }
  }

  /** `peakKb` is the most memory that a process of this implementation had, the inputs included. */
  async stop() {
    if (this.#process === undefined) return
    if (this.#process.child.connected) {
      const { peakKb } = await this.#process.ask('peak').catch(() => ({ peakKb: 0 }))
      this.peakKb = Math.max(this.peakKb, peakKb)
    }
    await this.#process.stop()
    this.#process = undefined
  }

  results() {
    return [...this.rows.values()]
      .filter(({ samples }) => samples.length > 0)
      .map(({ op, n, cold, tenth, samples }) => ({
        op,
        impl: this.name,
        n,
        cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
        wallMs: median(samples.map(({ wallMs }) => wallMs)),
        coldMs: cold,
        tenthMs: tenth,
        runs: samples.length,
      }))
  }

  failures() {
    return [...this.rows.values()]
      .filter(({ failure }) => failure !== null)
      .map(({ op, n, failure }) => ({ op, impl: this.name, n, failure }))
  }
}

const firstLine = (error) => error.message.split('\n')[0]
