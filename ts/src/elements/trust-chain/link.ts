/** One link of a chain, as the page describes it. */

/**
 * What holds a link:
 *
 * - `verified`: it was verified here.
 * - `trusted`: it rests on the user's word.
 * - `unknown`: nothing is known about it.
 * - `absent`: it was not verified, as `links` of a verdict have it. It is drawn as one that is unknown.
 * - `broken`: it was refused.
 * - `unreached`: it comes after a broken one, so that nothing rests on it.
 */
export type LinkMark = 'verified' | 'trusted' | 'unknown' | 'absent' | 'broken' | 'unreached'

/** A link of `<trust-chain>`. */
export interface ChainLink {
  /** What events call it; no two links of a chain have the same name. */
  readonly name: string
  readonly title: string
  readonly mark: LinkMark
  /** One sentence. */
  readonly text: string
  /** Why it is broken; null, here and below, is as if it were not there. */
  readonly reason?: string | null
  /** What should have come out, in hex. It is in the page as a whole, and shortened by its style alone. */
  readonly expected?: string | null
  /** What came out, in hex. */
  readonly got?: string | null
  /** It has a button that asks the page to break it: `linkbreak`. */
  readonly canBreak?: boolean
  /** The page broke it: its button asks to restore it, `linkrestore`. */
  readonly isBroken?: boolean
}

/** What `linkbreak` and `linkrestore` tell: the name of the link. */
export interface LinkChoice {
  readonly name: string
}

/** The marks in words: never by colour alone. */
export const WORDS: Readonly<Record<LinkMark, string>> = {
  verified: 'verified here',
  trusted: 'your word',
  unknown: 'unknown',
  absent: 'not verified',
  broken: 'broken here',
  unreached: 'not reached',
}
