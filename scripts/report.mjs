// Verifies the real Holesky block through the package's public interface, and says in a terminal what was and what was
// not verified.
import { createVerifier } from 'blobcheck'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { Lines } from '../dist/cli/terminal/output.js'
import { root } from './setup.mjs'

const USAGE = `npm start [-- --tamper] [--workers N] [--kernel auto|simd128|relaxed-simd]`

/** What a link means, for those who do not have the specification at hand. */
const LINKS = {
  kzg: 'each blob belongs to its commitment (KZG proof)',
  inclusion: 'each commitment belongs to the header’s body root (Merkle branch, 17 deep)',
  'versioned-hash':
    'each commitment belongs to its versioned hash (computed here by Node’s SHA-256: no transaction is at hand)',
  header: 'the header is part of the chain (it came with the blobs; nobody vouches for it)',
  signature: 'the header was signed by its proposer',
  'sync-committee': 'the header was signed by a sync committee',
  checkpoint: 'the sync committee follows from a checkpoint that you trust',
}

/** Prints the report; the exit code. */
export async function report(args) {
  const options = readOptions(args)
  if (options === null) return 2
  const block = JSON.parse(readFileSync(join(root, 'data/holesky_1409759_blob_sidecars.json'), 'utf8'))
  const { message } = block.data[0].signed_block_header
  const paint = painter()

  console.log(
    `\n${paint('bold', 'Holesky block at slot ' + message.slot)}, ${block.data.length} blob sidecars as the Beacon API gave them`,
  )
  const tampered = options.tamper ? tamper(block.data) : null
  if (tampered !== null)
    console.log(
      paint(
        'yellow',
        `blob ${tampered.index}: byte ${tampered.at} changed from ${tampered.from} to ${tampered.to}`,
      ),
    )

  const started = performance.now()
  const verifier = await createVerifier({
    network: 'holesky',
    cache: false,
    workers: options.workers,
    kernel: options.kernel,
  })
  const ready = performance.now()
  const bar = progressBar(block.data.length)
  // In a wallet these come from the transaction; here they are computed from the commitments, by another SHA-256.
  const versionedHashes = block.data.map((sidecar) => versionedHash(sidecar.kzg_commitment))
  const verdicts = await verifier.verifyBlobSidecars(block, {
    anchor: { versionedHashes },
    onProgress: bar.show,
  })
  const done = performance.now()
  bar.clear()
  await verifier.dispose()

  console.log(
    `${verifier.kernel} kernel (${verifier.kernelReason}), ${verifier.workers || 'no'} worker${verifier.workers === 1 ? '' : 's'}`,
  )
  console.log(`ready after ${(ready - started).toFixed(0)} ms, verified in ${(done - ready).toFixed(0)} ms\n`)
  verdicts.forEach((verdict, at) => {
    const hash = versionedHashes[at]
    const outcome =
      verdict.status === 'valid' ? paint('green', '✓ valid') : paint('red', `✗ ${verdict.status}`)
    const detail =
      verdict.status === 'valid'
        ? `via ${verdict.via}`
        : `${'stage' in verdict ? `${verdict.stage}: ` : ''}${verdict.reason}`
    console.log(
      `  blob ${at}  ${outcome}  ${paint('dim', `versioned hash ${hash.slice(0, 14)}…${hash.slice(-6)}`)}  ${detail}`,
    )
  })
  printLinks(verdicts, paint)

  const valid = verdicts.filter(({ status }) => status === 'valid').length
  verdicts.forEach((verdict, at) => {
    if (verdict.status !== 'valid')
      console.log(paint('red', `blob ${at} is ${verdict.status}: ${explain(verdict)}`))
  })
  console.log(`${valid} of ${verdicts.length} blobs valid`)
  return valid === verdicts.length ? 0 : 1
}

/** A refusal in words, with the code that a program would look at. */
function explain({ stage, reason }) {
  const words = {
    kzg: 'its data does not belong to its commitment',
    inclusion: 'its commitment does not belong to the header',
    encoding: 'it holds a value that is no field element, or no point',
  }
  return `${words[stage] ?? 'it could not be verified'} (${stage === undefined ? '' : `${stage}: `}${reason})`
}

function printLinks(verdicts, paint) {
  const marks = {
    verified: paint('green', '✓ verified'),
    trusted: paint('yellow', '~ trusted '),
    absent: paint('dim', '· absent  '),
  }
  const good = verdicts.filter(({ status }) => status === 'valid')
  console.log(
    `\n${paint('bold', 'What was verified, and what was not')}${good.length < verdicts.length ? ' (of the valid blobs)' : ''}`,
  )
  for (const [link, meaning] of Object.entries(LINKS)) {
    const state = good.length > 0 ? good[0].links[link] : 'absent'
    console.log(`  ${marks[state]}  ${meaning}`)
  }
  console.log()
}

/** Changes one byte in the middle of one blob: the last of a field element, so that the element stays canonical. */
function tamper(sidecars) {
  const index = 2
  const at = 1000 * 32 + 31
  const { blob } = sidecars[index]
  const digits = 2 + 2 * at
  const from = blob.slice(digits, digits + 2)
  const to = (Number.parseInt(from, 16) ^ 1).toString(16).padStart(2, '0')
  sidecars[index].blob = blob.slice(0, digits) + to + blob.slice(digits + 2)
  return { index, at, from: `0x${from}`, to: `0x${to}` }
}

/** kzg_commitment_to_versioned_hash, by another SHA-256 than the package's. */
function versionedHash(commitment) {
  const digest = createHash('sha256')
    .update(Buffer.from(commitment.slice(2), 'hex'))
    .digest('hex')
  return `0x01${digest.slice(2)}`
}

/** A bar on a terminal that can erase it; nothing in a log. */
function progressBar(total) {
  const lines = new Lines(process.stdout)
  const parts = { check: 0, kzg: 0 }
  return {
    show({ stage, done }) {
      parts[stage] = done
      const share = (parts.check + parts.kzg) / (2 * total)
      const filled = Math.round(share * 24)
      const step = parts.check < total ? 'checking structure, branches and hashes' : 'verifying KZG proofs'
      lines.status(`${'█'.repeat(filled)}${'░'.repeat(24 - filled)} ${Math.round(share * 100)} %  ${step}`)
    },
    clear: () => lines.clear(),
  }
}

/** Colour where the terminal wants it (NO_COLOR, FORCE_COLOR and pipes are respected). */
function painter() {
  const { NO_COLOR, FORCE_COLOR } = process.env
  const wanted = FORCE_COLOR
    ? FORCE_COLOR !== '0'
    : process.stdout.isTTY === true && !NO_COLOR && process.env.TERM !== 'dumb'
  return (style, text) => (wanted ? styleText(style, text) : text)
}

function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        tamper: { type: 'boolean', default: false },
        workers: { type: 'string' },
        kernel: { type: 'string', default: 'auto' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (!values.help)
      return { ...values, workers: values.workers === undefined ? 'auto' : Number(values.workers) }
    console.log(USAGE)
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
  }
  return null
}
