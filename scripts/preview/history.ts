import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ContentFolder } from '../content/layout.ts'
import { shownPath } from '../edit/files.ts'
import { lstatOf, makeFolder, readFile, type Spot } from '../files/folder.ts'
import { holdFiles } from '../files/late.ts'
import {
  Changed,
  createFile,
  moveFile,
  removeEmpty,
  rename,
  replaceFile,
} from '../files/write.ts'
import { mostPictureBytes } from '../pictures/picture.ts'
import { codeOf, UserError } from '../problems/diagnostic.ts'
import { makeIgnored } from '../snapshot/folders.ts'

/** What an edit did: `see` is the file whose page shows it. */
export type Done = {
  readonly said: string
  readonly see: string
  readonly value?: string
  /** Nothing was written, so no build follows. */
  readonly isSame?: boolean
}

/** Something to be done to the content. */
export type Edit = {
  readonly said: string
  /** All files that it may change, below the content folder; the first shows it. */
  readonly files: readonly [string, ...string[]]
  /**
   * Those of them that it makes. Another one that isn't there at first comes from somebody
   * else.
   */
  readonly makes?: readonly string[]
  /** A folder that is moved after that, with the files. */
  readonly moved?: { readonly from: string; readonly to: string } | undefined
  /** Does it; may say which file shows it. */
  readonly run: () => unknown
}

/** An edit, as it can be undone: its files, where they are now, as they were and are. */
type Step = Pick<Edit, 'said' | 'moved'> & {
  readonly see: string
  readonly files: readonly {
    readonly below: string
    readonly before: Buffer | undefined
    readonly after: Buffer | undefined
  }[]
}

export type History = ReturnType<typeof createHistory>

/**
 * The edits of a session. Each can be undone, the last one first; `onLate` is told of what
 * another program wrote too late, or why it is lost.
 */
export const createHistory = (
  content: ContentFolder,
  bin: Spot,
  onLate: (error: unknown) => void = () => {},
) => {
  const { path: root } = content
  const steps: Step[] = []
  const bytesOf = (below: string) => readFile(root, below, { limit: mostPictureBytes + 1 })

  /**
   * Moves files out of the content. Nothing is removed for good: it may say what no version
   * in git does.
   */
  const discard = (belows: readonly string[]): void => {
    const stamp = new Date().toISOString().replaceAll(':', '-')
    for (const below of belows) {
      const folder = makeFolder(makeIgnored(bin), `${stamp}/${path.posix.dirname(below)}`)
      try {
        moveFile({ root, below }, { root: folder, below: path.posix.basename(below) })
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
        throw new Changed(`${shownPath(content, below)} was moved or removed meanwhile`)
      }
      removeEmpty(root, path.posix.dirname(below))
    }
  }

  const restore = ({ below, before, after }: Step['files'][number]): void => {
    if (before === undefined) {
      discard([below])
      return
    }
    makeFolder(root, path.posix.dirname(below))
    const put = after === undefined ? createFile : replaceFile
    put(root, below, before, { before: after })
  }

  const takeBack = ({ files, moved }: Pick<Step, 'files' | 'moved'>): void => {
    for (const one of files) restore(one)
    if (moved === undefined) return
    makeFolder(root, path.posix.dirname(moved.from))
    rename(path.join(root, moved.to), path.join(root, moved.from))
  }

  // a link that leads nowhere is there, too
  const isThere = (below: string): boolean => lstatOf(path.join(root, below)) !== undefined

  return {
    bytesOf,
    discard,
    /** The last edit that can be undone. */
    last: (): Done | undefined => steps.at(-1),
    /** Runs an edit, and remembers how its files were. Nothing is left of one that fails. */
    track: ({ said, files, makes = [], moved, run }: Edit): Done => {
      const before = files.map(bytesOf)
      const changesIn = (now: readonly string[]): Step['files'] =>
        now
          .map((below, at) => ({ below, before: before[at], after: bytesOf(below) }))
          .filter(({ below, before }) => before !== undefined || makes.includes(below))
          .filter(({ before, after }) => !isDeepStrictEqual(before, after))
      const then = moved ? files.map((one) => one.replace(moved.from, moved.to)) : files
      try {
        const shown = heedingOthers(files, run, { content, onLate })
        const [first = ''] = then
        steps.push({ said, see: shownPath(content, files[0]), files: changesIn(then), moved })
        return { said, see: typeof shown === 'string' ? shown : shownPath(content, first) }
      } catch (error) {
        const isMoved = moved !== undefined && !isThere(moved.from)
        // what somebody else wrote at this moment into a file that was there stays
        const ours = changesIn(isMoved ? then : files).filter(
          ({ before, after }) => !(error instanceof Changed && before && after),
        )
        takeBack({ files: ours, moved: isMoved ? moved : undefined })
        throw error
      }
    },
    undo: (): Done => {
      const last = steps.at(-1)
      if (last === undefined) throw new UserError('there is nothing to undo')
      const { said, see, files, moved } = last
      const isLeft = files.every(({ below, after }) =>
        isDeepStrictEqual(bytesOf(below), after),
      )
      if (!isLeft || (moved && isThere(moved.from)))
        throw new Changed('it was changed meanwhile, and stays as it is', { hint: said })
      steps.pop()
      const belows = files.map(({ below }) => below)
      heedingOthers(belows, () => takeBack(last), { content, onLate })
      return { said: `undone: ${said}`, see }
    },
  }
}

/** Does something to files, which other programs may have open. */
const heedingOthers = <T>(
  belows: readonly string[],
  run: () => T,
  { content, onLate }: { content: ContentFolder; onLate: (error: unknown) => void },
): T => {
  const held = holdFiles(content.path, belows, {
    onLate: (below, copy) => {
      const shown = shownPath(content, below)
      const hint = `what that wrote is in "${copy}", beside it`
      onLate(
        new Changed(`${shown} was written by another program while it was saved`, { hint }),
      )
    },
    onFailure: onLate,
  })
  try {
    const done = run()
    held.look()
    return done
  } catch (error) {
    held.release()
    throw error
  }
}
