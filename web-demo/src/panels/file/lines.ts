/** Lines of code that find in Node.js what the panel found. */
import type { NetworkName } from 'blobcheck'
import { literal } from '../../shared/printable.ts'
import { type Anchor, anyOf } from './anchor.ts'
import type { Contents } from './contents.ts'
import type { Gathered, Part } from './gather.ts'
import { forkOfItem, lackCommitments } from './item.ts'

/** Before there is a file. */
export const NO_LINES = '// Choose a file first: these lines then verify it in Node.js.\n'

/** Where files have come, and none of them has been read. */
export const NOTHING_LINES =
  '// Nothing that can be verified has been found in what was chosen: where it is, these lines verify it in Node.js.\n'

export interface LinesOf {
  /** The file or files, each where it is to be found by its name; of pasted text the name is null. */
  readonly contents: Gathered
  readonly network: NetworkName
  readonly anchor: Anchor
}

export function linesOf({ contents, network, anchor }: LinesOf): string {
  const { parts } = contents
  const [first] = parts
  const body =
    parts.length === 1
      ? bodyOf(first!, anchor, literal(first!.name ?? 'pasted.txt'), '')
      : loopsOf(
          parts.map((part) => {
            return [part.name!, bodyOf(part, anchorOfPart(anchor, part), 'file', 'file, ')]
          }),
        )
  return `import { readFile } from 'node:fs/promises'
import { createVerifier } from 'blobcheck'

const verifier = await createVerifier({ network: '${network}', cache: false })
${first!.name === null ? '// The pasted text, kept as a file.\n' : ''}${namesakes(parts)}${body}
await verifier.dispose()
`
}

/** Says which files have to be kept under other names, since a folder has each name once. */
function namesakes(parts: readonly Part[]): string {
  return parts
    .filter(({ name, calledAs }) => name !== calledAs)
    .map(
      ({ name, calledAs }) =>
        `// ${literal(name!)} is another file that is called ${literal(calledAs!)}: keep it under this name.\n`,
    )
    .join('')
}

/** Blobs without commitments may be any that the anchor lists for all files together, also in a file of as many. */
function anchorOfPart(anchor: Anchor, { kind, items }: Part): Anchor {
  return kind === 'blobs' && lackCommitments(kind, items)
    ? { ...anchor, values: anyOf(anchor.values, items.length) }
    : anchor
}

/** One loop for all files that are read and verified by the same lines. */
function loopsOf(files: readonly (readonly [name: string, body: string])[]): string {
  const names = new Map<string, string[]>()
  for (const [name, body] of files) names.set(body, [...(names.get(body) ?? []), name])
  return [...names]
    .map(([body, of]) => `for (const file of ${literal(of)}) {\n${body.replaceAll(/^/gm, '  ')}\n}`)
    .join('\n')
}

/** Reads a file and prints its verdicts. `path`: an expression; `told`: arguments that are printed first, with a comma behind each. */
function bodyOf(part: Part, anchor: Anchor, path: string, told: string): string {
  const { kind, form, isHex, marked, items } = part
  const forks = kind === 'transaction' ? items.map(forkOfItem) : []
  const shown = anchor.name === 'header' ? anchor.values[0] : anchor.values
  const held = anchor.name === 'none' ? '' : `anchor: { ${anchor.name}: ${JSON.stringify(shown)} }`
  const differ = new Set(forks).size > 1
  const fork = differ ? 'fork: forks[at]' : `fork: '${forks[0]}'`
  const options = [...(kind === 'transaction' ? [fork] : []), ...(held === '' ? [] : [held])]
  const call = (items: string): string => {
    const passed = options.length === 0 ? items : `${items}, { ${options.join(', ')} }`
    return `${methods[kind]}(${passed})`
  }
  const text =
    marked === null
      ? `await readFile(${path}, 'utf8')`
      : `new TextDecoder('${marked}').decode(await readFile(${path}))`
  const read =
    form === 'JSON'
      ? `const answer = JSON.parse(${text})
const items = [answer.data ?? answer].flat()`
      : `const bytes = ${
          isHex
            ? `Buffer.from((${text}).replace(/\\s+/g, '').replace(/^0x/, ''), 'hex')`
            : `await readFile(${path})`
        }`
  return `${read}
${differ ? `const forks = ${JSON.stringify(forks)}\n` : ''}${verdicts(part, call, differ ? 'item, at' : 'item')}
for (const { status, reason, links } of verdicts) console.log(${told}status, reason ?? '', links)`
}

const methods = {
  'blob-sidecars': 'verifyBlobSidecars',
  'data-column-sidecars': 'verifyDataColumnSidecars',
  blobs: 'verifyBlobs',
  transaction: 'verifyBlobTransaction',
} as const

function verdicts(contents: Contents, call: (items: string) => string, entry: string): string {
  const { kind, form, items } = contents
  const isJson = form === 'JSON'
  switch (kind) {
    case 'blob-sidecars':
    case 'data-column-sidecars':
      return `const verdicts = await verifier.${call(isJson ? 'items' : 'bytes')}`
    case 'transaction':
      return isJson
        ? `const verdicts = await Promise.all(items.map((${entry}) => verifier.${call('item')}))`
        : `const verdicts = [await verifier.${call('bytes')}]`
    case 'blobs':
      return isJson
        ? `const blobs = items.map((item) => ({
  blob: item.blob ?? item,
  commitment: item.commitment ?? item.kzg_commitment,
  proof: item.proof ?? item.kzg_proof,
}))
const verdicts = await verifier.${call('blobs')}`
        : blobsOfBytes(items[0] as object, call)
  }
}

function blobsOfBytes(first: object, call: (items: string) => string): string {
  const points = ['commitment', 'proof'].filter((name) => name in first)
  const length = 131_072 + 48 * points.length
  const fields = points.map(
    (name, at) => `, ${name}: bytes.subarray(at + ${131_072 + 48 * at}, at + ${131_120 + 48 * at})`,
  )
  return `const blobs = []
for (let at = 0; at < bytes.length; at += ${length})
  blobs.push({ blob: bytes.subarray(at, at + 131072)${fields.join('')} })
const verdicts = await verifier.${call('blobs')}`
}
