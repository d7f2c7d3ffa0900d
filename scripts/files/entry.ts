import fs from 'node:fs'
import { resolveBelow } from './folder.ts'

/** What stands at a path below a trusted folder, links not followed; `undefined` if nothing does. */
export const findEntry = (root: string, below: string): fs.Stats | undefined =>
  fs.lstatSync(resolveBelow(root, below), { throwIfNoEntry: false })
