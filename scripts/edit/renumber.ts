import { salvageProfile, salvageShot } from '../content/member.ts'
import { parse } from '../content/parse/parse.ts'
import type { ContentFolder } from '../content/read/scan.ts'
import { readSchema } from '../content/schema.ts'
import { replaceFile } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { shotToken } from '../snapshot/member/claims.ts'
import { type ContentFile, readText, shownPath, unreadable } from './content-files.ts'
import { nextMemberId, nextShotId, type Taken } from './ids.ts'
import { type Changes, changeKeys } from './yaml/change-keys.ts'

export type Renumbered = {
  readonly before: string | undefined
  readonly after: string
  /** Whether the token that came from the old id was written into the file. */
  readonly keptToken: boolean
}

/**
 * Gives a shot or a member another free id. A shot keeps the token that clients know: one that came from its id is
 * written out. Where another file has the id, or the same token written out, the token is that file's: this one
 * gets a new token with its new id.
 */
export const renumber = (content: ContentFolder, file: ContentFile, taken: Taken): Renumbered => {
  const shown = shownPath(content, file.below)
  const text = readText(content, file.below)
  if (text === undefined) throw refusal(shown, unreadable)
  const parsed = parse({ file: shown, text: text.replace(/^\ufeff/, '') })
  const { changes, ...done } =
    file.kind === 'shot' ? ofShot(salvageShot(parsed), taken) : ofMember(salvageProfile(parsed), taken)
  const edited = changeKeys(text, changes, readSchema(file.kind))
  if (edited.refused !== undefined) throw refusal(shown, edited.refused)
  replaceFile(content.path, file.below, edited.text, { durable: true })
  return done
}

type Plan = Renumbered & { readonly changes: Changes }

const ofMember = ({ id: before }: { readonly id?: string | undefined }, taken: Taken): Plan => {
  const after = nextMemberId(taken)
  return { before, after, keptToken: false, changes: { id: after } }
}

const ofShot = (
  { id: before, token_id }: { readonly id: string | undefined; readonly token_id: string | undefined },
  taken: Taken,
): Plan => {
  const after = nextShotId(taken)
  const made = before === undefined ? undefined : shotToken(before)
  const isOwn = made !== undefined && taken.shots.get(before!) === 1 && !taken.tokens.has(made)
  const keptToken = token_id === undefined && isOwn
  const isCopied = token_id !== undefined && taken.tokens.get(token_id) !== 1
  const token = isCopied ? { token_id: undefined } : keptToken ? { token_id: made } : {}
  return { before, after, keptToken, changes: { id: after, ...token } }
}

const refusal = (file: string, reason: string): UserError =>
  new UserError(`${file} can't be edited: ${reason}`, {
    hint: 'npm run check says what is wrong; or edit it by hand',
  })
