/** How a process ends, the same for every command: scripts read these. */
export const exitCodes = {
  /** All of it is valid, or available, or was followed until the user had enough. */
  ok: 0,
  /** Something is bad: invalid, malformed, unavailable. */
  bad: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** Nothing was found to be bad, and not everything could be found out: no endpoint, no such file, an interruption. */
  unknown: 3,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
