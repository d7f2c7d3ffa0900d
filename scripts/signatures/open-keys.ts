import fs from 'node:fs'
import { quote } from '../text/printable.ts'
import { type Key, readKeys } from './key.ts'

/** The public keys of a file, or of what is one itself. */
export const openKeys = (value: string): readonly Key[] => {
  const stat = fs.statSync(value, { throwIfNoEntry: false })
  if (stat === undefined) return readKeys(value, quote(value))
  return readKeys(stat.isFile() && stat.size <= largest ? fs.readFileSync(value, 'utf8') : '', quote(value))
}

/** Bytes of a file of keys. */
const largest = 1 << 16
