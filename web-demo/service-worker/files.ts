/** What the build puts in: which files there are, and a name that changes with any of them. */

/** The build writes over these. */
const built = '%BUILD%'
const listed = '%FILES%'
const others = '%LATER%'
const node = '%NODE%'

/** A name of this build. */
export const BUILD: string = built
/** Addresses of the files that the embedded block needs, relative to the scope; the document is the empty one. */
export const FILES: readonly string[] = listed.split(' ')
/** Addresses of all others: what is loaded when another tab is chosen. */
export const LATER: readonly string[] = others.split(' ')
/** Address of the script that has the simulated node. */
export const NODE: string = node
