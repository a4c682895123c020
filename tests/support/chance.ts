/** How late an answer is, where it is cut, which of its bits is flipped: a share of the whole. */
import * as fc from 'fast-check'

/** In [0, 1), evenly: `fc.double` draws numbers next to 0 nine times out of ten. */
export const chance: fc.Arbitrary<number> = fc.integer({ min: 0, max: 999 }).map((n) => n / 1_000)
