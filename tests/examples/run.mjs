// Runs the examples of one page, one after the other, in a process of their own: `node run.mjs <file>`, where the file has `{ context, blocks }`
// as JSON. For each block a line of JSON goes to the file descriptor 3.
import { readFile } from 'node:fs/promises'
import { writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'
import { provide } from './values.mjs'

const { context, blocks } = JSON.parse(await readFile(process.argv[2], 'utf8'))
const provided = await provide(context)

let lines = []
for (const level of ['log', 'warn', 'error', 'info'])
  console[level] = (...args) => lines.push(format(...args))

// What is not awaited, as that of a wallet's hook, is an example's failure, too.
let stray = null
process.on('unhandledRejection', (reason) => (stray = reason))

for (const { id, code, file } of blocks) {
  lines = []
  stray = null
  const ended = await provided.during(code, () => import(pathToFileURL(file).href))
  // What it started without awaiting it; where that is said to print something, until it has.
  await pause(code.includes('.then(') ? 500 : 0)
  const isToPrint = /\.then\(.*console\.log.*\/\/ /.test(code)
  for (let tries = 0; isToPrint && lines.length === 0 && stray === null && tries < 100; tries++)
    await pause(100)
  const error = stray ?? ended
  writeSync(3, `${JSON.stringify({ id, output: lines, error: error === null ? null : inWords(error) })}\n`)
}
// Some examples leave their workers to the reader.
process.exit()

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function inWords(error) {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error)
}
