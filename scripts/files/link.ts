import fs from 'node:fs'
import { findEntry } from './folder.ts'
import { join } from './path-below.ts'
import { remove } from './remove.ts'

/** Puts a link to a folder at a path below a trusted folder; what is there is removed, unless it is that link. */
export const replaceLink = (root: string, below: string, target: string): void => {
  const link = join(root, below)
  if (findEntry(root, below)?.isSymbolicLink() && fs.readlinkSync(link) === target) return
  remove(root, below)
  fs.symlinkSync(target, link, 'junction')
}
