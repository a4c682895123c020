/** The worker thread's entry: its own export path (`blobcheck/beacon/worker`), so that any bundler can be pointed at it. */
import { parent } from '#platform'
import { expose } from '../../vendor/comlink.ts'
import { createBlockTasks } from './tasks.ts'

expose(createBlockTasks(), parent())
