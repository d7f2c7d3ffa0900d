import type { Node, YAMLError } from 'yaml'
import { type Composed, type Stretch, stretchOf, yaml } from './document.ts'

/** Where yaml stumbled, and its code and message. */
export type Misread = Stretch & { readonly said: string }

/** The first syntax error of a document; the others mostly follow from it. */
export const syntaxError = ({ errors, contents }: Composed): Misread | undefined => {
  // by offset; of errors at one place, the one about a missing comma says most
  const rank = ({ code, pos }: YAMLError): number =>
    pos[0] - (code === 'BLOCK_IN_FLOW' ? 0.5 : 0)
  const syntax = errors
    .filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')
    .sort((a, b) => rank(a) - rank(b))
  const [first] = syntax
  if (first === undefined) return undefined
  const startOf = ({ message, pos }: YAMLError): number =>
    isUnclosed.test(message) ? openingOf(contents, pos[0]) : pos[0]
  // an open quote is the cause of everything wrong after it
  const quote = syntax.find(({ message }) => message.startsWith('Missing closing'))
  const cause = quote !== undefined && startOf(quote) <= first.pos[0] ? quote : first
  return { said: `${cause.code} ${cause.message}`, from: startOf(cause), to: cause.pos[1] }
}

/** What yaml says of a quote or bracket that nothing closes, and which one it misses. */
const missing = 'Missing closing|and end with a|must end with a'
export const isUnclosed = new RegExp(`(?:${missing}) (["'\\]}])`)

/**
 * yaml reports a missing quote or bracket where it should stand; people look for the one that
 * waits for it.
 */
const openingOf = (contents: Node | null, end: number): number => {
  let opening = end
  yaml().visit(contents, {
    Value: (_, node) => {
      const waits = yaml().isScalar(node) ? node.type?.startsWith('QUOTE') : node.flow
      const { from, to } = stretchOf(node)
      if (waits && to === end) opening = from
    },
  })
  return opening
}

/** A line that is no entry of a mapping. */
export const lineError = (from: number): Misread => ({
  said: 'MISSING_CHAR Implicit keys',
  from,
  to: from,
})
