/**
 * `blobcheck/elements/trust-chain`: importing it defines `<trust-chain>`. Where there are no elements, under Node, nothing is defined.
 */
import { define } from '../shared/element.ts'
import { TrustChainElement } from './element.ts'
import type { LinkChoice } from './link.ts'

export { TrustChainElement } from './element.ts'
export type { ChainLink, LinkChoice, LinkMark } from './link.ts'

declare global {
  interface HTMLElementTagNameMap {
    'trust-chain': TrustChainElement
  }
  interface HTMLElementEventMap {
    linkbreak: CustomEvent<LinkChoice>
    linkrestore: CustomEvent<LinkChoice>
  }
}

define('trust-chain', TrustChainElement)
