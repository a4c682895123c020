/** How scripts run other programs. */
import { expect, it } from 'vitest'
import { run } from '../../scripts/run.mjs'

const script = `process.stderr.write('(node:7) Warning: beside it\\n', () => console.log('[1]'))`

it('what is read of a program is what it wrote to its output alone', async () => {
  expect(JSON.parse(await run(process.execPath, ['-e', script], { isRead: true }))).toEqual([1])
})

it('a failed program is told with all that it said', async () => {
  const failing = run(process.execPath, ['-e', `${script}; process.exitCode = 3`], { isRead: true })
  await expect(failing).rejects.toThrow(/ended with code 3\n(.*\n)*.*beside it\n\[1\]/)
})
