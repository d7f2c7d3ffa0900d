import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { signatureFiles, sumsFile } from '../api/routes.ts'
import { findEntry } from '../files/folder.ts'
import { openFile, readFile } from '../files/open.ts'
import type { Key } from './key.ts'
import { checkMinisign } from './minisign.ts'
import { checkSsh } from './ssh.ts'
import type { Message, Verdict } from './verdict.ts'

/** What a key has to do with the list of a snapshot. */
export type ListVerdict = {
  readonly verdict: Verdict | 'no-list' | 'no-signature'
  /** Name of the signature beside the list. */
  readonly file: string
  readonly key: Key
}

/** Whether one of the keys signed the SHA256SUMS of a folder, by the signature beside it. */
export const checkList = (folder: string, keys: readonly Key[]): ListVerdict => {
  const verdicts = keys.map((key) => checkListBy(folder, key))
  return verdicts.find(({ verdict }) => verdict === 'signed') ?? verdicts[0]!
}

const checks = { minisign: checkMinisign, 'ssh-keygen': checkSsh } as const

const checkListBy = (folder: string, key: Key): ListVerdict => {
  const file = signatureFiles[key.program]
  if (!findEntry(folder, sumsFile)?.isFile()) return { verdict: 'no-list', file, key }
  if (findEntry(folder, file) === undefined) return { verdict: 'no-signature', file, key }
  const text = readFile(folder, file, { limit: largest })?.toString('latin1') ?? ''
  return { verdict: checks[key.program](text, messageIn(folder), [key]), file, key }
}

/** Bytes of a signature, with its comments. */
const largest = 1 << 16

const messageIn = (folder: string): Message => ({
  hash: (algorithm) => {
    const hash = createHash(algorithm)
    const file = openFile(folder, sumsFile)
    if (file === undefined) return hash.digest()
    try {
      const bytes = Buffer.alloc(1 << 20)
      for (let count = 1; count > 0; hash.update(bytes.subarray(0, count))) count = fs.readSync(file, bytes)
      return hash.digest()
    } finally {
      fs.closeSync(file)
    }
  },
  bytes: () => readFile(folder, sumsFile, { limit: 2 ** 31 - 1 }) ?? Buffer.alloc(0),
})
