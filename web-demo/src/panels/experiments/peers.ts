/** This package beside other libraries, in this browser: the same inputs in turns, and each answer checked. */
import { load, peers } from 'virtual:peers'
import { loadBlock } from '../../embedded/block.ts'
import { type Items, itemsOf } from '../../embedded/items.ts'
import { element, setText } from '../../shared/page.ts'
import { orAborted } from '../../shared/watch.ts'
import { capital, numberWord } from '../../shared/words.ts'
import { compete, RUNS, stepsOf } from './contest.ts'
import { type Experiment, frame } from './frame.ts'
import { type Input, openOurs, openPeer } from './implementations.ts'
import { SideBySide } from './side-by-side.ts'

/** Call it when the panel is there. The packaged page has no peers, and says where there are some. */
export function offerPeers(): void {
  if (load === null) return element('#experiments-peers-offer', HTMLElement).remove()
  const named = peers.map(({ name, version, bytes }) => `${name} ${version} (${megabytes(Number(bytes))})`)
  const total = peers.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  setText(
    '#experiments-peers-note',
    `The same inputs side by side with ${named.join(' and ')}: in turns, off the main thread, and each answer is checked. ` +
      'Nothing of them is loaded before you ask for it.',
  )
  setText('#experiments-peers-run', `Load peers (${megabytes(total)})`)
  frame(experiment)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

const experiment: Experiment = {
  name: 'peers',
  lines: () =>
    'git clone https://github.com/blobcheck/blobcheck && cd blobcheck\n' +
    `npm run bench:browser -- --peers ${['blobcheck', ...peers.map(({ name }) => name)].join(',')}\n`,
  async run({ signal, progress }) {
    const results = new SideBySide('#experiments-peers-table')
    let done = 0
    let steps = 1
    // A library that computes says nothing meanwhile: each answer has a limit of its own, and Cancel ends whatever goes on.
    const life = setInterval(() => progress(done, steps), 1000)
    try {
      const { workers } = await orAborted(load!(), signal)
      const inputs = inputsOf(await orAborted(loadBlock().then(itemsOf), signal))
      // What the network takes is no part of the first verdict: ours is here already.
      for (const [at, address] of Object.values(workers).entries()) {
        progress(at, peers.length)
        const response = await fetch(address, { signal })
        await response.arrayBuffer()
      }
      const openers = {
        blobcheck: () => openOurs(),
        'blobcheck, one worker': () => openOurs(1),
        ...Object.fromEntries(peers.map(({ name }) => [name, () => openPeer(workers[name]!)])),
      }
      steps = stepsOf({ openers, inputs })
      await compete({ openers, inputs, results, signal, onStep: () => progress(++done, steps) })
    } finally {
      clearInterval(life)
    }
    return `Each time is the median of ${RUNS} runs in turns; the first verdict came once, from files that were here already. Peers compute in one worker each, blobcheck also in as many as it chooses.`
  },
}

function inputsOf({ blobs, cells }: Items): Readonly<Record<string, Input>> {
  return {
    'One blob': { kind: 'blobs', items: blobs.slice(0, 1) },
    [`${capital(numberWord(blobs.length))} blobs`]: { kind: 'blobs', items: blobs },
    [`${cells.length} cells`]: { kind: 'cells', items: cells },
  }
}
