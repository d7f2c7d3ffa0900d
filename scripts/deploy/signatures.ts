import { signatureFiles, sumsFile } from '../api/routes.ts'
import { copyFile } from '../files/copy.ts'
import { findEntry, makeFolder, makeRoot } from '../files/folder.ts'
import { readFile } from '../files/open.ts'
import { realPath } from '../files/real-path.ts'
import { remove } from '../files/remove.ts'
import type { Store } from './store/store.ts'

/**
 * Signatures of the list, beside it in the snapshot, that the remote doesn't hold. One request for each: without one
 * there, nothing is asked.
 */
export const findNewSignatures = async ({
  out,
  own,
  store,
}: {
  readonly out: string
  readonly own: string
  readonly store: Store
}): Promise<readonly string[]> => {
  const files = Object.values(signatureFiles).filter((file) => findEntry(out, file)?.isFile())
  if (files.length === 0) return []
  const into = makeFolder(own, fetchedSignatures)
  const bytesOf = (root: string, file: string) => readFile(root, file, { limit: largest })
  const isNew = async (file: string): Promise<boolean> => {
    if (!(await store.fetch(file, { root: into, below: file }))) return true
    return bytesOf(out, file)?.equals(bytesOf(into, file) ?? Buffer.alloc(0)) !== true
  }
  const news = await Promise.all(files.map(isNew))
  return files.filter((_, at) => news[at])
}

/** Where the signatures of the remote are, below the deployment's own folder. */
const fetchedSignatures = 'signatures'

/** Copies the list that was published last, and its signatures as far as they were fetched, into a folder. */
export const keepEarlier = (
  folder: string,
  { own, published }: { readonly own: string; readonly published: string },
): void => {
  makeRoot(folder)
  const root = realPath(folder)
  remove(root, sumsFile)
  copyFile({ root: own, below: published }, { root, below: sumsFile })
  for (const file of Object.values(signatureFiles)) {
    remove(root, file)
    if (findEntry(own, fetchedSignatures) !== undefined)
      copyFile({ root: own, below: `${fetchedSignatures}/${file}` }, { root, below: file })
  }
}

/** Bytes of a signature, with its comments. */
const largest = 1 << 16
