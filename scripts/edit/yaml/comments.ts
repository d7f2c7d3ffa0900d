import { scalarFollows, yaml } from '../../content/parse/document.ts'
import { groupBy } from '../../text/groups.ts'

/** Whether a text has all comments of another one. */
export const keepsComments = (before: string, after: string): boolean => {
  const left = groupBy(commentsOf(after), ({ text }) => text)
  const wanted = commentsOf(before)
  return wanted.every(({ text }) => left.get(text)?.pop())
}

/** Every comment of a YAML text, in its order: `# so`. The end of the line is not part of it. */
export const commentsOf = (text: string) => {
  const comments: { readonly from: number; readonly text: string }[] = []
  if (!text.includes('#')) return comments
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

/**
 * Tokens of the lexer that are no text: the start of a document, a scalar to come, the end of
 * broken brackets.
 */
const marks: ReadonlySet<string> = new Set(['\x02', scalarFollows, '\x18'])
