import { hash } from 'node:crypto'
import path from 'node:path'
import { sumsFile } from '../api/routes.ts'
import { failed } from '../http/exchange.ts'
import { checkList, type ListVerdict } from '../signatures/check-list.ts'
import type { Key } from '../signatures/key.ts'
import { readSums, type Sum } from '../sums/read.ts'
import { type Exchange, otherScheme, type Subject } from './ask/member-probes.ts'
import { differ, type Finding } from './tell/finding.ts'

export type Signing = {
  readonly keys: readonly Key[]
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
  const isSigned = (folder: string): boolean => checkList(folder, keys).verdict === 'signed'
  const verdict = checkList(snapshot, keys)
  const doubt = describeDoubt(snapshot, verdict)
  const { program, id } = verdict.key
  return {
    now: linesOf(doubt === undefined ? [snapshot] : []),
    earlier: linesOf(earlier.filter(isSigned)),
    signer: `the key ${id} of ${program}`,
    doubt,
  }
}

const linesIn = (folder: string, files: ReadonlySet<string>): readonly string[] => {
  const lines: string[] = []
  for (const sum of readSums({ root: folder, below: sumsFile, name: path.join(folder, sumsFile) })) {
    if (files.has(sum.path)) lines.push(lineOf(sum))
  }
  return lines
}

const lineOf = ({ path, digest }: Sum): string => `${digest}  ${path}`

const describeDoubt = (folder: string, { verdict, file, key }: ListVerdict): string | undefined => {
  const [list, signature] = [path.join(folder, sumsFile), path.join(folder, file)]
  switch (verdict) {
    case 'signed':
      return undefined
    case 'no-list':
      return `there is no ${list}`
    case 'no-signature':
      return `nobody signed ${list}: there is no ${file} beside it`
    case 'malformed':
      return `${signature} is not a whole signature of ${key.program}`
    case 'other-key':
      return `another key made ${signature}`
    case 'other-purpose':
      return `${signature} is for another purpose: ssh-keygen -Y sign needs -n file`
    case 'other-bytes':
      return `${signature} is not of this ${sumsFile}, but of an older or a changed one`
    default:
      return verdict satisfies never
  }
}

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
