import { createRequire } from 'node:module'
import type { Document, Node, Parser } from 'yaml'
import { once } from '../once.ts'

const require = createRequire(import.meta.url)

/**
 * The package `yaml`, loaded when the first file needs it: in that time the quick reader
 * reads 5,000 files.
 */
export const yaml = once((): typeof import('yaml') => require('yaml'))

/** A part of a text: offsets in UTF-16 units, the end exclusive. */
export type Stretch = { readonly from: number; readonly to: number }

/** Where a node of a composed text stands. */
export const stretchOf = ({ range }: Node): Stretch => {
  const [from, to] = range ?? [0, 0]
  return { from, to }
}

/**
 * The first document of a text as `yaml` composes it, and what its composer doesn't tell. All
 * offsets in UTF-16 units.
 */
export type Composed = Pick<Document.Parsed, 'contents' | 'errors' | 'warnings'> & {
  /**
   * Offsets of the tags that are a lone `!`: to YAML they say "text", to an author they are a
   * part of the text.
   */
  readonly loneTags: readonly number[]
  /** Offset of the `---` (or the text) that begins a second document. */
  readonly second: number | undefined
}

/** Where a text goes beyond {@link maxDepth} or {@link maxParts}, and which of the two. */
type TooMuch = { readonly tooMuch: 'too-deep' | 'too-many-values'; readonly at: number }

/** Bounds every recursion over a document, in `yaml` and here. */
const maxDepth = 100

/**
 * Bounds what a stranger's file may cost: a few seconds. A profile with 5,000 projects has
 * fewer, and larger ones are read by the quick reader as long as nothing is wrong with them.
 */
export const maxParts = 50_000

/**
 * Reads the first document of a text, or of a stretch of it. The parser is driven token by
 * token, so that depth is known before anything recurses, and nothing after the first
 * document is read.
 */
export const composeFirst = (
  text: string,
  { from, to }: Stretch = { from: 0, to: text.length },
): Composed | TooMuch => {
  // yaml makes an Error of every syntax error; a million stack traces would take most of a minute
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const { Composer, Lexer, Parser } = yaml()
    const lexer = new Lexer()
    const parser = new Parser()
    parser.offset = from
    const composer = new Composer(options)
    const loneTags: number[] = []
    let found = false
    let failures = 0
    let second: number | undefined
    let previous = ''
    let parts = 0

    const take = (tokens: ReturnType<Parser['next']>): void => {
      for (const token of tokens) {
        if (token.type === 'document') found = true
        // one says enough
        if (token.type !== 'error' || failures++ === 0) for (const _ of composer.next(token));
      }
    }

    for (const lexeme of lexer.lex(text.slice(from, to))) {
      // or else it leaves out lines of spaces at the end that an indentation indicator makes
      // a part of the text
      if (/^[|>][-+]?[1-9]/.test(lexeme)) Object.assign(lexer, { blockScalarKeep: true })
      if (lexeme === '!' && previous !== scalarFollows) loneTags.push(parser.offset)
      if (previous === scalarFollows || marks.has(lexeme)) parts++
      if (parts > maxParts) return { tooMuch: 'too-many-values', at: parser.offset }
      previous = lexeme
      take(parser.next(lexeme))
      if (parser.stack.length > maxDepth)
        return { tooMuch: 'too-deep', at: parser.stack.at(-1)!.offset }
      if (found && parser.stack[0]?.type === 'document') {
        second = parser.stack[0].offset
        break
      }
    }
    if (second === undefined) take(parser.end())
    const [document] = composer.end(true, to) as Generator<Document.Parsed>
    const { contents, errors, warnings } = document!
    return { contents, errors, warnings, loneTags, second }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** What the lexer sends before the text of a plain or block scalar. */
export const scalarFollows = '\x1f'

/** The marks that stand for a value, or between two. */
const marks: ReadonlySet<string> = new Set(['-', '?', ':', ',', '[', '{'])

const options = {
  schema: 'failsafe',
  resolveKnownTags: false,
  prettyErrors: false,
  // its check compares every key with every other
  uniqueKeys: false,
} as const

/** The line around an offset, without white space at its end. */
export const lineAt = (text: string, offset: number): Stretch => {
  const from = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', from)
  return {
    from,
    to: from + text.slice(from, end === -1 ? text.length : end).trimEnd().length,
  }
}
