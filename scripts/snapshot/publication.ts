import fs from 'node:fs'
import { allFile } from '../api/outputs/everything.ts'
import { publishedRoute, signatureRoute } from '../api/outputs/publication.ts'
import { fileOf, sumsFile } from '../api/route.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { findEntry, readFile } from '../files/folder.ts'
import { remove, replaceFile } from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { hashFile } from './destination.ts'

// What the command line says of a snapshot, and no content does: when it is published, and
// from which commit.

const told = fileOf(publishedRoute)
const signature = fileOf(signatureRoute)

/** The files that tell it, which SHA256SUMS doesn't list. */
export const publicationFiles: readonly string[] = [told, signature]

/** `--published` and `--commit`. */
export type Publication = { readonly published: string; readonly commit: string }

type Flags = { readonly published: string | undefined; readonly commit: string | undefined }

/** Reads the two flags; `undefined` if they are not there. */
export const parsePublication = (options: Flags): Publication | undefined => {
  const { published, commit = '' } = options
  if (published === undefined) {
    if (commit === '') return undefined
    throw new UserError('--commit says nothing without --published', {
      hint: 'add --published "$(date -u +%FT%TZ)"',
    })
  }
  const problem = timestampProblem(published)
  if (problem !== undefined) {
    throw new UserError(
      `--published takes a timestamp in UTC, not ${quote(published)}: ${problem}`,
      {
        hint: 'write it as 2026-03-02 18:30:00, or let the shell: "$(date -u +%FT%TZ)"',
      },
    )
  }
  if (commit.length > 200 || /\p{C}/u.test(commit)) {
    throw new UserError('--commit takes up to 200 characters that can be printed', {
      hint: 'write --commit "$(git rev-parse HEAD)"',
    })
  }
  return { published: normalTimestamp(published), commit }
}

/**
 * Makes the snapshot tell when it was published, or not tell it. A signature stays as long as
 * the bytes that it signs.
 */
export const tellPublication = (out: string, publication: Publication | undefined): void => {
  const hashes = () => ({ sums: hashFile(out, sumsFile), all: hashFile(out, allFile) ?? '' })
  const bytes =
    publication && Buffer.from(`${JSON.stringify({ ...publication, ...hashes() })}\n`)
  const before = readFile(out, told)
  if (bytes !== undefined && before?.equals(bytes)) return
  const last = findEntry(out, told)?.mtimeMs ?? 0
  remove(out, signature)
  if (bytes === undefined) remove(out, told)
  else {
    replaceFile(out, told, (file) => {
      fs.writeFileSync(file, bytes)
      // servers make ETags of size and whole seconds
      const seconds = Math.max(Math.floor(Date.now() / 1000), Math.floor(last / 1000) + 1)
      fs.futimesSync(file, seconds, seconds)
    })
  }
}
