import { names } from '../../content/layout.ts'
import type { ContentFolder } from '../../content/read/scan.ts'
import { type Diagnostic, fileStart } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'

/**
 * How much of large broken files (UTF-16 units) one run looks at. To say what is wrong with a file takes up to a hundred
 * times as long as to find it right, and a pull request may bring a thousand files of 1 MiB.
 */
export const brokenLimit = 16 << 20

/** What a broken file counts: a small one nothing, so that a mistake in every file of a site shows in one run. */
export const brokenSize = (text: string): number => (text.length > small ? text.length : 0)

/** UTF-16 units. Few people write as much in one file. */
const small = 1 << 14

/** Said of the member with which the limit was reached. */
export const notLookedAt = (content: ContentFolder, username: string): Diagnostic =>
  diagnose(
    'not-looked-at',
    { file: `${content.name}/${names.members}/${username}`, ...fileStart },
    { mebibytes: brokenLimit >> 20 },
  )

/** How much was broken of each member, at its position; threads share it. */
export type Broken = Int32Array<ArrayBufferLike>

/**
 * The position of the member with which the limit was reached; -1 if it wasn't. It doesn't depend on the order in which
 * threads process members, as long as only members after it are passed over.
 */
export const lastLookedAt = (broken: Broken): number => {
  let sum = 0
  return broken.findIndex((size) => {
    sum += size
    return sum >= brokenLimit
  })
}
