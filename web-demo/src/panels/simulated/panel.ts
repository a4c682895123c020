/** The simulated source: a chain that the page makes itself, followed as any other is, with a node that does what the visitor sets. */
import { followChain } from '../../follow/follow.ts'
import type { MountPanel, Source } from '../../instrument/stage.ts'
import { element, pressable, setText } from '../../shared/page.ts'
import { errorMessage } from './error-message.ts'
import { Controls } from './controls.ts'
import { linesOf } from './lines.ts'
import { FAULTY, HONEST } from './names.ts'
import html from './panel.html?raw'
import './panel.css'
import { chainOptions, type Lie, nodeFaults } from './settings.ts'
import { SimulatedNode } from './simulated-node.ts'

/** A chain that is followed, from the press on “Start” until it is stopped. */
interface Run {
  readonly controller: AbortController
  /** Null while its chain is being made. */
  node: SimulatedNode | null
}

export const mount: MountPanel = (root, page) => {
  root.innerHTML = html
  let run: Run | null = null
  const controls = new Controls(root, page.params, onFaults)
  const status = (text: string): void => setText('#simulated-status', text, root)
  const source: Source = {
    name: 'simulated',
    lines: () => linesOf(controls.chain, nodeFaults(controls.faults), controls.withHonest),
    onBreak: (link) => lie(link as Lie),
    onRestore: () => lie('none'),
  }
  const start = pressable('#simulated-start', () => void begin())
  const stop = pressable('#simulated-stop', () => run?.controller.abort())
  pressable('#simulated-reset', () => {
    controls.reset()
    onFaults()
  })

  function onFaults(): void {
    run?.node?.set(nodeFaults(controls.faults))
  }

  function lie(about: Lie): void {
    controls.lie(about)
    onFaults()
  }

  async function begin(): Promise<void> {
    run?.controller.abort()
    const stage = page.take(source)
    const controller = new AbortController()
    const { signal } = controller
    const own: Run = { controller, node: null }
    run = own
    stage.signal.addEventListener('abort', () => controller.abort())
    stop.enable(true)
    status('The chain is being made…')
    try {
      const node = await SimulatedNode.open({
        chain: chainOptions(controls.chain),
        faults: nodeFaults(controls.faults),
        signal,
        onProgress: (done, total) => status(`The chain is being made: ${done} of ${total} blobs are proved.`),
      })
      own.node = node
      onFaults() // what was set meanwhile
      const { network, checkpoint } = node.made
      const beacon = controls.withHonest ? [FAULTY, HONEST] : [FAULTY]
      await followChain({ stage, network, beacon, checkpoint, signal, fetch: node.fetch })
    } catch (error) {
      if (!signal.aborted) status(`The chain cannot be followed: ${errorMessage(error)}.`)
    } finally {
      controller.abort()
      if (run === own) {
        run = null
        stop.enable(false)
      }
    }
  }
  start.enable(true)
}
