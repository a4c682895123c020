/** A port that is another's, with what can be done about it. */

/** The error, which says so where `--port` helps. */
export function portInWords(error: Error): Error {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error
  return new Error(`${error.message}; --port 0 takes any that is free`, { cause: error })
}
