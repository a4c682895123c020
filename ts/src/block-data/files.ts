/** Sidecars in files that the caller has at hand, held against the header of a block: what is of another block is refused. */
import { formOf } from '../beacon/request.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import { isBytes } from '../util/bytes.ts'
import type { Links, ValidVerdict, Verdict } from '../verdict/verdict.ts'
import type { BlockContext } from './context.ts'
import type { SidecarFile } from './options.ts'
import {
  blobSidecars,
  dataColumns,
  type Entries,
  type Entry,
  type SidecarKind,
  splitAnswer,
} from './requests/sidecars.ts'
import type { VerifierPool } from '../verifier/worker/protocol.ts'
import { verifySidecars } from './verify.ts'

/** A sidecar of a file that belongs to the block. */
export interface Held {
  readonly index: number
  readonly ssz: Uint8Array
  readonly source: string
  readonly links: Links
}

type FileContext = Pick<BlockContext, 'block' | 'header' | 'parts' | 'signal'>

type Kind = SidecarFile['kind']

const kinds: Readonly<Record<Kind, SidecarKind>> = {
  'blob-sidecars': blobSidecars,
  'data-column-sidecars': dataColumns,
}

/** An option of that name that lists files, read. Throws `TypeError` for what is none. */
export function readFiles(files: readonly SidecarFile[], option: string): readonly SidecarFile[] {
  if (!Array.isArray(files)) throw new TypeError(`${option} must be an array`)
  return (files as readonly (Partial<SidecarFile> | null)[]).map((file, at) => {
    const { name, kind, bytes } = file ?? {}
    if (typeof name !== 'string' || kind === undefined || !Object.hasOwn(kinds, kind) || !isBytes(bytes))
      throw new TypeError(`${option}[${at}] must have a name, a kind and bytes`)
    return { name, kind, bytes }
  })
}

/** What came of a file: its sidecars that belong to the block, those that do not, and what is wrong with the file itself. */
export interface FileContent {
  readonly held: readonly Held[]
  readonly refused: readonly Refused[]
  /** Null where all of it can be read. */
  readonly failure: BeaconFailure | null
}

/** A sidecar of a file that was not found valid. */
export interface Refused {
  /** For people: which sidecar. */
  readonly what: string
  /** What it says of its place; null where it says nothing. */
  readonly index: number | null
  readonly verdict: Exclude<Verdict, ValidVerdict>
}

/** The sidecars of a file, each held against the block. Rejects with the signal's reason, and with what the verifier throws. */
export async function sidecarsIn(file: SidecarFile, context: FileContext): Promise<FileContent> {
  const { header, parts } = context
  const kind = kinds[file.kind]
  let entries: Entries
  try {
    entries = await entriesIn(file, parts.schedule.maxBlobs(header.slot), parts.pool)
  } catch (error) {
    if (!(error instanceof BeaconFailure)) throw error
    return { held: [], refused: [], failure: error }
  }
  const items = entries.entries.map(({ sidecar }) => ({ sidecar, source: file.name }))
  const verdicts = await verifySidecars(kind, items, context)
  return { ...sorted(file, entries.entries, verdicts), failure: entries.incomplete }
}

/** The sidecars of a file that are valid, and the others. */
export function sorted(
  { kind, name }: SidecarFile,
  entries: readonly Entry[],
  verdicts: readonly Verdict[],
): Pick<FileContent, 'held' | 'refused'> {
  const held: Held[] = []
  const refused: Refused[] = []
  for (const [at, { index, sidecar }] of entries.entries()) {
    const verdict = verdicts[at]
    if (verdict === undefined) continue
    if (verdict.status !== 'valid')
      refused.push({ what: `${kinds[kind].delivery} ${index ?? 'without an index'}`, index, verdict })
    // The verifier takes nothing else.
    else if (index !== null && sidecar instanceof Uint8Array)
      held.push({ index, ssz: sidecar, source: name, links: verdict.links })
  }
  return { held, refused }
}

/** What a file lists, of blocks with so many blobs at most. Throws `BeaconFailure` where it is no list of sidecars. */
export async function entriesIn(
  { bytes, kind }: SidecarFile,
  maxBlobs: number,
  pool: VerifierPool,
): Promise<Entries> {
  const body = new Uint8Array(bytes)
  return await splitAnswer(kinds[kind], { form: formOf('', body), version: null, body }, maxBlobs, pool)
}
