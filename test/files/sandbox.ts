import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A trusted folder `root`, and `victim` beside it with a file in it; links lead from one to the other. */
export const makePlace = (): { readonly root: string; readonly victim: string } => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-files-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const [root, victim] = [path.join(folder, 'root'), path.join(folder, 'victim')]
  fs.mkdirSync(root)
  fs.mkdirSync(path.join(victim, 'inside'), { recursive: true })
  fs.writeFileSync(path.join(victim, 'file'), 'theirs')
  fs.writeFileSync(path.join(victim, 'inside/file'), 'theirs')
  fs.symlinkSync(victim, path.join(root, 'link'), 'junction')
  return { root, victim }
}

/** Fails if the victim is not as it was. */
export const isUntouched = (victim: string): boolean =>
  fs.readdirSync(victim).sort().join() === 'file,inside' &&
  fs.readFileSync(path.join(victim, 'file'), 'utf8') === 'theirs' &&
  fs.readFileSync(path.join(victim, 'inside/file'), 'utf8') === 'theirs'

/** A pipe that nobody writes to: who opens it for reading waits for ever. */
export const makePipe = (file: string): void => {
  execFileSync('mkfifo', [file])
}
