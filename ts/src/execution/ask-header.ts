/** One endpoint is asked for a header. */
import type { Reply } from '../beacon/endpoint.ts'
import type { Conversation } from './conversation.ts'
import { invalid } from './data-error.ts'
import type { ExecutionHeader } from './execution.ts'
import { headerFromRlp, MAX_HEADER_BYTES } from './header.ts'
import { headerFromJson } from './header-json.ts'
import { bytesOf } from './json-fields.ts'
import { NothingThere } from './json-rpc.ts'
import { orElse } from './second-way.ts'

/** A block without its transactions, but for their hashes: 69 bytes each. */
const MAX_BLOCK_BYTES = 8 * 2 ** 20
const MAX_RAW_HEADER_BYTES = 2 * MAX_HEADER_BYTES + 1024

/** The header of this hash (0x hex), as one endpoint has it: from the block as JSON, or else as RLP. */
export async function askHeader(endpoint: Conversation, hash: string): Promise<Reply<ExecutionHeader>> {
  const call = { method: 'eth_getBlockByHash', params: [hash, false], maxBytes: MAX_BLOCK_BYTES }
  return await endpoint.call(call, async (block) => {
    if (block === null) throw new NothingThere('no block of this hash')
    return await orElse(
      () => headerFromJson(block, hash),
      () => askRawHeader(endpoint, hash),
    )
  })
}

/** The header of this hash (0x hex), as one endpoint has it: its RLP. Few servers offer that. */
export async function askRawHeader(endpoint: Conversation, hash: string): Promise<Reply<ExecutionHeader>> {
  const call = { method: 'debug_getRawHeader', params: [hash], maxBytes: MAX_RAW_HEADER_BYTES }
  return await endpoint.call(call, (rlp) => {
    const header = headerFromRlp(bytesOf(rlp, 'header'))
    if (header.hash !== hash) throw invalid('a header whose hash is another')
    return header
  })
}
