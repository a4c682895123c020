/** Sizes of EIP-4844 and EIP-7594. */

/** BYTES_PER_BLOB of EIP-4844. */
export const BLOB_BYTES = 131_072
/** CELLS_PER_EXT_BLOB of EIP-7594. */
export const CELLS = 128
/** The cells that a blob itself is; as many of parity follow. */
export const DATA_CELLS = CELLS / 2
/** BYTES_PER_CELL of EIP-7594. */
export const CELL_BYTES = BLOB_BYTES / DATA_CELLS
