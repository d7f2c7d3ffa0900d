import { yaml } from '../../content/parse/document.ts'

/** A comment of a YAML text: `# so`. The end of the line is not part of it. */
export type Comment = { readonly from: number; readonly text: string }

/** Every comment, in the order of the text. */
export const commentsOf = (text: string): readonly Comment[] => {
  if (!text.includes('#')) return []
  const comments: Comment[] = []
  let at = 0
  let previous = ''
  for (const lexeme of new (yaml().Lexer)().lex(text)) {
    if (isMark(lexeme)) {
      previous = lexeme
      continue
    }
    if (lexeme.startsWith('#') && previous !== scalarFollows)
      comments.push({ from: at, text: lexeme.trimEnd() })
    at += lexeme.length
    previous = lexeme
  }
  return comments
}

/** Tokens of the lexer that are no text: the start of a document, a scalar to come, the end of broken brackets. */
const isMark = (lexeme: string): boolean => lexeme === '\x02' || lexeme === scalarFollows || lexeme === '\x18'

const scalarFollows = '\x1f'
