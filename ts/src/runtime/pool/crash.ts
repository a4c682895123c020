/** A task did not come back: its worker died, trapped or fell silent. Nothing is known about what it worked on. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed'
}
