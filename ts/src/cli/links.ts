/** Links in words: what was verified, what was taken on somebody's word, and what nobody looked at. */
import type { Links, LinkState } from '../verdict/verdict.ts'

const meanings: Readonly<Record<keyof Links, string>> = {
  kzg: 'the data’s commitment (KZG)',
  'versioned-hash': 'the commitment’s versioned hash',
  inclusion: 'the commitment’s place in a block (Merkle branch)',
  header: 'the block’s place in the chain',
  signature: 'its proposer’s signature',
  'sync-committee': 'a sync committee’s signature',
  checkpoint: 'the way from a checkpoint',
}

const titles: readonly (readonly [LinkState, string])[] = [
  ['verified', 'verified'],
  ['trusted', 'on trust'],
  ['absent', 'not verified'],
]

/** A sentence for each state that there is, in the order of the chain. */
export function linksInWords(links: Links): string[] {
  const names = Object.keys(meanings) as (keyof Links)[]
  return titles.flatMap(([state, title]) => {
    const those = names.filter((name) => links[name] === state)
    return those.length === 0 ? [] : [`${title}: ${those.map((name) => meanings[name]).join('; ')}`]
  })
}
