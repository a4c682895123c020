/** How well the links are known of several verdicts at once. */
import { type Links, type LinkState, noLinks } from './verdict.ts'

const order: readonly LinkState[] = ['absent', 'trusted', 'verified']

/** Each link as it is in the one of which least is known; `noLinks` for none at all. */
export function inCommon(all: readonly Links[]): Links {
  const common: { -readonly [Name in keyof Links]: LinkState } = { ...(all[0] ?? noLinks) }
  for (const links of all)
    for (const name of Object.keys(common) as (keyof Links)[])
      if (order.indexOf(links[name]) < order.indexOf(common[name])) common[name] = links[name]
  return common
}
