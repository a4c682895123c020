/** The worker thread's entry: its own export path (`blobcheck/prover/worker`), so that any bundler can be pointed at it. */
import { parent } from '#platform'
import { expose } from '../../vendor/comlink.ts'
import { createProverTasks } from './tasks.ts'

expose(createProverTasks(), parent())
