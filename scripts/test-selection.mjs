// `npm test` is what each change waits for, and `npm run test:all` is everything: a night and each release wait for that. What is left to it shows
// once more, through programs, pages and real time, what other tests show of the parts, or the same in one more engine; it takes more than half of
// the time. By its project in vitest.config.ts, and by its path without `.test.ts`.

/** The environment by which `npm test` tells vitest that it is what runs, and how many of the random cases of models and junk it tries. */
export const ofAChange = {
  BLOBCHECK_TESTS: 'of-a-change',
  BLOBCHECK_ROUNDS: process.env.BLOBCHECK_ROUNDS ?? '0.2',
}

const PROVER_WITH_TABLES = 'tests/shared/{prover-options,prover-tables-indexed-db}'

/** In Firefox and WebKit, kernels, workers, caches, policies, the light client and vectors are tried for each change; these, in Node or Chromium. */
const SAME_ELSEWHERE = [
  'tests/shared/{bad-input-verifier,batching,out-of-memory,sampler,throttled,warmup}',
  'tests/browser/{prover-responsive,reload,responsive,serve-service-worker}',
]

/** In Node, in the project that has most files in few processes and in that which keeps them apart. */
const IN_NODE = [
  'tests/adapters/{ethereumjs,ethers,osaka,ox,serve-execution,viem}',
  'tests/node/audit/{auditor,cli,redis}',
  'tests/node/page/{embedded,engines,experiments,file,file-handling,follow,hindered,layout,live,peers,simulated,simulated-engines}',
  'tests/node/{blobs-forms,blobs-lies,browser-faults,cli-bench,cli-demo,cli-sample,cli-verify,cli-verify-block}',
  'tests/node/{examples,examples-browser,examples-shell,extension-manifests,memory,model-blobs,prover-table-hashes,prover-tables,site,soak,start}',
  'tests/node/light-client-{anchors,endpoints,fetched,forced,late-steps,store,trusted-record}',
  'tests/node/proxy-{cache,chain,cli,clients,headers,lies}',
  'tests/node/sampler-{detection,follow-trouble,odds,proven,served}',
  'tests/node/serve-{chain,cli,gloas,light-client}',
  // In Chromium, these are tried for each change.
  'tests/shared/{bare-blobs,batching,prover-off-thread,serve}',
  PROVER_WITH_TABLES,
]

const leftToAll = {
  node: IN_NODE,
  together: IN_NODE,
  browser: [
    // In Node, these are tried for each change.
    'tests/shared/{bad-input-verifier,model-verifier,sampler}',
    PROVER_WITH_TABLES,
  ],
  firefox: SAME_ELSEWHERE,
  webkit: SAME_ELSEWHERE,
  packed: ['tests/packed/{bundlers,examples-node,examples-pages,next}'],
  'current-node': [
    'tests/node/memory',
    // Nothing in these depends on the kernel but the arithmetic, which other files try on each.
    'tests/wasm/{bad-input-kzg,blocks,forks,kzg-input-words,peers,prover-memory,sidecar-rules,spec-light-client,spec-sync}',
  ],
}

/** The files of a project that `npm test` leaves to `npm run test:all`, as patterns. */
export function leftOf(project) {
  return (leftToAll[project] ?? []).map((pattern) => `${pattern}.test.ts`)
}

/** Whether it is `npm test` that runs. */
export const isOfAChange = process.env.BLOBCHECK_TESTS === ofAChange.BLOBCHECK_TESTS

/** What is left of a project here: nothing where `npm test` does not run, so that each file can be run by its name. */
export function leftHere(project) {
  return isOfAChange ? leftOf(project) : []
}
