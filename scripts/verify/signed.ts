import { hash } from 'node:crypto'
import path from 'node:path'
import { signatureFile, sumsFile } from '../api/routes.ts'
import { checkSignature, type Keys } from '../files/signature.ts'
import { readSums, type Sum } from '../files/sums.ts'
import { failed } from '../http/exchange.ts'
import { differ, type Finding } from './judge.ts'
import { type Exchange, otherScheme, type Subject } from './member-probes.ts'

export type Signing = {
  readonly keys: Keys
  /** Folders that hold the lists of earlier snapshots, and their signatures. */
  readonly earlier: readonly string[]
}

/** What the keys signed, of the files that are asked for. */
export type Signed = {
  /** Lines of the snapshot's list; none if no key signed it. */
  readonly now: ReadonlySet<string>
  /** Lines of the lists of earlier snapshots, as far as a key signed them. */
  readonly earlier: ReadonlySet<string>
  /** Who signed the snapshot's list; or else why it doesn't count. */
  readonly signer: string
  readonly doubt: string | undefined
}

/** Reads the signed lists, as far as they are about these files. */
export const readSigned = (
  snapshot: string,
  { keys, earlier, files }: Signing & { readonly files: ReadonlySet<string> },
): Signed => {
  const linesOf = (folders: readonly string[]): ReadonlySet<string> =>
    new Set(folders.flatMap((folder) => linesIn(folder, files)))
  const check = (folder: string) => checkSignature(folder, { file: sumsFile, signature: signatureFile, keys })
  const verdict = check(snapshot)
  const doubt = 'doubt' in verdict ? verdict.doubt : undefined
  return {
    now: linesOf(doubt === undefined ? [snapshot] : []),
    earlier: linesOf(earlier.filter((folder) => 'signer' in check(folder))),
    signer: `the key ${'signer' in verdict ? verdict.signer : 'of --key'}`,
    doubt,
  }
}

const linesIn = (folder: string, files: ReadonlySet<string>): readonly string[] =>
  readSums({ root: folder, below: sumsFile, name: path.join(folder, sumsFile) })
    .filter((sum) => files.has(sum.path))
    .map(lineOf)

const lineOf = ({ path, digest }: Sum): string => `${digest}  ${path}`

/** Whether the bodies that came are those that a key signed. */
export const judgeSigned = (
  signed: Signed,
  subject: Subject,
  exchanges: readonly Exchange[],
): readonly Finding[] =>
  exchanges.flatMap(({ question, request, outcome }) => {
    if (question !== 'plain' || failed(outcome) || outcome.status !== 200) return []
    if (outcome.cut || outcome.content === undefined) return []
    const digest = hash('sha256', outcome.content)
    const lineFor = (path: string) => lineOf({ path, digest })
    const { scheme } = request
    const file = lineFor(subject.files[scheme])
    // the other variant is signed, too; that the host mixes the two is another cause
    if (signed.now.has(file) || signed.now.has(lineFor(subject.files[otherScheme(scheme)]))) return []
    const expected = `bytes that ${signed.signer} signed`
    const length = `${outcome.content.length} bytes`
    if (signed.earlier.has(file)) {
      return [
        { ...differ('signed-earlier', expected, `${length} of a list that was signed earlier`), request },
      ]
    }
    const why = signed.doubt ?? `no signed list names them for ${subject.files[scheme]}`
    return [{ ...differ('not-signed', expected, `${length}; ${why}`), request }]
  })
