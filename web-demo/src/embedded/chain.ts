/** The chain from the bytes to a checkpoint, as the verdicts of a run have it, with what the visitor broke. */
import type { InvalidVerdict, Links, LinkState, MalformedVerdict, Verdict } from 'blobcheck'
import type { ChainLink, LinkMark } from 'blobcheck/elements'
import { breakNamed, type BreakName } from './breaking.ts'
import type { Changes } from './delivery.ts'
import { capital, detailOf, integer, isRefused, numberWord } from '../shared/words.ts'

type LinkName = BreakName | 'signature' | 'committee' | 'checkpoint'

interface LinkWords {
  readonly name: LinkName
  readonly title: string
  /** The link of a verdict that says whether it holds. */
  readonly of: keyof Links
  readonly held: string
  readonly absent: string
}

const words: readonly LinkWords[] = [
  {
    ...{ name: 'blob', title: 'Bytes', of: 'kzg' },
    held: 'Every byte of a blob is one that its commitment was made of.',
    absent: 'No bytes have been verified.',
  },
  {
    ...{ name: 'proof', title: 'KZG proof', of: 'kzg' },
    held: 'The proof shows that the bytes belong to the commitment (EIP-4844).',
    absent: 'No proof has been verified.',
  },
  {
    ...{ name: 'cell', title: 'Cells', of: 'kzg' },
    held: 'Each of the 128 cells of a blob belongs to the commitment by a proof of its own (EIP-7594).',
    absent: 'No cell has been verified by itself yet.',
  },
  {
    ...{ name: 'commitment', title: 'Commitment', of: 'inclusion' },
    held: 'It is a leaf of the body of the block.',
    absent: 'It has not been looked for in the block.',
  },
  {
    ...{ name: 'branch', title: 'Merkle branch', of: 'inclusion' },
    held: 'Seventeen hashes lead from the commitment to the body root in the header.',
    absent: 'No branch to a header has been verified.',
  },
  {
    ...{ name: 'root', title: 'Header', of: 'header' },
    held: 'It is the header that you said you trust; the page took your word for it.',
    absent: 'It came with the blobs, and anyone can make one: nothing says that the chain contains it.',
  },
  {
    ...{ name: 'signature', title: 'Proposer', of: 'signature' },
    held: 'The signature of the proposer was verified.',
    absent:
      'The signature was not checked: that takes the public key of the proposer, which is in the state.',
  },
  {
    ...{ name: 'committee', title: 'Sync committee', of: 'sync-committee' },
    held: 'A sync committee signed for the header.',
    absent: 'No light client has followed the chain to this header.',
  },
  {
    ...{ name: 'checkpoint', title: 'Checkpoint', of: 'checkpoint' },
    held: 'The committee follows from a checkpoint that you trust.',
    absent: 'No checkpoint that you trust was asked for.',
  },
]

/** What was found out in a run. */
export interface Found {
  /** Verdicts in the order of the blobs, null where there is none. */
  readonly blobs: readonly (Verdict | null)[]
  /** Verdicts by blob, then by column; none where the cells have not been verified one by one. */
  readonly cells: readonly (readonly Verdict[])[]
  /** Whether there are cells, which can be verified and broken; they are known some time after the blobs. */
  readonly hasCells: boolean
}

export function chainOf(found: Found, broken: Changes): ChainLink[] {
  const snapped = firstSnapped(found, broken)
  const at = words.findIndex(({ name }) => name === snapped?.name)
  return words.map(({ name, title, of, held, absent }, place) => {
    const state = commonState(name === 'cell' ? found.cells.flat() : found.blobs, of)
    const known = breakNamed(name)
    const cause = known && broken.get(known)
    const canBreak = known !== undefined && (name !== 'cell' || found.hasCells)
    const shared = { name, title, canBreak, isBroken: cause !== undefined }
    if (snapped !== null && place === at) {
      const { difference } = cause ?? {}
      return { ...shared, ...difference, mark: 'broken', text: snapped.text, reason: snapped.reason }
    }
    if (snapped !== null && place > at)
      return { ...shared, mark: 'unreached', text: 'What is refused does not get this far.' }
    // What the cache vouches for was verified by this browser, on an earlier visit: nobody's word is in it.
    if (of === 'kzg' && state === 'trusted')
      return { ...shared, mark: 'verified', text: 'Verified on an earlier visit; this browser remembers it.' }
    return { ...shared, mark: markOf(state), text: state === 'absent' ? absent : held }
  })
}

function markOf(state: LinkState): LinkMark {
  return state === 'absent' ? 'unknown' : state
}

/** What all items have of a link that holds for any of them; refused items are told of where the chain is broken. */
function commonState(results: readonly (Verdict | null)[], of: keyof Links): LinkState {
  const states = results.flatMap((verdict) => (verdict === null ? [] : [verdict.links[of]]))
  const held = states.filter((state) => state !== 'absent')
  return held.includes('trusted') ? 'trusted' : (held[0] ?? 'absent')
}

type Refusal = InvalidVerdict | MalformedVerdict

interface Snapped {
  readonly name: LinkName
  readonly text: string
  readonly reason: string
}

/** The first link, from the bytes on, at which an item was refused. */
function firstSnapped({ blobs, cells }: Found, broken: Changes): Snapped | null {
  const refused = blobs.flatMap((verdict, blob) => (isRefused(verdict) ? [{ verdict, blob }] : []))
  const named: { verdict: Refusal; blob: number; name: LinkName; column?: number }[] = refused.map(
    ({ verdict, blob }) => ({
      ...{ verdict, blob },
      name: whereRefused(verdict.stage, (name) => broken.get(name)?.blob === blob),
    }),
  )
  for (const [blob, verdicts] of cells.entries())
    // A false cell of a false blob is no news: the blob's own link says so.
    if (!isRefused(blobs[blob]))
      for (const [column, verdict] of verdicts.entries())
        if (isRefused(verdict)) named.push({ verdict, blob, column, name: 'cell' })
  named.sort((one, other) => placeOf(one.name) - placeOf(other.name))
  const [first] = named
  if (first === undefined) return null
  const alike = named.filter(({ name }) => name === first.name).length
  const { blob, column } = first
  const what = column === undefined ? 'blob' : 'cell'
  const one = column === undefined ? `blob ${blob}` : `column ${column} of blob ${blob}`
  const which =
    alike === blobs.length && alike > 1 && column === undefined
      ? `All ${numberWord(alike)} blobs are refused here.`
      : alike > 1
        ? `${integer(alike)} ${what}s are refused here, ${one} first.`
        : `${capital(one)} is refused here.`
  return { name: first.name, text: which, reason: detailOf(first.verdict) }
}

function whereRefused(stage: string, isBroken: (name: BreakName) => boolean): LinkName {
  switch (stage) {
    case 'inclusion':
      return isBroken('commitment') ? 'commitment' : 'branch'
    case 'anchor':
      return 'root'
    case 'signature':
      return 'signature'
    default:
      return isBroken('proof') && !isBroken('blob') ? 'proof' : 'blob'
  }
}

const placeOf = (name: LinkName): number => words.findIndex((link) => link.name === name)
