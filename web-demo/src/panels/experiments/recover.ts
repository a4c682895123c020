/** A blob from half of its columns: the others are dropped, rebuilt, and compared with what they were. */
import type { BlobGridElement } from 'blobcheck/elements'
import { field } from '../../embedded/sidecar.ts'
import { element } from '../../shared/page.ts'
import { CELLS, DATA_CELLS } from '../../shared/sizes.ts'
import { orAborted } from '../../shared/watch.ts'
import { integer, milliseconds } from '../../shared/words.ts'
import { loadBlock } from '../../embedded/block.ts'
import type { Experiment } from './frame.ts'
import { doTask } from './kzg-task.ts'

/** Call it when the panel is there. */
export function recovery(): Experiment {
  const grid = document.querySelector('#experiments-recover-grid') as BlobGridElement
  const slider = element('#experiments-recover-dropped', HTMLInputElement)
  const output = element('#experiments-recover-count', HTMLOutputElement)
  const blobs = element('#experiments-recover-blob', HTMLSelectElement)
  /** What the lines drop: as many as the slider says now. A run goes on with those that it began with. */
  let chosen = someColumns(slider.valueAsNumber)

  slider.addEventListener('input', () => {
    chosen = someColumns(slider.valueAsNumber)
    output.value = slider.value
  })

  return {
    name: 'recover',
    lines: () => linesOf(Number(blobs.value), chosen),
    async run({ signal, progress }) {
      const dropped = (chosen = someColumns(slider.valueAsNumber))
      const at = Number(blobs.value)
      const missing = new Set(dropped)
      const kept = Array.from({ length: CELLS }, (_, column) => column).filter(
        (column) => !missing.has(column),
      )
      grid.fill('waiting')
      const { sidecars, proofs } = await orAborted(loadBlock(), signal)
      const sidecar = sidecars[at]!
      let found = ''
      const task = {
        ...{ kind: 'recover' as const, kept, blob: field(sidecar, 'blob') },
        commitment: field(sidecar, 'kzg_commitment'),
        proofs: kept.map((column) => proofs[at]![column]!),
      }
      progress(0, 2)
      await doTask(task, signal, (told) => {
        switch (told.kind) {
          case 'kept':
            progress(1, 2)
            for (const column of kept) grid.cell(0, column, told.areValid ? 'valid' : 'refused')
            for (const column of dropped) grid.cell(0, column, 'missing')
            if (!told.areValid)
              found =
                'The cells that are left do not belong to their commitment: nothing is rebuilt from them.'
            break
          case 'recovered':
            progress(2, 2)
            for (const column of dropped)
              grid.cell(0, column, told.areEqual[column] === true ? 'rebuilt' : 'refused')
            found = wordsOf(told.areEqual, dropped, told.ms)
            break
          case 'refused':
            progress(2, 2)
            found =
              told.code === 'cell-count'
                ? `Refused (${told.code}): ${kept.length} cells are left, and ${DATA_CELLS} are needed. The others stay missing.`
                : `Refused (${told.code}): what is left are no cells of a blob with their proofs.`
        }
      })
      return found
    },
  }
}

function wordsOf(areEqual: readonly boolean[], dropped: readonly number[], ms: number): string {
  const same = dropped.filter((column) => areEqual[column]).length
  const whole = areEqual.length === CELLS && areEqual.every((isEqual) => isEqual)
  const outcome = whole
    ? 'each of the 128 cells is the original, byte for byte'
    : `only ${integer(same)} of them are the original`
  return `${integer(dropped.length)} columns were dropped and rebuilt from the other ${CELLS - dropped.length} in ${milliseconds(ms)}: ${outcome}.`
}

/** Columns by chance, ascending. */
function someColumns(count: number): number[] {
  const left = Array.from({ length: CELLS }, (_, column) => column)
  const taken = Array.from(
    { length: count },
    () => left.splice(Math.floor(Math.random() * left.length), 1)[0]!,
  )
  return taken.sort((one, other) => one - other)
}

function linesOf(blob: number, dropped: readonly number[]): string {
  return `import { loadKzg } from 'blobcheck/kzg'
import { readEmbeddedSidecars } from 'blobcheck/serve/node'

const { data } = JSON.parse(await readEmbeddedSidecars())
const kzg = await loadKzg()
const cells = kzg.computeCells(data[${blob}].blob)
const dropped = [${dropped.join(', ')}]
const kept = [...cells.keys()].filter((column) => !dropped.includes(column))
const recovered = kzg.recoverCells(kept, kept.map((column) => cells[column]))
console.log(recovered.every((cell, column) => Buffer.from(cell).equals(cells[column])))
`
}
