/** The server of `blobcheck/serve/node`, by itself: for an app that a test has wrapped. */
import * as listening from '../../dist/serve/listen.js'
import type * as sources from '../../ts/src/serve/listen.ts'

// The package's declarations leave out what is internal.
export const { listen } = listening as unknown as typeof sources
