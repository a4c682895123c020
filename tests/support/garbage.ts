/** Objects that nobody can reach any more, to be collected at once. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { turn } from './make.ts'

/** Collects what is garbage by now. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // What the engine's own queues hold on to is let go of in between.
  for (let times = 0; times < 2; times++) {
    await turn(1)
    collect()
  }
}
