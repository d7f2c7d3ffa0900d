import { hash } from 'node:crypto'
import path from 'node:path'
import { signatureFile, sumsFile, type Variant } from '../api/routes.ts'
import { checkSignature, type Keys } from '../files/signature.ts'
import { readSums } from '../files/sums.ts'
import { failed } from '../http/exchange.ts'
import type { Exchange, Subject } from './file.ts'
import { differ, type Finding, otherScheme } from './judge.ts'

export type Signing = {
  readonly keys: Keys
  /** Folders that hold the lists of earlier snapshots, and their signatures. */
  readonly earlier: readonly string[]
}

/** What the keys signed, of the files that are asked for. */
export type Signed = ReturnType<typeof readSigned>

/** Reads the signed lists, as far as they are about these files. */
export const readSigned = (
  snapshot: string,
  { keys, earlier, files }: Signing & { readonly files: ReadonlySet<string> },
) => {
  const check = (folder: string) => checkSignature(folder, { file: sumsFile, signature: signatureFile, keys })
  const linesIn = (folder: string): readonly string[] =>
    readSums({ root: folder, below: sumsFile, name: path.join(folder, sumsFile) })
      .filter((sum) => files.has(sum.path))
      .map(({ path, digest }) => lineOf(path, digest))
  const verdict = check(snapshot)
  return {
    /** Lines of the snapshot's list; none if no key signed it. */
    now: new Set('signer' in verdict ? linesIn(snapshot) : []),
    /** Lines of the lists of earlier snapshots, as far as a key signed them. */
    earlier: new Set(earlier.filter((folder) => 'signer' in check(folder)).flatMap(linesIn)),
    /** The key that signed the snapshot's list; or else why it doesn't count. */
    signer: 'signer' in verdict ? `the key ${verdict.signer}` : undefined,
    doubt: 'doubt' in verdict ? verdict.doubt : undefined,
  }
}

const lineOf = (path: string, digest: string): string => `${digest}  ${path}`

/** Whether the bodies that came are those that a key signed. */
export const judgeSigned = (
  signed: Signed,
  { files }: Subject,
  exchanges: readonly Exchange[],
): readonly Finding[] =>
  exchanges.flatMap(({ question, request, outcome }) => {
    if (question !== 'plain' || failed(outcome) || outcome.status !== 200) return []
    const { content, cut } = outcome
    if (cut || content === undefined) return []
    const digest = hash('sha256', content)
    const lineIn = (scheme: Variant): string => lineOf(files[scheme], digest)
    const own = lineIn(request.scheme)
    // the other variant is signed, too; that the host mixes the two is another cause
    if (signed.now.has(own) || signed.now.has(lineIn(otherScheme(request.scheme)))) return []
    const doubt = signed.doubt ?? `no signed list names them for ${files[request.scheme]}`
    const isEarlier = signed.earlier.has(own)
    const got = isEarlier ? ' of a list that was signed earlier' : `; ${doubt}`
    const expected = `bytes that ${signed.signer ?? 'the key of --key'} signed`
    const cause = isEarlier ? 'signed-earlier' : 'not-signed'
    return [{ ...differ(cause, expected, `${content.length} bytes${got}`), request }]
  })
