import { isDeepStrictEqual } from 'node:util'
import type { Data } from '../content/parse/data.ts'
import { scalarFollows, yaml } from '../content/parse/document.ts'
import { type Parsed, parse } from '../content/parse/parse.ts'
import { quickParse } from '../content/parse/quick.ts'
import { hasErrors } from '../problems/diagnostic.ts'

/** A text that was edited with what it says where that was compared, or why it was left as it is, in words that follow "can't be edited: ". */
export type Edited =
  | { readonly text: string; readonly data?: Data; readonly refused?: never }
  | { readonly text?: never; readonly data?: never; readonly refused: string }

/** A text's byte order mark, or nothing, and the rest of it. */
export const splitMark = (text: string): readonly [mark: string, rest: string] =>
  text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text]

/** What a file with this text says; its problems name the file. */
export const readData = (source = '', file = ''): Pick<Parsed, 'data' | 'whole' | 'problems'> => {
  const [, text] = splitMark(source)
  const data = quickParse(text)
  return data === undefined ? parse({ file, text }) : { data, whole: true, problems: [] }
}

/** Reads a new text once more, and accepts it only if it says what it should and has every comment. */
export const prove = (before: string, after: string, wanted: Data): Edited => {
  const { data, problems } = readData(after)
  if (data === undefined || hasErrors(problems) || !equalData(data, wanted))
    return { refused: 'it would say something else' }
  return keepsComments(before, after) ? { text: after, data: wanted } : { refused: 'a comment would be lost' }
}

/** Whether two values are the same, in whatever order their keys are. */
export const equalData = (a: Data | undefined, b: Data | undefined): boolean =>
  typeof a === 'object' && typeof b === 'object'
    ? isDeepStrictEqual(structuredClone(a), structuredClone(b))
    : a === b

/** Whether a text has all comments of another one. */
export const keepsComments = (before: string, after: string): boolean => {
  const counts = new Map<string, number>()
  for (const { text } of commentsOf(after)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return commentsOf(before).every(({ text }) => {
    const left = counts.get(text) ?? 0
    counts.set(text, left - 1)
    return left > 0
  })
}

/** A comment of a YAML text: `# so`. The end of the line is not part of it. */
export type Comment = { readonly from: number; readonly text: string }

/** Every comment, in the order of the text. */
export const commentsOf = (text: string): readonly Comment[] => {
  if (!text.includes('#')) return []
  const comments: Comment[] = []
  let at = 0
  let previous = ''
  for (const lexeme of new (yaml().Lexer)().lex(text)) {
    if (lexeme.startsWith('#') && previous !== scalarFollows)
      comments.push({ from: at, text: lexeme.trimEnd() })
    if (!marks.has(lexeme)) at += lexeme.length
    previous = lexeme
  }
  return comments
}

/** Tokens of the lexer that are no text: the start of a document, a scalar to come, the end of broken brackets. */
const marks: ReadonlySet<string> = new Set(['\x02', scalarFollows, '\x18'])
