/** The methods of the JSON-RPC that are answered. */
export const methodNames = [
  'web3_clientVersion',
  'net_version',
  'eth_chainId',
  'eth_syncing',
  'eth_blockNumber',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionReceipt',
  'eth_getRawTransactionByHash',
  'eth_getRawTransactionByBlockHashAndIndex',
  'debug_getRawHeader',
  'debug_getRawBlock',
  'debug_getRawTransaction',
  'proof_getTransactionByHash',
] as const

/** A method of the execution layer’s JSON-RPC that `createExecutionApp` answers. */
export type MethodName = (typeof methodNames)[number]
