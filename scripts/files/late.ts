import fs from 'node:fs'
import path from 'node:path'
import { openPlain } from './folder.ts'
import { keptName, writeNew } from './write.ts'

/**
 * How long another program may write into a file that it had open when the file was replaced,
 * in milliseconds.
 */
const grace = 2_000

type Late = {
  /** Called with the path of a file, and the name of its copy. */
  readonly onLate: (file: string, copy: string) => void
  /**
   * Called where no copy can be made, as in a folder that was renamed: nobody waits who could
   * catch that.
   */
  readonly onFailure: (error: unknown) => void
}

/**
 * Holds files that are about to be replaced. What another program, which has one of them
 * open, writes into it later would be gone with the old file: where that happens, a copy is
 * put beside the new one, with `~` at the end of its name, and told.
 */
export const holdFiles = (
  root: string,
  belows: readonly string[],
  { onLate, onFailure }: Late,
): { readonly look: () => void; readonly release: () => void } => {
  const held = belows.flatMap((below) => {
    const { file } = openPlain(root, below) ?? {}
    return file === undefined ? [] : [{ below, file, before: bytesIn(file) }]
  })
  const release = () => {
    for (const { file } of held) fs.closeSync(file)
  }
  const lookNow = () => {
    try {
      for (const { below, file, before } of held) {
        const now = bytesIn(file)
        // one that has a name still is nobody's loss
        if (fs.fstatSync(file).nlink > 0 || now.equals(before)) continue
        const copy = keptName(path.posix.basename(below))
        writeNew(root, path.posix.join(path.posix.dirname(below), copy), now)
        onLate(below, copy)
      }
    } catch (error) {
      onFailure(error)
    } finally {
      release()
    }
  }
  return { look: () => setTimeout(lookNow, grace), release }
}

/** All bytes of an open file, from its beginning. */
const bytesIn = (file: number) => {
  const bytes = Buffer.alloc(fs.fstatSync(file).size)
  return bytes.subarray(0, fs.readSync(file, bytes, 0, bytes.length, 0))
}
