import fs from 'node:fs'
import type { Folders } from '../state/folders.ts'
import { recover } from './commit.ts'
import { tryLock } from './lock.ts'

/** Finishes what a build left that died while it changed the snapshot; a build that is at work is left alone. */
export const recoverUnlessBusy = async (folders: Folders): Promise<void> => {
  if (!fs.existsSync(folders.own)) return
  const unlock = await tryLock(folders.out)
  if (unlock === undefined) return
  try {
    recover(folders)
  } finally {
    unlock()
  }
}
