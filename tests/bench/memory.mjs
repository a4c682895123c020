// How much memory this process has taken at most, in KiB.
import { readFileSync } from 'node:fs'

/**
 * `maxRSS` of Linux is no less than what the parent had when it started this process, which counts for both until the child has memory of its own:
 * the parent may have compiled the package before.
 */
export function peakKb() {
  try {
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}
