/** The experiments: what a flood of copies costs, a blob rebuilt from half of its columns, how fast this browser is, and how fast others are in it. */
import type { MountPanel } from '../../instrument/stage.ts'
import { bench } from './bench.ts'
import { flood } from './flood.ts'
import { frame } from './frame.ts'
import './panel.css'
import html from './panel.html?raw'
import { offerPeers } from './peers.ts'
import { recovery } from './recover.ts'

/** They do not take the instrument: each shows what came of it in its own place. */
export const mount: MountPanel = (root) => {
  root.innerHTML = html
  frame(flood)
  frame(recovery())
  frame(bench)
  offerPeers()
}
