import fs from 'node:fs'
import path from 'node:path'
import { prefix, variantFolder, variants } from '../../api/routes.ts'
import type { ContentFolder } from '../../content/scan.ts'
import { UserError } from '../../diagnostics/user-error.ts'

/** Where a build works. */
export type Folders = {
  readonly content: ContentFolder
  /** The snapshot; links resolved. */
  readonly out: string
  /** What the build needs for itself, beside the snapshot: may be deleted at the cost of time only. */
  readonly own: string
  readonly state: string
  readonly stage: string
  readonly journal: string
}

/** Name of the folder, beside the snapshot, that holds what builds leave for each other. */
export const ownFolder = '.shotpress'

export const sumsFile = 'SHA256SUMS'

/** Finds the folders that the command line names, and refuses those that a build must not touch. */
export const resolveFolders = ({
  content,
  out,
}: {
  readonly content: string
  readonly out: string
}): Folders => {
  const folder = resolveContent(content)
  const target = realPath(path.resolve(out))
  const inside = realPath(folder.path)
  if (contains(target, inside) || contains(inside, target)) {
    throw new UserError(`the snapshot can't be written to "${out}": it and the content folder overlap`, {
      hint: 'give --out a folder of its own, such as dist',
    })
  }
  if (path.basename(target) === ownFolder) {
    throw new UserError(`the snapshot can't be written to "${out}": builds keep their own files there`, {
      hint: 'give --out a folder of its own, such as dist',
    })
  }
  const own = path.join(path.dirname(target), ownFolder, path.basename(target))
  return {
    content: folder,
    out: target,
    own,
    state: path.join(own, 'state'),
    stage: path.join(own, 'stage'),
    journal: path.join(own, 'commit.json'),
  }
}

/** The content folder that the command line names. */
export const resolveContent = (name: string): ContentFolder => {
  const stat = fs.statSync(name, { throwIfNoEntry: false })
  if (stat === undefined) {
    throw new UserError(`there is no folder "${name}"`, {
      hint: 'name the content folder with --content DIR',
    })
  }
  if (!stat.isDirectory()) throw new UserError(`"${name}" is not a folder`)
  return { path: path.resolve(name), name: name.length > 1 ? name.replace(/\/+$/, '') : name }
}

/** The folders in which members stand, each after the one that holds it: `api`, `api/username`, `http`, … */
export const memberFolders: readonly string[] = variants.flatMap((variant) => {
  const parts = `${variantFolder[variant]}${prefix}`.split('/').filter((part) => part !== '')
  return parts.map((_, end) => parts.slice(0, end + 1).join('/'))
})

const contains = (outer: string, inner: string): boolean =>
  `${inner}/`.startsWith(outer === '/' ? '/' : `${outer}/`)

/** The path with the links in it resolved, as far as it exists. */
const realPath = (file: string): string => {
  try {
    return fs.realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return path.join(realPath(path.dirname(file)), path.basename(file))
  }
}
