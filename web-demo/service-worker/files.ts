/** What the build puts in: which files there are, and a name that changes with any of them. */

/** The build writes over these two. */
const built = '%BUILD%'
const listed = '%FILES%'

/** A name of this build. */
export const BUILD: string = built
/** Addresses of all files that the page may need, relative to the scope; the document is the empty one. */
export const FILES: readonly string[] = listed.split(' ')
