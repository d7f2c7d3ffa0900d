import fs from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../files/folder.ts'
import { replaceFile } from '../files/write.ts'
import { readSums } from '../sums/read.ts'
import { markerEnd, markerFile } from './marker.ts'

/**
 * Writes a marker into the deployment's own folder, at the path that it will have at the remote. `changes` is a file of
 * lines of SHA256SUMS, or an earlier marker; `whole` is false to say that more than that may have been changed.
 */
export const writeMarker = (
  own: string,
  name: string,
  {
    head,
    changes,
    whole = true,
  }: { readonly head: string; readonly changes: string | undefined; readonly whole?: boolean },
): void => {
  if (name.includes('/')) makeFolder(own, path.posix.dirname(name))
  replaceFile(own, name, (file) => {
    fs.writeSync(file, head)
    if (changes !== undefined) copyChanges(changes, file)
    if (whole) fs.writeSync(file, markerEnd)
  })
}

/** The changes of an earlier marker, without its head and end. */
const copyChanges = (from: string, file: number): void => {
  const sums = readSums({ root: path.dirname(from), below: path.basename(from), name: markerFile })
  let text = ''
  for (const { digest, path } of sums) {
    text += `${digest}  ${path}\n`
    if (text.length < 1 << 18) continue
    fs.writeSync(file, text)
    text = ''
  }
  fs.writeSync(file, text)
}
