// Running other programs: quietly where all is well, with everything that they said where it is not.
import { spawn } from 'node:child_process'

/** Runs a program; resolves with its output, or rejects with a message that holds it. */
export function run(command, args, { cwd, env, live = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && command !== process.execPath,
    })
    let output = ''
    const take = (stream) => (chunk) => {
      output += chunk
      if (live) stream.write(chunk)
    }
    child.stdout.setEncoding('utf8').on('data', take(process.stdout))
    child.stderr.setEncoding('utf8').on('data', take(process.stderr))
    child.on('error', (error) => reject(new Error(`${command} could not be run: ${error.message}`)))
    child.on('close', (code) => {
      if (code === 0) resolve(output)
      else
        reject(
          Object.assign(
            new Error(`${command} ${args.join(' ')} ended with code ${code}\n${live ? '' : output}`),
            { output },
          ),
        )
    })
  })
}

/** npm, as it was started, or as it is found. */
export function npm(args, options) {
  const path = process.env.npm_execpath
  return path?.endsWith('.js') || path?.endsWith('.cjs')
    ? run(process.execPath, [path, ...args], options)
    : run('npm', args, options)
}
