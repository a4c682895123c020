/**
 * Set up before each file of tests where files share a process (`isolate: false`): each has the modules of `tests/support` for itself. What these
 * do before and after each test they say where they are loaded, so that it would be done for the first file alone; and what they hold, a verifier
 * of all of a file's tests, say, is gone when that file ends. The package itself is loaded by Node, once for all of them.
 */
import { vi } from 'vitest'

vi.resetModules()
