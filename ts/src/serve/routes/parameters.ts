/** What is in a path or a query. Whatever makes no sense is a 400, and what is not there a 404. */
import type { Context } from 'hono'
import type { Chain, ChainBlock } from '../chain.ts'
import { ApiError } from './answer.ts'

/** The block of `{block_id}`: head, finalized, genesis, a slot, a root. */
export function blockOf(chain: Chain, id: string | undefined = ''): ChainBlock {
  const block = findBlock(chain, id)
  if (block === null) throw new ApiError(404, `there is no block ${id}`)
  return block
}

function findBlock(chain: Chain, id: string): ChainBlock | null {
  if (id === 'head') return chain.head
  if (id === 'finalized') return chain.finalized
  if (id === 'genesis') return chain.at(0)
  if (/^\d{1,15}$/.test(id)) return chain.at(Number(id))
  return chain.byRoot(readRoot(id, 'block_id'))
}

/** 32 bytes as 0x hex, in lower case. */
export function readRoot(value: string, name: string): string {
  if (/^0x[0-9a-f]{64}$/i.test(value)) return value.toLowerCase()
  throw new ApiError(400, `${name} must be 32 bytes as 0x hex, or what else the API takes there`)
}

/** A parameter's values, whether it is repeated or they are separated by commas; null where it is absent. */
export function listOf(context: Context, name: string): string[] | null {
  const values = context.req.queries(name)
  if (values === undefined) return null
  return values.flatMap((value) => value.split(','))
}

/** Indices below a limit, each once, in ascending order; null where there is no such parameter. */
export function indicesOf(context: Context, limit: number): number[] | null {
  const values = listOf(context, 'indices')
  if (values === null) return null
  const indices = values.map((value) => {
    const index = /^\d{1,6}$/.test(value) ? Number(value) : limit
    if (index >= limit) throw new ApiError(400, `indices must be less than ${limit}`)
    return index
  })
  return [...new Set(indices)].sort((a, b) => a - b)
}

/** A number in a query. */
export function numberOf(context: Context, name: string): number {
  const value = context.req.query(name) ?? ''
  if (!/^\d{1,15}$/.test(value)) throw new ApiError(400, `${name} must be a number`)
  return Number(value)
}
