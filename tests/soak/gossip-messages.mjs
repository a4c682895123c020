// What fifty peers send, slot by slot, in the order in which it comes.
import { blockAt, COLUMNS, LIES } from './gossip-data.mjs'

export const SLOT_MS = 12_000
/** Within which a slot’s columns come, as attestations are due then. */
const SPREAD_MS = 4_000
/** Of all messages: duplicates, and what is false. */
const [DUPLICATES, FALSE] = [0.2, 0.05]
/** For each that is neither. */
const HONEST = 1 - DUPLICATES - FALSE

/**
 * All messages, without end. Each of the 128 columns of a slot comes once, of anyone; then there is what is false, of each of `lying` in turn, in
 * each way in turn; and what comes again, later, some of it in the next slot, of another peer: what is false, of another of those who lie. `at` is
 * milliseconds after the slot’s begin; `lie` is null for a true column, and says else what is done to its `row`.
 */
export function* messages({ made, random, names, lying }) {
  const below = (bound) => Math.floor(random() * bound)
  const of = (list) => list[below(list.length)]
  const ways = Object.keys(LIES)
  let [late, owed, told] = [[], 0, 0]
  for (let number = 0; ; number++) {
    const block = blockAt(made.firstSlot + number, made, random)
    const own = Array.from({ length: COLUMNS }, (_, index) => ({ index, peer: of(names), lie: null, row: 0 }))
    for (owed += (COLUMNS * FALSE) / HONEST; owed >= 1; owed--) {
      own.push({
        index: below(COLUMNS),
        peer: lying[told % lying.length],
        lie: ways[told % ways.length],
        row: below(made.commitments.length),
      })
      told++
    }
    const first = own.map((message) => ({ ...message, block, isAgain: false, at: random() * SPREAD_MS }))
    const again = Array.from({ length: Math.round((COLUMNS * DUPLICATES) / HONEST) }, () => {
      const message = of(first)
      const others = (message.lie === null ? names : lying).filter((name) => name !== message.peer)
      return { ...message, peer: of(others), isAgain: true, at: message.at + 500 + random() * SLOT_MS }
    })
    const all = [...late, ...first, ...again].sort((a, b) => a.at - b.at)
    late = all.filter(({ at }) => at >= SLOT_MS).map((message) => ({ ...message, at: message.at - SLOT_MS }))
    for (const message of all) if (message.at < SLOT_MS) yield { ...message, number }
  }
}
