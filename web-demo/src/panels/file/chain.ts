/** The chain from the bytes of a file to what they rest on, as the verdicts have it. */
import type { InvalidVerdict, Links, MalformedVerdict, Verdict } from 'blobcheck'
import type { ChainLink } from 'blobcheck/elements'
import { detailOf, integer, isRefused } from '../../shared/words.ts'

type Refusal = InvalidVerdict | MalformedVerdict

interface LinkWords {
  readonly name: keyof Links
  readonly title: string
  readonly held: string
  readonly absent: string
}

const words: readonly LinkWords[] = [
  {
    ...{ name: 'kzg', title: 'Bytes and commitment' },
    held: 'The bytes are those that the commitment was made of: a KZG proof says so, or the commitment was computed from them.',
    absent: 'Nothing says yet that the bytes belong to the commitment.',
  },
  {
    ...{ name: 'versioned-hash', title: 'Versioned hash' },
    held: 'The commitment has a versioned hash that was named.',
    absent: 'No versioned hash was named.',
  },
  {
    ...{ name: 'inclusion', title: 'Merkle branch' },
    held: 'A branch of hashes leads from the commitment to the body root of a header.',
    absent: 'Nothing leads from the commitment to a block.',
  },
  {
    ...{ name: 'header', title: 'Header' },
    held: 'It is the header whose root you named: the page took your word for it.',
    absent: 'Nobody says that the header is of the chain: anyone can make one.',
  },
  {
    ...{ name: 'signature', title: 'Proposer' },
    held: 'The signature of the proposer was verified.',
    absent:
      'The signature was not checked: that takes the public key of the proposer, which is no part of the file.',
  },
  {
    ...{ name: 'sync-committee', title: 'Sync committee' },
    held: 'A sync committee signed for the header.',
    absent: 'No light client has followed the chain to this header.',
  },
  {
    ...{ name: 'checkpoint', title: 'Checkpoint' },
    held: 'The committee follows from a checkpoint that you trust.',
    absent: 'No checkpoint that you trust was asked for.',
  },
]

/** `verdicts`: of all items that have one; `nameOf` says which item a verdict is on, as in `column 7`. */
export function linksOf(verdicts: readonly Verdict[], nameOf: (verdict: Verdict) => string): ChainLink[] {
  const refused = verdicts.filter((verdict) => isRefused(verdict))
  const places = refused.map((verdict) => words.findIndex(({ name }) => name === whereRefused(verdict)))
  const broken = refused.length === 0 ? words.length : Math.min(...places)
  const first = refused[places.indexOf(broken)]
  return words.map(({ name, title, held, absent }, at) => {
    if (at > broken) return { name, title, mark: 'unreached', text: 'What is refused does not get this far.' }
    if (at === broken && first !== undefined) {
      const count = places.filter((place) => place === broken).length
      const others = count > 1 ? `, and ${integer(count - 1)} more` : ''
      const text = `Here ${nameOf(first)} is refused${others}.`
      return { name, title, mark: 'broken', text, reason: detailOf(first) }
    }
    const states = verdicts.map(({ links }) => links[name])
    if (states.includes('trusted')) return { name, title, mark: 'trusted', text: held }
    return states.includes('verified')
      ? { name, title, mark: 'verified', text: held }
      : { name, title, mark: 'unknown', text: absent }
  })
}

function whereRefused({ stage, reason }: Refusal): keyof Links {
  // An anchor is a header, or a list of what belongs to other links.
  if (reason === 'commitment-not-in-anchor') return 'kzg'
  if (reason === 'versioned-hash-not-in-anchor') return 'versioned-hash'
  switch (stage) {
    case 'versioned-hash':
    case 'inclusion':
    case 'signature':
      return stage
    case 'anchor':
      return 'header'
    default:
      return 'kzg'
  }
}
