// Measuring one operation of one implementation in this process.
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { functionOf, operations } from './operations.mjs'
import { peers } from './peers/index.mjs'

export const readInputs = (path) => deserialize(readFileSync(path))

/** The arguments of a row, in the form that an implementation takes, with what it may do beforehand done. */
export async function argumentsOf(peer, api, inputs, { op, n }) {
  const args = operations[op].inputs(inputs, n)
  const formed = peers[peer].form === 'hex' ? toHex(args) : args
  return (await api.prepare?.[op]?.(formed)) ?? formed
}

/** One call: its CPU time (all threads of the process) and wall time, in milliseconds. Throws for a wrong answer. */
export async function callOnce(peer, api, inputs, { op, n }, args) {
  // What the call shall not find done is undone.
  api.before?.[op]?.(...args)
  const cpu = process.cpuUsage()
  const wall = performance.now()
  let answer = api[functionOf(op)](...args)
  // Awaiting what is no promise would cost a turn of the event loop.
  if (typeof answer?.then === 'function') answer = await answer
  const wallMs = performance.now() - wall
  const { user, system } = process.cpuUsage(cpu)
  const formed = peers[peer].form === 'hex' ? fromHex(answer) : answer
  if (!operations[op].accept(formed, inputs)) throw new Error(`${peer} gave a wrong answer to ${op}/${n}`)
  return { cpuMs: (user + system) / 1000, wallMs }
}

function toHex(value) {
  if (value instanceof Uint8Array)
    return `0x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
  return Array.isArray(value) ? value.map(toHex) : value
}

function fromHex(value) {
  if (typeof value === 'string') return Buffer.from(value.slice(2), 'hex')
  return Array.isArray(value) ? value.map(fromHex) : value
}
