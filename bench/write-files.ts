import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../scripts/problems/user-error.ts'
import type { File } from './site.ts'

/** Writes files below a new folder; `bytes` is their sum. */
export const writeFiles = (folder: string, files: Iterable<File>): { number: number; bytes: number } => {
  if (existsSync(folder)) {
    throw new UserError(`${folder} exists already`, { hint: 'name a new folder with --out' })
  }
  let number = 0
  let bytes = 0
  let made = ''
  for (const { path, text } of files) {
    const target = join(folder, path)
    const parent = dirname(target)
    if (parent !== made) mkdirSync(parent, { recursive: true })
    made = parent
    const data = Buffer.from(text)
    writeFileSync(target, data)
    number++
    bytes += data.length
  }
  return { number, bytes }
}
