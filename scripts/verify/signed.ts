import { hash } from 'node:crypto'
import path from 'node:path'
import { signatureFile, sumsFile, type Variant } from '../api/routes.ts'
import { checkSignature, type Keys } from '../files/signature.ts'
import { readSums } from '../files/sums.ts'
import type { Answer, Request } from '../http/exchange.ts'
import type { Subject } from './file.ts'
import { type Difference, differ, otherScheme } from './judge.ts'

export type Signing = {
  readonly keys: Keys
  /** Folders that hold the lists of earlier snapshots, and their signatures. */
  readonly earlier: readonly string[]
}

/** What the keys signed. */
export type Signed = ReturnType<typeof readSigned>

/** Reads the lists of a snapshot and of earlier ones, as far as one of the keys signed them. */
export const readSigned = (snapshot: string, { keys, earlier }: Signing) => {
  const check = (folder: string) => checkSignature(folder, { file: sumsFile, signature: signatureFile, keys })
  const linesIn = (folder: string): readonly string[] =>
    readSums({ root: folder, below: sumsFile, name: path.join(folder, sumsFile) }).map(({ path, digest }) =>
      lineOf(path, digest),
    )
  const verdict = check(snapshot)
  return {
    /** The lines of the snapshot's list, and those of the earlier ones. */
    now: new Set('signer' in verdict ? linesIn(snapshot) : []),
    earlier: new Set(earlier.filter((folder) => 'signer' in check(folder)).flatMap(linesIn)),
    /** The key that signed the snapshot's list; or else why it doesn't count. */
    signer: 'signer' in verdict ? `the key ${verdict.signer}` : undefined,
    doubt: 'doubt' in verdict ? verdict.doubt : undefined,
  }
}

const lineOf = (path: string, digest: string): string => `${digest}  ${path}`

/** Whether the body of a 200 is one that a key signed. */
export const judgeSigned = (
  { files, signed }: Subject,
  { scheme }: Request,
  { content, cut }: Answer,
): readonly Difference[] => {
  if (signed === undefined || cut || content === undefined) return []
  const digest = hash('sha256', content)
  const lineIn = (scheme: Variant): string => lineOf(files[scheme], digest)
  // the other variant is signed, too; that the host mixes the two is another cause
  if ([scheme, otherScheme(scheme)].some((one) => signed.now.has(lineIn(one)))) return []
  const expected = `bytes that ${signed.signer ?? 'the key of --key'} signed`
  const bytes = `${content.length} bytes`
  if (signed.earlier.has(lineIn(scheme)))
    return [differ('signed-earlier', expected, `${bytes} of a list that was signed earlier`)]
  const doubt = signed.doubt ?? `no signed list names them for ${files[scheme]}`
  return [differ('not-signed', expected, `${bytes}; ${doubt}`)]
}
