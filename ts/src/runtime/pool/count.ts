/** The option `workers`, resolved. */
import { platform } from '#platform'

/** More workers than this gain little on a block's worth of data, and each holds an instance in memory. */
const MAX_AUTO_WORKERS = 8

/** How many workers to start. Throws `TypeError` for what is no number of them. */
export function countWorkers(workers: unknown): number {
  if (workers === 'auto') return Math.min(Math.max(platform.cores(), 1), MAX_AUTO_WORKERS)
  if (typeof workers === 'number' && Number.isInteger(workers) && workers >= 0 && workers <= 256)
    return workers
  throw new TypeError("workers must be 'auto' or an integer from 0 to 256")
}
