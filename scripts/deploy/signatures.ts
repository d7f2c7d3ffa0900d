import { signatureFiles, sumsFile } from '../api/routes.ts'
import { copyFile } from '../files/copy.ts'
import { findEntry, makeFolder, makeRoot } from '../files/folder.ts'
import { readFile } from '../files/open.ts'
import { realPath } from '../files/real-path.ts'
import { remove } from '../files/remove.ts'
import { UserError } from '../problems/user-error.ts'
import { grouped } from '../text/amounts.ts'
import type { Store } from './store/store.ts'

/** What is to become of the signatures of the list. */
export type Signatures = {
  /** How many the remote was asked for. */
  readonly asked: number
  /** Those beside the list in the snapshot that the remote doesn't hold. */
  readonly fresh: readonly string[]
  /** Those at the remote that the snapshot has none for, as far as the remote was asked. */
  readonly left: readonly string[]
}

export const noSignatures: Signatures = { asked: 0, fresh: [], left: [] }

/**
 * Compares the signatures of the snapshot with those of the remote. One request for each kind: if the snapshot has no
 * signature, and nobody keeps the earlier one, nothing is asked.
 */
export const compareSignatures = async ({
  out,
  name,
  own,
  store,
  earlier,
}: {
  readonly out: string
  /** What messages call the snapshot. */
  readonly name: string
  readonly own: string
  readonly store: Store
  readonly earlier?: string | undefined
}): Promise<Signatures> => {
  const files: readonly string[] = Object.values(signatureFiles)
  const ours = new Map(files.map((file) => [file, readSignature(out, { file, name })]))
  if (earlier === undefined && files.every((file) => ours.get(file) === undefined)) return noSignatures
  const into = makeFolder(own, fetchedSignatures)
  const held = await Promise.all(files.map((file) => store.fetch(file, { root: into, below: file })))
  const isHeld = (file: string): boolean =>
    ours.get(file)?.equals(readFile(into, file, { limit: largest }) ?? Buffer.alloc(0)) === true
  return {
    asked: files.length,
    fresh: files.filter((file) => ours.get(file) !== undefined && !isHeld(file)),
    left: files.filter((file, at) => ours.get(file) === undefined && held[at]),
  }
}

/** A signature of the snapshot; `undefined` if there is none. */
const readSignature = (
  out: string,
  { file, name }: { readonly file: string; readonly name: string },
): Buffer | undefined => {
  if (!findEntry(out, file)?.isFile()) return undefined
  const bytes = readFile(out, file, { limit: largest })
  if (bytes !== undefined && bytes.length > 0) return bytes
  throw new UserError(
    `"${name}/${file}" is no signature: it is empty, or has more than ${grouped(largest)} bytes`,
    { hint: `sign ${sumsFile} again, or remove the file` },
  )
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
