import fs from 'node:fs'
import path from 'node:path'
import { replaceFile, writeToPipe } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'

export const outputOption = {
  value: 'FILE',
  description: 'write the result to this file, not to stdout',
} as const

/** Writes a command's result: to the file that `--output` names, whole or not at all, or else to a stream. */
export const writeResult = (
  text: string,
  {
    file,
    stream,
  }: { readonly file: string | undefined; readonly stream: { readonly write: (text: string) => unknown } },
): void => {
  if (file === undefined) {
    stream.write(text)
    return
  }
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) throw new UserError(`"${file}" is a folder`, { hint: 'name a file with --output' })
  const folder = path.dirname(path.resolve(file))
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`"${file}" can't be written: there is no folder "${path.dirname(file)}"`, {
      hint: 'make the folder first, or name another file',
    })
  }
  if (stat === undefined || stat.isFile()) replaceFile(folder, path.basename(file), text)
  else writeToPipe(file, text)
}
