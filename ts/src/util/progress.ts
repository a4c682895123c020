/** How far a call has come, in one shape for all entries of the package. */

/** What a listener `onProgress` is called with: which stage a call is in, and how many of its steps are done. */
export interface StageProgress<Stage extends string> {
  /** What is being done. */
  readonly stage: Stage
  /** How many steps of the stage are done. */
  readonly done: number
  /** How many steps the stage has, as far as is known by now. */
  readonly total: number
}
