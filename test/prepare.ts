import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** Prepares a run of the tests; what it returns clears up after it. */
export const setup = () => {
  // commands that tests start run from compiled copies of the sources as they are, as after
  // `npm ci`
  execFileSync(process.execPath, ['scripts/start/compile.cjs'])
  return workInMemory()
}

/**
 * Has tests make their folders in memory where Linux offers it: most of their time would go
 * to the disk.
 */
const workInMemory = () => {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return () => {}
  const folder = fs.mkdtempSync(path.join(memory, 'shotpress-'))
  fs.chmodSync(folder, 0o755) // some servers run as another user
  process.env.TMPDIR = folder
  return () => fs.rmSync(folder, { recursive: true, force: true })
}

const memory = '/dev/shm'

/** In a container it may be small. */
const hasRoom = () => {
  if (!fs.existsSync(memory)) return false
  const { bavail, bsize } = fs.statfsSync(memory)
  return bavail * bsize > 2 ** 31
}
