/** The simulated source: a chain that the page makes itself, followed as any other is, with a node that does what the visitor sets. */
import type { LightClientReport } from 'blobcheck/light-client'
import { followChain, type FollowedChain, type FollowProgress } from '../../follow/follow.ts'
import { registerWithNode } from '../../offline.ts'
import { openLinks } from '../../follow/links.ts'
import { Ribbon } from '../../follow/ribbon.ts'
import type { FollowedSlot } from '../../follow/slot.ts'
import type { MountPanel, Source, Stage } from '../../instrument/stage.ts'
import { element, pressable, setText } from '../../shared/page.ts'
import { integer } from '../../shared/words.ts'
import { Controls } from './controls.ts'
import { errorMessage } from '../../shared/error-message.ts'
import { linesOf } from './lines.ts'
import { liveAddress } from './live-address.ts'
import { FAULTY, HONEST } from './names.ts'
import html from './panel.html?raw'
import './panel.css'
import { forgedBy, Proposer } from './proposer.ts'
import { type Lie, nodeFaults } from './settings.ts'
import { lieOf, Shown } from './shown.ts'
import { SimulatedNode } from './simulated-node.ts'

/** A chain from the press on “Start” until it is stopped. */
interface Run {
  readonly controller: AbortController
  /** Null while the chain is being made. */
  node: SimulatedNode | null
  shown: Shown | null
}

export const mount: MountPanel = (root, page) => {
  root.innerHTML = html
  let run: Run | null = null
  const controls = new Controls(root, page.params, onFaults)
  const status = (text: string): void => setText('#simulated-status', text, root)
  const source: Source = {
    name: 'simulated',
    lines: () => linesOf(controls.chain, nodeFaults(controls.faults), controls.withHonest),
    onBreak: (link) => lie(lieOf(link) ?? 'none'),
    onRestore: () => lie('none'),
  }
  /** The slot that the visitor stays with; null: the newest. */
  let chosen: number | null = null
  /** The chain of the ribbon, which can be looked at after it was stopped, too. */
  let followed: FollowedChain | null = null
  const ribbon = new Ribbon(element('#simulated-ribbon', HTMLElement, root), (slot) => {
    chosen = slot
    followed?.show(slot)
  })
  const start = pressable('#simulated-start', () => void begin())
  const stop = pressable('#simulated-stop', () => run?.controller.abort())
  pressable('#simulated-reset', () => {
    controls.reset()
    onFaults()
  })

  function enable(isRunning: boolean): void {
    start.enable(!isRunning)
    stop.enable(isRunning)
    controls.lock(isRunning)
  }

  function onFaults(): void {
    run?.node?.set(nodeFaults(controls.faults))
    run?.shown?.refresh()
  }

  function lie(about: Lie): void {
    controls.lie(about)
    onFaults()
  }

  async function begin(): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    const own: Run = { controller, node: null, shown: null }
    run = own
    const stage = page.take(source)
    stage.signal.addEventListener('abort', () => controller.abort())
    enable(true)
    status('The chain is being made…')
    setText('#simulated-health', '', root)
    setText('#simulated-host', '', root)
    ribbon.clear()
    chosen = null
    followed = null
    const { chain } = controls
    stage.subject({ network: 'A synthetic chain', slot: null, root: null, blobs: chain.blobs })
    stage.begin()
    stage.links(openLinks('Its chain is being made.'))
    try {
      const node = await SimulatedNode.open({
        ...{ chain, signal },
        faults: nodeFaults(controls.faults),
      })
      own.node = node
      tellHost(node)
      onFaults() // what was set meanwhile
      const { network, checkpoint } = node.made
      const proposer = new Proposer(node.made, signal)
      const showOn = (stage: Stage): Stage => {
        own.shown = new Shown({
          ...{ stage, proposer },
          canLie: (about) => controls.canLie(about, chain.fork),
          lie: () => controls.faults.lie,
        })
        return own.shown.stage
      }
      followed = followChain({
        ...{ stage: showOn(stage), network, checkpoint, signal },
        takeAgain: () => showOn(page.take(source)),
        beacon: controls.withHonest ? [FAULTY, HONEST] : [FAULTY],
        fetch: proposer.watching(node.fetch),
        // Each chain has its own genesis: there is nothing to go on with.
        store: false,
        onProgress: tellProgress,
        onSlot: (slot) => void tellSlot(slot, own, proposer),
        onHealth: (report) => {
          tellHealth(report)
          if (chosen === null) own.shown?.standstill(report)
        },
      })
      await followed.ended
      status('Stopped.')
    } catch (error) {
      status(signal.aborted ? 'Stopped.' : `The chain cannot be followed: ${errorMessage(error)}.`)
    } finally {
      controller.abort()
      if (own.shown?.isConcluded !== true)
        stage.conclude({
          state: 'unknown',
          verdict: 'Stopped before there was a verdict',
          resting: 'nothing',
        })
      run = null
      enable(false)
    }
  }

  function tellHost({ url, whyWorker, made }: SimulatedNode): void {
    const host = element('#simulated-host', HTMLElement, root)
    if (url === null) {
      host.textContent = `A worker of this page answers for its node, instead of a service worker: ${whyWorker}.`
      return
    }
    const link = document.createElement('a')
    link.href = liveAddress(url, made.network, made.checkpoint)
    link.target = '_blank'
    link.textContent = 'follow it live in another one'
    host.replaceChildren('A service worker answers for its node, and to other tabs, too: ', link, '.')
  }

  function tellProgress({ stage, done, total }: FollowProgress): void {
    const counted = stage === 'following' ? '' : ` (${stage}, ${integer(done)} of ${integer(total)})`
    status(`The light client follows the chain from its checkpoint, and each slot is sampled.${counted}`)
  }

  /** A block whose proposer did not sign it is no good block, whatever its data is. */
  async function tellSlot(slot: FollowedSlot, of: Run, proposer: Proposer): Promise<void> {
    const signature = slot.root === null ? null : await proposer.of(slot.root)
    if (run !== of) return
    ribbon.set(
      slot.state === 'available' && signature?.state === 'refused'
        ? { ...slot, ...{ state: 'refused', label: 'refused', words: forgedBy(signature.from) } }
        : slot,
    )
  }

  function tellHealth({ optimistic, endpoints }: LightClientReport): void {
    const failing = endpoints.flatMap(({ name, state, lastFailure }) =>
      state === 'good' || lastFailure === null
        ? []
        : [` ${name} is ${state}: ${lastFailure.kind} (${lastFailure.detail}).`],
    )
    setText(
      '#simulated-health',
      `The newest header is of slot ${integer(optimistic.slot)}.${failing.join('')}`,
      root,
    )
  }

  enable(false)
  // It is there when it is wanted, then; where it does not come, that is told when the chain is begun.
  registerWithNode().catch(() => {})
}
