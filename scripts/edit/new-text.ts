import { sizeLimit } from '../content/layout.ts'
import type { MemberKind } from '../content/read/open.ts'
import { schemasBeside } from '../content/schema.ts'
import { errorsIn, UserError } from '../problems/diagnostic.ts'
import type { Editing } from './claims.ts'
import { changeKeys, firstLine, type NewValues } from './yaml/change.ts'
import type { Edited } from './yaml/proof.ts'

/**
 * The text of a file with these values in it, or of a new one; or why `check` would find it
 * wrong.
 */
export const provenText = (
  kind: MemberKind,
  { before, values }: { readonly before?: string | undefined; readonly values: NewValues },
  { content, site, loader }: Omit<Editing, 'claims'>,
): Edited & { readonly hint?: string | undefined } => {
  if (before !== undefined && Object.keys(values).length === 0) return { text: before }
  const start = before ?? firstLine(kind, schemasBeside(content.path), content)
  const edited = changeKeys(start, values, kind)
  if (edited.refused !== undefined) return edited
  const { text } = edited
  if (Buffer.byteLength(text) > sizeLimit)
    return { refused: `the file would be larger than ${sizeLimit} bytes` }
  const load = kind === 'profile' ? loader.loadProfile : loader.loadShot
  const [wrong] = errorsIn(load({ file: '', text }, site).diagnostics)
  return wrong === undefined ? edited : { refused: wrong.message, hint: wrong.hint }
}

/** The text of a new file; values that `check` would find wrong in it are refused. */
export const newText = (kind: MemberKind, values: NewValues, editing: Editing): string => {
  const { text, refused, hint } = provenText(kind, { values }, editing)
  if (text === undefined) throw new UserError(refused, { hint })
  return text
}
