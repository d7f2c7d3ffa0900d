import fs from 'node:fs'
import { UserError } from '../../../problems/user-error.ts'

/** Lists a folder of the snapshot. What has a name that is no text can be neither listed, moved nor removed. */
export const listFolder = (folder: string): readonly fs.Dirent[] => {
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  const isUnreachable = ({ name }: fs.Dirent): boolean =>
    name.includes('\ufffd') && !fs.lstatSync(`${folder}/${name}`, { throwIfNoEntry: false })
  if (entries.some(isUnreachable)) {
    throw new UserError(`a file with a name that is not UTF-8 is in ${folder}`, {
      hint: 'remove it, or the snapshot as a whole',
    })
  }
  return entries
}
