import fs from 'node:fs'
import { quote } from '../text/printable.ts'
import { type Key, readKeys } from './key.ts'

/** The public keys of a file, or of what is one itself. */
export const openKeys = (value: string): readonly Key[] => {
  const stat = statOf(value)
  if (stat === undefined) {
    // what is so long may be a secret key, which no log should show
    const isLong = value.length > 200
    return readKeys(value, isLong ? 'the value of --key' : `there is no file ${quote(value)}, and it`)
  }
  return readKeys(stat.isFile() && stat.size <= largest ? fs.readFileSync(value, 'utf8') : '', quote(value))
}

const statOf = (file: string): fs.Stats | undefined => {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    // the line of a key can be longer than a name may be
    if ((error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return undefined
    throw error
  }
}

/** Bytes of a file of keys. */
const largest = 1 << 16
