/** The chain from the cells of a sampled block to the checkpoint, as its report has it. */
import type { Links } from 'blobcheck'
import type { ChainLink } from 'blobcheck/elements'
import type { SampleReport } from 'blobcheck/sampler'
import { counted } from './slot.ts'

interface LinkWords {
  readonly name: string
  readonly title: string
  readonly of: keyof Links
  readonly held: string
  readonly absent: string
}

const words: readonly LinkWords[] = [
  {
    ...{ name: 'cell', title: 'Cells', of: 'kzg' },
    held: 'Each cell of the columns that came belongs to its commitment, by a proof of its own (EIP-7594).',
    absent: 'No cell has been verified.',
  },
  {
    ...{ name: 'commitment', title: 'Commitments', of: 'inclusion' },
    held: 'A Merkle branch leads from the commitments to the body root in the header.',
    absent: 'No commitment has been tied to the block.',
  },
  {
    ...{ name: 'root', title: 'Header', of: 'header' },
    held: 'It is the header of this slot that the light client has.',
    absent: 'The light client has no header of this slot.',
  },
  {
    ...{ name: 'signature', title: 'Proposer', of: 'signature' },
    held: 'The signature of the proposer was verified.',
    absent: 'Its signature was not checked: that takes its public key, which is in the state.',
  },
  {
    ...{ name: 'committee', title: 'Sync committee', of: 'sync-committee' },
    held: 'Two thirds of a sync committee, or more, signed for this header, or for a later one that descends from it.',
    absent: 'No sync committee has signed for this header.',
  },
  {
    ...{ name: 'checkpoint', title: 'Checkpoint', of: 'checkpoint' },
    held: 'The committee follows from the checkpoint that you trust.',
    absent: 'Nothing leads from the checkpoint to here.',
  },
]

/** While the slot is sampled, and where it has no block. */
export function openLinks(text: string): ChainLink[] {
  return words.map(({ name, title }) => ({ name, title, mark: 'unknown', text }))
}

/** `header`: what is known of the header even where no data came. */
export function linksOf(report: SampleReport, header: Partial<Links>): ChainLink[] {
  const links = { ...report.links, ...header }
  const refusal = firstRefusal(report)
  return words.map(({ name, title, of, held, absent }) => {
    if (name === refusal?.at)
      return { name, title, mark: 'broken', text: refusal.text, reason: refusal.reason }
    const state = links[of]
    const isBid = name === 'commitment' && report.payload !== null
    const text = isBid ? 'They are in the bid of the block, whose root was computed here.' : held
    return {
      name,
      title,
      mark: state === 'absent' ? 'unknown' : state,
      text: state === 'absent' ? absent : text,
    }
  })
}

/** Where the sample was refused; null where it holds all the same, as another endpoint sent what is true. */
function firstRefusal({
  columns,
  verdict,
}: SampleReport): { at: string; text: string; reason: string } | null {
  if (verdict === 'available') return null
  const refused = columns.filter(({ reason }) => reason === 'false')
  const attempt = refused[0]?.attempts.find(({ outcome }) => outcome === 'false')
  if (attempt?.outcome !== 'false') return null
  const { endpoint, reason } = attempt
  return {
    at: reason === 'inclusion-mismatch' ? 'commitment' : reason === 'header-mismatch' ? 'root' : 'cell',
    text: `${counted(refused.length, 'column')} refused here: what ${endpoint} sent is false.`,
    reason,
  }
}
