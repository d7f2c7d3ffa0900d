import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { readTree, sandbox } from '../sandbox.ts'

/**
 * A trusted folder `root`, and `victim` beside it with files in it; a link leads from one to
 * the other.
 */
export const makePlace = () => {
  const folder = sandbox({ 'victim/file': 'theirs', 'victim/inside/file': 'theirs' })
  const root = `${folder}/root`
  const victim = `${folder}/victim`
  fs.mkdirSync(root)
  fs.symlinkSync(victim, `${root}/link`, 'junction')
  return { root, victim }
}

export const isUntouched = (victim: string) =>
  isDeepStrictEqual(readTree(victim), { file: 'theirs', 'inside/file': 'theirs' })

/** A pipe that nobody writes to: who opens it for reading waits for ever. */
export const makePipe = (file: string) => {
  execFileSync('mkfifo', [file])
}
