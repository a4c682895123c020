// What a long run needs of memory, looked at again and again, and whether it stays what it was.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { median } from '../bench/statistics.mjs'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/** Marks from which on it is judged. Before, a run is not over its start. */
const ENOUGH_MARKS = 20

/**
 * What may be more in the last quarter than in the one before. A cache of 65,536 digests that fills up is some 10 MB, and what the allocator keeps of
 * what was freed goes up and down by more.
 */
const SLACK_BYTES = 48e6

/** The memory of this process at regular marks: of the whole (`rss`, workers included), and of what its main thread holds on to. */
export class MemoryMarks {
  #marks = []

  /** Looks now; what was found, in bytes. */
  mark() {
    collectGarbage()
    const { rss, heapUsed, external } = process.memoryUsage()
    const found = { rss, held: heapUsed + external }
    this.#marks.push(found)
    return found
  }

  /** Whether the last quarter needed more than the one before: that as faults, in words, and what both needed. */
  judge() {
    const marks = this.#marks
    if (marks.length < ENOUGH_MARKS) return { faults: [], text: 'too short a run to judge' }
    const quarter = Math.floor(marks.length / 4)
    const [third, last] = [marks.slice(-2 * quarter, -quarter), marks.slice(-quarter)]
    const faults = []
    const [all, held] = ['rss', 'held'].map((kind) => {
      const [before, after] = [third, last].map((some) => median(some.map((mark) => mark[kind])))
      const span = `${megabytes(before)} → ${megabytes(after)} MB`
      if (after > before + SLACK_BYTES) faults.push(`memory (${kind}) grew: ${span}`)
      return span
    })
    return { faults, text: `${all} in all, ${held} held by the main thread, ${marks.length} marks` }
  }
}

export const megabytes = (bytes) => Math.round(bytes / 1e6)
