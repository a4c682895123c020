/** Lines of code that find in Node.js what the panel found. */
import type { NetworkName } from 'blobcheck'
import type { Anchor } from './anchor.ts'
import type { Contents } from './contents.ts'
import type { TransactionFork } from './transaction.ts'

/** Before there is a file. */
export const NO_LINES = '// Choose a file first: these lines then verify it in Node.js.\n'

export interface LinesOf {
  /** The file's name, where it is to be found; null for pasted text. */
  readonly file: string | null
  readonly contents: Contents
  readonly network: NetworkName
  readonly anchor: Anchor
  /** The fork whose rules each transaction follows; none for other kinds. */
  readonly forks: readonly TransactionFork[]
}

export function linesOf({ file, contents, network, anchor, forks }: LinesOf): string {
  const { kind, form, isHex, marked } = contents
  const path = JSON.stringify(file ?? 'pasted.txt')
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
  return `import { readFile } from 'node:fs/promises'
import { createVerifier } from 'blobcheck'

${file === null ? '// The pasted text, kept as a file.\n' : ''}${read}
const verifier = await createVerifier({ network: '${network}', cache: false })
${differ ? `const forks = ${JSON.stringify(forks)}\n` : ''}${verdicts(contents, call, differ ? 'item, at' : 'item')}
for (const { status, reason, links } of verdicts) console.log(status, reason ?? '', links)
await verifier.dispose()
`
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
      return `const verdicts = await verifier.${call(isJson ? 'items' : 'bytes')}`
    case 'data-column-sidecars':
      return `const verdicts = await verifier.${call(isJson ? 'items' : items.length === 1 ? '[bytes]' : 'bytes')}`
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
