/** The worker thread's entry: its own export path (`blobcheck/light-client/worker`), so that any bundler can be pointed at it. */
import { parent } from '#platform'
import { expose } from '../../vendor/comlink.ts'
import { createLightClientTasks } from './tasks.ts'

expose(createLightClientTasks('die'), parent())
