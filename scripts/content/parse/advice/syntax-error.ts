import type { Node, YAMLError } from 'yaml'
import { yaml } from '../../yaml.ts'
import type { Stretch } from '../tree.ts'
import { adviceOn } from './syntax-advice.ts'
import { type Advice, valueColumn } from './syntax-advice-by-line.ts'

/** Where yaml stumbled, and what to say about it. */
export type Misread = Stretch & Pick<Advice, 'problem' | 'advice'>

/** The first syntax error of a document in our own words, on one line; the others mostly follow from it. */
export const syntaxError = (
  errors: readonly YAMLError[],
  contents: Node | null,
  text: string,
): Misread | undefined => {
  const syntax = errors.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')
  const first = earliest(syntax)
  if (first === undefined) return undefined
  // an open quote is the cause of everything wrong after it
  const quote = earliest(syntax.filter(({ message }) => message.startsWith('Missing closing')))
  const opening = quote && openingOf(contents, quote.pos[0])
  if (quote !== undefined && opening! <= first.pos[0]) return describe(quote, opening!, text)
  const isFlow = /and end with a|must end with/.test(first.message)
  return describe(first, isFlow ? openingOf(contents, first.pos[0]) : first.pos[0], text)
}

/** What is wrong with a line that is no entry of a mapping. */
export const lineError = (text: string, from: number): Misread =>
  describe({ code: 'MISSING_CHAR', message: 'Implicit keys', pos: [from, from] }, from, text)

const describe = (
  { code, message, pos }: Pick<YAMLError, 'code' | 'message' | 'pos'>,
  at: number,
  text: string,
): Misread => {
  const from = Math.min(at, text.length)
  const line = lineAt(text, from)
  const below = lineAt(text, text.indexOf('\n', from) + 1 || text.length)
  const { shown, ...advice } = adviceOn(code, message, {
    line: text.slice(line.from, Math.min(line.to, line.from + lookedAt)),
    before: text.slice(line.from, from),
    after: text.slice(from, line.to),
    below: text.slice(below.from, Math.min(below.to, below.from + lookedAt)),
    above: text.slice(Math.max(0, line.from - lookedAt), line.from),
    onwards: text.slice(from, from + lookedAt),
  })
  switch (shown) {
    case 'token':
      return { ...advice, from, to: Math.max(from, Math.min(pos[1], line.to)) }
    case 'rest':
      return { ...advice, from, to: Math.max(from, line.to) }
    case 'value':
      return { ...advice, from: line.from + valueColumn(text.slice(line.from, line.to)), to: line.to }
    case 'line':
      return { ...advice, ...trimmed(text, line) }
    case 'line below':
      return { ...advice, ...trimmed(text, below) }
    default:
      return shown satisfies never
  }
}

/** UTF-16 units around an error that advice looks at: a line may be a whole file of 1 MiB. */
const lookedAt = 4096

const earliest = (errors: readonly YAMLError[]): YAMLError | undefined => {
  let first = errors[0]
  for (const error of errors) if (rank(error) < rank(first!)) first = error
  return first
}

/** By offset; of errors at one place, the one about a missing comma says most. */
const rank = ({ code, pos }: YAMLError): number => pos[0] - (code === 'BLOCK_IN_FLOW' ? 0.5 : 0)

/** yaml reports a missing quote or bracket where it should stand; people look for the one that waits for it. */
const openingOf = (contents: Node | null, end: number): number => {
  let opening = end
  const { isCollection, isScalar, visit } = yaml()
  visit(contents, (_, node) => {
    const waits = isScalar(node) ? node.type?.startsWith('QUOTE') : isCollection(node) && node.flow
    if (waits && (node as Node).range![1] === end) opening = (node as Node).range![0]
  })
  return opening
}

const lineAt = (text: string, offset: number): Stretch => {
  const from = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', from)
  return { from, to: from + text.slice(from, end === -1 ? text.length : end).trimEnd().length }
}

const trimmed = (text: string, { from, to }: Stretch): Stretch => {
  const indent = text.slice(from, to).search(/[^ \t]/)
  return { from: from + Math.max(indent, 0), to }
}
