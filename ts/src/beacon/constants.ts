/** Constants of the specifications that are the same in every preset, under their names there if they have some. */

/** NUMBER_OF_COLUMNS (specs/fulu/das-core.md): data columns of a block, each with a cell of every blob. */
export const COLUMNS = 128

/** Half of all columns, from which the others follow (`recover_cells_and_kzg_proofs`, specs/fulu/polynomial-commitments-sampling.md). */
export const COLUMNS_TO_REBUILD = 64

/** CELLS_PER_EXT_BLOB (specs/fulu/polynomial-commitments-sampling.md): cells of a blob with its extension, one for each column. */
export const CELLS_PER_EXT_BLOB: number = COLUMNS

/** MAX_BLOB_COMMITMENTS_PER_BLOCK (specs/deneb/beacon-chain.md): the limit of the list in a block's body. */
export const MAX_BLOB_COMMITMENTS_PER_BLOCK = 4096

/** GAS_PER_BLOB (EIP-4844), by which `blob_gas_used` of an execution header says how many blobs the block has. */
export const GAS_PER_BLOB: number = 2 ** 17

/** SLOTS_PER_EPOCH of the mainnet preset (presets/mainnet/phase0.yaml); networks of the minimal preset say their own. */
export const SLOTS_PER_EPOCH = 32

/** SLOT_DURATION_MS of mainnet (configs/mainnet.yaml) in seconds, where a network does not say its own. */
export const SECONDS_PER_SLOT = 12

/** MIN_EPOCHS_FOR_DATA_COLUMN_SIDECARS_REQUESTS, and that of blob sidecars (configs/mainnet.yaml), where a network does not say its own. */
export const DATA_RETENTION_EPOCHS = 4_096
