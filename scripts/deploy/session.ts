import fs from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../files/folder.ts'
import { realPath } from '../files/real-path.ts'
import { remove, removeIfEmpty } from '../files/remove.ts'
import { UserError } from '../problems/user-error.ts'
import { ownFolder } from '../snapshot/folders.ts'
import { lock } from '../snapshot/lock.ts'

/** What a deployment works with. */
export type Session = {
  /** The snapshot; links resolved. No build changes it meanwhile. */
  readonly out: string
  /** An empty folder for what the deployment needs for itself. */
  readonly own: string
}

/** Keeps builds out of the snapshot while it is published, and gives the deployment a folder of its own. */
export const inSession = async <T>(
  name: string,
  work: (session: Session) => Promise<T>,
  options: { readonly onWait: () => void },
): Promise<T> => {
  const out = findSnapshot(name)
  const unlock = await lock(out, options)
  const root = path.dirname(out)
  const below = `${ownFolder}/${path.basename(out)}`
  try {
    if (fs.existsSync(path.join(root, below, 'commit.json'))) {
      throw new UserError(`a build of "${name}" was broken off while it changed the snapshot`, {
        hint: 'npm run build completes it',
      })
    }
    remove(root, `${below}/deploy`)
    return await work({ out, own: makeFolder(root, `${below}/deploy`) })
  } finally {
    remove(root, `${below}/deploy`)
    removeIfEmpty(root, below)
    removeIfEmpty(root, ownFolder)
    unlock()
  }
}

const findSnapshot = (name: string): string => {
  if (fs.statSync(name, { throwIfNoEntry: false })?.isDirectory()) return realPath(name)
  throw new UserError(`there is no snapshot in "${name}"`, {
    hint: 'npm run build makes one; --out DIR names its folder',
  })
}
