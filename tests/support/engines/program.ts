/** Programs that tests start, which start others: all of them end with the test, and with the process that runs it, whatever ends that. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The shell waits for the end of its input, which is ours, or that of our process. Programs are asked first, so that they tidy up, and
 * then killed.
 */
const UNTIL_WE_END = 'cat > /dev/null; kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"'

/** Ends a process and all that it has started, once the function that this returns is called, or once this process has ended. */
export function endWithUs(leader: ChildProcess): () => Promise<void> {
  const guard = spawn('sh', ['-c', UNTIL_WE_END, 'sh', String(leader.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  return async () => {
    guard.stdin.end()
    if (leader.exitCode === null && leader.signalCode === null) await once(leader, 'exit')
  }
}

/** A folder in which a browser is at home, so that no run finds what another has left. */
export async function makeHome(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'blobcheck-engine-'))
  // What a browser that is being killed still writes makes the first attempt fail.
  return { path, remove: async () => await rm(path, { recursive: true, force: true, maxRetries: 20 }) }
}
