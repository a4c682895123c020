/** The worker thread's entry: its own export path (`blobcheck/worker`), so that any bundler can be pointed at it. */
import { parent } from '#platform'
import { expose } from '../../vendor/comlink.ts'
import { createTasks } from './tasks.ts'

expose(createTasks('die'), parent())
