import { type Composed, composeFirst, type Stretch, yaml } from './document.ts'
import { lineError, type Misread, syntaxError } from './syntax-error.ts'

/**
 * Nobody writes files beyond this size (UTF-16 units) or number of entries by hand; to read
 * them twice is no help.
 */
export const recoverLimits = { size: 1 << 16, entries: 100 } as const

/**
 * Reads each entry of the outermost mapping by itself, so that a syntax error in one doesn't
 * hide the others: the entries that are sound, a mapping each, and the errors. Of a text that
 * doesn't come apart like that, its `first` error alone.
 */
export const recover = (text: string, contents: Composed['contents'], first: Misread) => {
  const nothing = { sound: [], errors: [first] }
  if (yaml().isCollection(contents) && (contents.flow || yaml().isSeq(contents)))
    return nothing
  if (text.length > recoverLimits.size || mergeMark.test(text)) return nothing
  const stretches = entriesOf(text)
  if (stretches.length > recoverLimits.entries) return nothing
  const sound: Composed[] = []
  const errors: Misread[] = []
  for (const stretch of stretches) {
    const one = composeFirst(text, stretch)
    if ('tooMuch' in one) return nothing
    const error = syntaxError(one)
    if (error !== undefined) errors.push(error)
    else if (yaml().isMap(one.contents)) sound.push(one)
    else errors.push(lineError(stretch.from))
  }
  return { sound, errors: errors.length > 0 ? errors : [first] }
}

/** A merge that was not finished holds every key twice, which is no second mistake. */
const mergeMark = /^(?:<{7}|>{7}) /m

/**
 * A key at the beginning of a line; a space may be missing after its colon, but not before
 * the slashes of a URL.
 */
const keyForms = [
  String.raw`[A-Za-z_][\w-]*[ \t]*:(?=\s|$)`,
  String.raw`[A-Za-z_]\w*:(?!\/\/)(?=\S)`,
  String.raw`"[^"\n]*"[ \t]*:(?=\s|$)`,
  String.raw`'[^'\n]*'[ \t]*:(?=\s|$)`,
]
const keyLine = new RegExp(`^ *(?:${keyForms.join('|')})`, 'gm')

/**
 * The entries of the outermost mapping, each from its key to the next one; what comes before
 * the first key counts as one.
 */
const entriesOf = (text: string): readonly Stretch[] => {
  const keys = Array.from(text.matchAll(keyLine), ({ 0: found, index }) => ({
    from: index,
    indent: found.search(/\S/),
  }))
  const starts = keys.filter(({ indent }) => indent <= (keys[0]?.indent ?? 0))
  // comments and `---` in front are no entry
  const hasPreface = /^(?!---)[^\s#]/m.test(text.slice(0, starts[0]?.from))
  return [...(hasPreface ? [{ from: 0 }] : []), ...starts].map(({ from }, at, all) => ({
    from,
    to: all[at + 1]?.from ?? text.length,
  }))
}
