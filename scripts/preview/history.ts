import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ContentFolder } from '../content/layout.ts'
import { shownPath } from '../edit/members.ts'
import { makeFolder, readFile, type Spot } from '../files/folder.ts'
import { Changed, createFile, moveFile, removeEmpty, rename, replaceFile } from '../files/write.ts'
import { mostPictureBytes } from '../pictures/picture.ts'
import { UserError } from '../problems/diagnostic.ts'
import { makeIgnored } from '../snapshot/folders.ts'

/** What an edit did: `see` is the file whose page shows it. */
export type Done = {
  readonly said: string
  readonly see: string
  readonly value?: string
  /** Nothing was written, so no build follows. */
  readonly isSame?: boolean
}

/** An edit, as it can be undone: its files as they were and are, then the folder that was moved after them. */
type Step = Done & {
  readonly files: readonly {
    readonly below: string
    readonly before: Buffer | undefined
    readonly after: Buffer | undefined
  }[]
  readonly moved?: { readonly from: string; readonly to: string }
}

/** Something to be done to the content. */
export type Edit = Pick<Step, 'said' | 'moved'> & {
  /** All files that it may change, below the content folder; the first shows it. */
  readonly files: readonly [string, ...string[]]
  /** Does it; may say which file shows it. */
  readonly run: () => unknown
}

/** The edits of a session. Each can be undone, the last one first. */
export class History {
  readonly #content: ContentFolder
  readonly #bin: Spot
  readonly #steps: Step[] = []

  constructor(content: ContentFolder, bin: Spot) {
    this.#content = content
    this.#bin = bin
  }

  bytesOf(below: string): Buffer | undefined {
    return readFile(this.#content.path, below, { limit: mostPictureBytes + 1 })
  }

  /** Runs an edit, and remembers how its files were. */
  track({ said, files: belows, moved, run }: Edit): Done {
    const { name } = this.#content
    const before = belows.map((below) => this.bytesOf(below))
    const nowAt = (below: string): string =>
      moved && below.startsWith(`${moved.from}/`)
        ? moved.to + below.slice(moved.from.length)
        : below
    let isDone = false
    let shown: unknown
    try {
      shown = run()
      isDone = true
    } finally {
      const files = belows
        .map((below, at) => ({ below: isDone ? nowAt(below) : below, before: before[at] }))
        .map((file) => ({ ...file, after: this.bytesOf(file.below) }))
        .filter((file) => (moved && isDone) || !isDeepStrictEqual(file.before, file.after))
      const step = { said, see: `${name}/${belows[0]}`, files, ...(moved && isDone && { moved }) }
      if (files.length > 0) this.#steps.push(step)
    }
    const see = `${name}/${nowAt(belows[0])}`
    return { said, see: typeof shown === 'string' ? shown : see }
  }

  /** Moves files out of the content. Nothing is removed for good: it may say what no version in git does. */
  discard(belows: readonly string[]): void {
    const bin = makeIgnored(this.#bin)
    const stamp = new Date().toISOString().replaceAll(':', '-')
    for (const below of belows) {
      const folder = makeFolder(bin, `${stamp}/${path.posix.dirname(below)}`)
      const to = { root: folder, below: path.posix.basename(below) }
      moveFile({ root: this.#content.path, below }, to)
      removeEmpty(this.#content.path, path.posix.dirname(below))
    }
  }

  /** The last edit that can be undone, in words. */
  last(): string | undefined {
    return this.#steps.at(-1)?.said
  }

  undo(): Done {
    const last = this.#steps.at(-1)
    if (last === undefined) throw new UserError('there is nothing to undo')
    const { path: root } = this.#content
    const { said, see, files, moved } = last
    const changed = files.find(({ below, after }) => !isDeepStrictEqual(this.bytesOf(below), after))
    if (changed !== undefined) {
      const name = shownPath(this.#content, changed.below)
      throw new Changed(`${name} was changed meanwhile: it stays as it is`)
    }
    if (moved && fs.existsSync(path.join(root, moved.from)))
      throw new Changed(
        `${shownPath(this.#content, moved.from)} is there again: nothing was undone`,
      )
    this.#steps.pop()
    for (const { below, before, after } of files) {
      if (before === undefined) this.discard([below])
      else {
        makeFolder(root, path.posix.dirname(below))
        if (after === undefined) createFile(root, below, before, { durable: true })
        else replaceFile(root, below, before, { durable: true, before: after })
      }
    }
    if (moved) makeFolder(root, path.posix.dirname(moved.from))
    if (moved) rename(path.join(root, moved.to), path.join(root, moved.from))
    return { said: `undone: ${said}`, see }
  }
}
