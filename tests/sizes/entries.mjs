// What a page downloads for each entry before its first call is answered, compressed with brotli, and the budget that it must keep. Budgets are
// a little above what was measured: who needs more says so here, in the commit that needs it. Those of the modules alone are in wasm-pack.toml.

/** `import`: what the page imports. `files`: what it asks for besides its own script, by what their names look like. `limit`: in bytes. */
export const entries = {
  blobcheck: {
    import: { createVerifier: 'index.js' },
    files: [/verifier-worker-/, /verifier_simd128/],
    // 103,048 were measured: 140 of them know the headers of light clients of other copies of the package, and name what could not be fetched; 120 are of
    // fields that are read by their names, and 60 of workers whose probe fails later. 160 more begin again what is broken off when a page is left, and have
    // workers of another origin in Firefox.
    limit: 103_750,
  },
  'blobcheck (relaxed SIMD)': {
    import: { createVerifier: 'index.js' },
    files: [/verifier-worker-/, /verifier_relaxed_simd/],
    // 109,179 were measured: cubic residues by Euclid's way, 6 % of a blob's cells, are 800 of it, and totals of columns in lanes, 7 % of
    // 8 columns × 21, are 610.
    limit: 110_000,
  },
  // 131,952 were measured. 240 more read columns without a table of offsets, refuse what is no options, and say more where there is no WebAssembly.
  'blobcheck/inline': { import: { createVerifier: 'inline/index.js' }, files: [], limit: 134_450 },
  // 24,690 were measured: 0.3 kB of the module are a list whose bound is not its limit, 60 bytes tell another module, 50 make the names of unknown fields
  // printable, and 125 make a fresh instance after a trap, later where there is no memory for it then. 70 read errors and options of other people with care.
  'blobcheck/beacon': { import: { loadBeacon: 'beacon/index.js' }, files: [/beacon_simd128/], limit: 25_500 },
  'blobcheck/kzg': {
    // 780 say in words what is wrong with malformed input, and which field. 150 came when two functions went that nobody called: LLVM lays others out otherwise.
    import: { loadKzg: 'kzg/index.js' },
    files: [/blobcheck_simd128/],
    limit: 102_150,
  },
  'blobcheck/kzg (relaxed SIMD)': {
    import: { loadKzg: 'kzg/index.js' },
    files: [/blobcheck_simd128/, /blobcheck_relaxed_simd/],
    limit: 204_150,
  },
  'blobcheck/light-client': {
    import: { LightClient: 'light-client/index.js' },
    files: [/light-client-worker-/, /light_client_relaxed_simd/],
    // 105,864 were measured: 270 are of redirects that are named, of dates in Retry-After and of requests that wait for their turn, 130 of old checkpoints,
    // whose records are deleted, and 100 of endpoints that say when to ask them again. 340 more follow updates of a fork digest that is not known, and
    // say which of network, clock, checkpoint and config may be wrong. 1,300 more ask again for the newest headers and refuse to pass off an old one as such,
    // hold what is said against what was said before, and accuse nobody where the config has another date for Gloas.
    limit: 108_800,
  },
  'blobcheck/prover': {
    import: { createProver: 'prover/index.js' },
    files: [/prover-worker-/, /prover_relaxed_simd/, /prover-setup-(?!extension)/],
    limit: 344_900,
  },
  // 23,666 were measured: a clock is held to give numbers, an error shows which endpoint is no URL, another that an answer is no header, and the next block is
  // looked for behind slots of which nothing is known. 100 are of endpoints that say when to ask them again, and 250 ask for the block, and for columns
  // beyond the sample, before anybody is accused. 1,000 more ask others for the columns of a silent endpoint, look at several copies of one, ask in parts of
  // 20, and read columns without a table of offsets.
  'blobcheck/sampler': { import: { createSampler: 'sampler/index.js' }, files: [], limit: 27_550 },
  'blobcheck/blobs': {
    import: { createBlobSource: 'blobs/index.js' },
    files: [],
    // 32,130 were measured: 500 tell a request that waits for its turn from an endpoint that is silent, a clock is held to give numbers, errors say what to do, a block is held against what an execution endpoint said of it, however late it comes, and what is large is bounded
    // and hashed in turns.
    limit: 37_450,
  },
  // 9,288 were measured here, and 5,454 for the grid: 540 of each draw the cells that changed and leave the others. 340 are of the timeline, which
  // places new spans alone, and paints each pixel once. 360 more part the drawings and the words from the elements; 230 bring
  // cells into view, and have names that a page gives.
  'blobcheck/elements': { import: { BlobGridElement: 'elements/index.js' }, files: [], limit: 10_400 },
  'blobcheck/elements/blob-grid': {
    import: { BlobGridElement: 'elements/blob-grid/index.js' },
    files: [],
    limit: 6_060,
  },
  'blobcheck/elements/trust-chain': {
    import: { TrustChainElement: 'elements/trust-chain/index.js' },
    files: [],
    limit: 2_950,
  },
  'blobcheck/elements/worker-timeline': {
    import: { WorkerTimelineElement: 'elements/worker-timeline/index.js' },
    files: [],
    // 4,933 were measured, and 180 more for the drawing and the words in files of their own.
    limit: 5_520,
  },
  // 45,000, and what a given genesis time and a first blob take.
  // 45,759 were measured: a chain that is listened to catches up in parts. 380 more check options and fault rules, which did nothing where they were misspelt, and 100 what health checks ask for.
  'blobcheck/serve': { import: { makeChain: 'serve/index.js' }, files: [], limit: 48_500 },
  // 5,202 were measured here, and for the next four 1,547, 1,570, 1,589 and 1,577: 230 of each end the proofs of other blobs where one fails, and
  // 110 say of a prover of the calling thread that it is one. 70 more say so before anything is computed. 50 are words of the reader of RLP,
  // which the execution layer has, too, and 25 of each read options that have no prototype, and refuse promises of all functions.
  'blobcheck/adapters/osaka': {
    import: { toOsakaTransaction: 'adapters/osaka.js' },
    files: [],
    limit: 5_540,
  },
  'blobcheck/adapters/viem': { import: { toViemSidecars: 'adapters/viem.js' }, files: [], limit: 1_820 },
  'blobcheck/adapters/ox': { import: { toOxSidecars: 'adapters/ox.js' }, files: [], limit: 1_800 },
  'blobcheck/adapters/ethers': { import: { toEthersBlobs: 'adapters/ethers.js' }, files: [], limit: 1_820 },
  'blobcheck/adapters/ethereumjs': {
    import: { toEthereumjsBlobFields: 'adapters/ethereumjs.js' },
    files: [],
    limit: 1_800,
  },
}
