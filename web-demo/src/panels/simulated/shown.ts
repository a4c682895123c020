/** The stage of a chain that is followed, with what the simulated chain has beside: links that can be broken, and proposers’ signatures. */
import type { ChainLink } from 'blobcheck/elements'
import type { LightClientReport } from 'blobcheck/light-client'
import type { Conclusion, Stage, Subject } from '../../instrument/stage.ts'
import { integer } from '../../shared/words.ts'
import { forgedBy, type Proposer, type Signature } from './proposer.ts'
import type { Lie } from './settings.ts'

/** The lie that breaks a link of the chain. */
const lies: Readonly<Record<string, Lie>> = {
  cell: 'cell',
  commitment: 'commitment',
  root: 'header',
  signature: 'signature',
  committee: 'committee',
}

export function lieOf(link: string): Lie | undefined {
  return lies[link]
}

export interface ShownOptions {
  readonly stage: Stage
  readonly proposer: Proposer
  /** Whether the node can lie about that, in the fork of the chain. */
  readonly canLie: (lie: Lie) => boolean
  /** What the node lies about now. */
  readonly lie: () => Lie
}

export class Shown {
  /** What the follower gets. */
  readonly stage: Stage
  readonly #options: ShownOptions
  #subject: Subject = { network: 'A synthetic chain', slot: null, root: null, blobs: 0 }
  #links: readonly ChainLink[] = []
  #signature: Signature | null = null
  /** The newest header when one after it was refused. */
  #stoodAt: number | null = null
  /** Whether what is on the stage has its conclusion. */
  isConcluded = false
  #newest = -1
  /** When the newest header came, in milliseconds of Unix time. */
  #newestAt = 0

  constructor(options: ShownOptions) {
    this.#options = options
    const { stage } = options
    this.stage = {
      ...stage,
      subject: (subject) => {
        this.#subject = subject
        this.#signature = null
        this.#stoodAt = null
        stage.subject(subject)
      },
      begin: () => {
        this.isConcluded = false
        stage.begin()
      },
      links: (links) => {
        this.#links = links
        this.refresh()
      },
      conclude: (conclusion) => void this.#conclude(conclusion),
    }
  }

  /** Shows the links anew: another one may be the broken one. */
  refresh(): void {
    if (this.#links.length === 0) return
    const { stage, canLie, lie } = this.#options
    stage.links(
      this.#links.map((link) => {
        const breaking = lieOf(link.name)
        const canBreak = breaking !== undefined && canLie(breaking)
        const known = link.name === 'signature' ? { ...link, ...signed(this.#signature) } : link
        return { ...known, canBreak, isBroken: canBreak && lie() === breaking }
      }),
    )
  }

  /** The verdict on the signature comes first: a block is not shown as verified before. */
  async #conclude(conclusion: Conclusion): Promise<void> {
    const { stage, proposer } = this.#options
    const { root } = this.#subject
    const signature = root === null ? null : await proposer.of(root)
    if (this.#subject.root !== root) return
    this.#signature = signature
    this.isConcluded = true
    this.refresh()
    stage.conclude(
      signature?.state === 'refused' && conclusion.state === 'verified'
        ? { ...conclusion, state: 'refused', verdict: 'Refused here: the signature of the proposer' }
        : conclusion,
    )
  }

  /** Shows that no header comes any more because what comes is false. To be called with each report of the light client. */
  standstill({ currentSlot, optimistic, endpoints }: LightClientReport): void {
    const { slot } = optimistic
    if (slot !== this.#newest) [this.#newest, this.#newestAt] = [slot, Date.now()]
    const liar = endpoints.find(
      ({ lastFailure }) => lastFailure?.kind === 'invalid' && lastFailure.at >= this.#newestAt,
    )
    if (liar === undefined || currentSlot - slot < BEHIND || this.#stoodAt === slot) return
    const { name, lastFailure } = liar
    const { stage } = this.#options
    const links = this.#links.map((link): ChainLink => {
      const { name: of, title } = link
      if (of === 'checkpoint') return { name: of, title, mark: 'verified', text: CHECKPOINT }
      if (of !== 'committee') return { name: of, title, mark: 'unreached', text: UNREACHED }
      const text = `What ${name} says that a sync committee signed is false. The light client stays at slot ${integer(slot)}.`
      return { name: of, title, mark: 'broken', text, reason: lastFailure?.detail ?? '' }
    })
    this.stage.subject({ ...this.#subject, slot: slot + 1, root: null })
    this.#stoodAt = slot
    this.stage.links(links)
    this.isConcluded = true
    stage.conclude({
      state: 'refused',
      verdict: 'Refused here: a header that no sync committee signed',
      resting: 'nothing',
    })
  }
}

/** Slots: the newest header is one slot behind the clock, and is asked for a little later. */
const BEHIND = 4
const CHECKPOINT = 'The light client still stands on the checkpoint that it was given.'
const UNREACHED = 'There is no header of this slot that anything could be held against.'

function signed(signature: Signature | null): Partial<ChainLink> {
  if (signature === null) return {}
  if (signature.state === 'verified')
    return { mark: 'verified', text: 'It signed the header: here the keys of all proposers are known.' }
  const { from, reason } = signature
  return { mark: 'broken', text: forgedBy(from), reason }
}
