/** What all experiments have in common: a button that starts, one that cancels, a progress, a sentence, and lines to copy. */
import { copyButton } from '../../shared/copy.ts'
import { element, type Pressable, pressable, setText } from '../../shared/page.ts'
import { StalledError, Watch } from '../../shared/watch.ts'
import { errorWords } from '../../shared/words.ts'

/** One run of an experiment. */
export interface Run {
  readonly signal: AbortSignal
  /** How far it has come; a sign of life, too. */
  progress(done: number, total: number): void
}

export interface Experiment {
  /** The ids of its elements begin with `experiments-` and this. */
  readonly name: string
  /** Resolves with one sentence or two that say what came of it. */
  run(run: Run): Promise<string>
  /** Lines of code that do the same in Node.js. */
  lines(): string
}

/** The buttons that start one: two at a time would measure each other. */
const starts: Pressable[] = []

export function frame({ name, run, lines }: Experiment): void {
  const part = (which: string): string => `#experiments-${name}-${which}`
  const progress = element(part('progress'), HTMLProgressElement)
  let running: AbortController | null = null
  const cancel = pressable(part('cancel'), () => running?.abort())
  const start = pressable(part('run'), () => void go())
  start.enable(true)
  starts.push(start)
  element(part('buttons'), HTMLElement).append(copyButton('Copy this', lines))

  async function go(): Promise<void> {
    const controller = (running = new AbortController())
    const { signal } = controller
    const watch = new Watch((error) => controller.abort(error))
    const sign = (): void => watch.expect('nothing has come of it')
    for (const each of starts) each.enable(false, true)
    cancel.enable(true)
    progress.value = 0
    setText(part('status'), 'At work…')
    sign()
    try {
      const found = await run({
        signal,
        progress(done, total) {
          sign()
          progress.max = total
          progress.value = done
        },
      })
      setText(part('status'), found)
    } catch (error) {
      const isCancelled = signal.aborted && !(signal.reason instanceof StalledError)
      setText(part('status'), isCancelled ? 'Cancelled.' : errorWords(signal.reason ?? error))
    } finally {
      watch.stop()
      cancel.enable(false, true)
      for (const each of starts) each.enable(true)
    }
  }
}
