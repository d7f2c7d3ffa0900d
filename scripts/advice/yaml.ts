import { mappingOf } from '../content/parse/data.ts'
import { lineAt } from '../content/parse/document.ts'
import type { Parsed } from '../content/parse/parse.ts'
import type { Problem } from '../content/parse/problem.ts'
import { inTemplate } from '../content/values/unlikely.ts'
import { byPlace, type Diagnostic } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { quote } from '../text/printable.ts'
import { isOfEntry } from './meant.ts'
import { isProse, longest } from './spot.ts'
import { type Around, isCopied, keysAround, lookAround, textAbove } from './yaml-around.ts'
import { isKey, known } from './yaml-line.ts'
import { lastRule, oddIndent, oddlyIndented, rules } from './yaml-rules.ts'

// What is said of a syntax error: a table of rules decides, by yaml's words and the text around.

/**
 * What is told of lines that begin with spaces which are none for YAML, and so are a part of
 * their keys.
 */
export const oddIndentation = (
  { data, placeOf }: Parsed,
  text: string,
): Diagnostic | undefined => {
  const [key = '', another] = Object.keys(mappingOf(data)).filter((one) =>
    oddlyIndented.test(one),
  )
  const from = text.indexOf(key)
  // one alone has a name that is meant
  if (another === undefined || from === -1) return undefined
  const advice =
    'delete the spaces in front of each line that begins so, and type them anew; an editor can replace all of them'
  return diagnose('yaml-syntax', placeOf(lineAt(text, from)), { problem: oddIndent, advice })
}

/** What is told of the YAML of a file, in its order. */
export const explainYaml = (
  { problems, placeOf }: Parsed,
  text: string,
): readonly Diagnostic[] => {
  const copied = problems.find(
    ({ code, from }) => code === 'duplicate-key' && isCopied(keysAround(text, from)),
  )
  // of a file that stands there twice, the first key is told
  const follows = (one: Problem) =>
    one.code === copied?.code && one.from > copied.from && placeOf(one).column === 1
  return problems
    .filter((one) => !follows(one))
    .map((one) => explainProblem(one, text, placeOf))
    .sort(byPlace)
}

const explainProblem = (one: Problem, text: string, placeOf: Parsed['placeOf']) => {
  const { code, args, from, first } = one
  const place = placeOf(one)
  if (code === 'duplicate-key') {
    const entry =
      place.column > 1
        ? innerKey(text.slice(0, from))
        : secondKey(String(args.key), text, from)
    const related = first && [{ ...placeOf(first), message: 'it is given here first' }]
    return diagnose(code, place, { ...args, entry }, related)
  }
  if (code === 'multiple-documents') return diagnose(code, place, afterDocument(text, from))
  const around = lookAround(code === 'yaml-syntax' ? args.said : '', text, one)
  const { pieces } = around
  if (code === 'yaml-syntax') {
    const { at, fix, ...words } = adviseOn(around, text)
    return { ...diagnose(code, placeOf(at), words), ...(fix !== undefined && { fix }) }
  }
  if (code === 'bad-tag') {
    const isWhole = /: +$/.test(pieces.before) && !pieces.onwards.startsWith('!!')
    const advice = (isWhole && pieces.meant) || undefined
    return diagnose(code, place, { tag: text.slice(from, one.to), advice })
  }
  if (code === 'bad-key') {
    const isNote = /^\[\^?\w+\]:? /.test(pieces.line) && isProse(pieces.keyAbove)
    const text = isNote ? pieces.keyAbove : undefined
    return diagnose(code, place, {
      ...args,
      text,
      template: pieces.line.match(inTemplate)?.[0],
    })
  }
  // code and args belong together, which a union can't show
  return diagnose(code, place, args as never)
}

const innerKey = (before: string) => {
  const mark = /,[ \t]*$/.test(before)
    ? '"}, {" in place of the comma'
    : '"- " in place of two of the spaces'
  return `if another entry begins here, write ${mark} before it; else keep one of the two`
}

/**
 * What to do with a key that is there already: all of another file may begin, or it may be
 * that of a project.
 */
const secondKey = (key: string, text: string, from: number) => {
  const { above, below } = keysAround(text, from)
  if (isCopied({ above, below }))
    return 'if another one begins here, move it to a file of its own; else remove what is there twice'
  if (isOfEntry(key, textAbove(text, from)))
    return 'if it belongs to the entry above, begin it with two spaces; else keep one of the two'
  if (known()[key]?.items) return 'list all of it below one of the two, and remove the other'
  return key === 'id' && /^(?!.*\bid_project\b).*\bimage\b/.test([...above, ...below].join())
    ? 'if one of them is the id of a project, write id_project before it; else keep one of the two'
    : undefined
}

/** A text below `|` or `>`, and what goes on with one below a line that does not. */
const inLines = /:[ \t]*[|>][-+\d]*[ \t]*\n(?:(?:[ \t].*)?\n)+$/
const goesOn = /^(?:---|\.\.\.)[ \t]*\n(?:[ \t]*\n)*[ \t]+\S/

/**
 * Whether nothing but the line that begins a second document is wrong, and the key where a
 * text below it belongs.
 */
const afterDocument = (text: string, second: number) => {
  const { above, below } = keysAround(text, second)
  const isOther = below.some((key) => above.includes(key))
  const isText = /^(?!\w+[ \t]*:|[\s#-])./m.test(
    text.slice(second).replace(/^---|^\.\.\./, ''),
  )
  const isWithin = goesOn.test(text.slice(second)) && inLines.test(textAbove(text, second))
  const ownText = above.includes('name') ? 'bio' : 'description'
  return {
    isWithin,
    empty: !isOther && !isText && text.startsWith('---', second),
    key: isOther || !isText ? undefined : ownText,
  }
}

/**
 * What to point at; what is wrong, and what to write; what belongs there, where that has one
 * answer.
 */
const adviseOn = ({ pieces, stretches }: Around, text: string) => {
  const fitting = rules.find(([where]) =>
    Object.entries(where).every(([name, form]) =>
      form.test(pieces[name as keyof typeof pieces]),
    ),
  )
  const [, shown, problem, otherwise = '', always] = fitting ?? lastRule
  const at = stretches[shown]
  const typed = text.slice(at.from, at.to)
  const filled = (words: string) =>
    words
      .replace('{sign}', quote(typed.slice(0, 1)))
      .replace(
        /\{(next|keyAbove|meant)\}/,
        (_, name: 'next' | 'keyAbove' | 'meant') => pieces[name],
      )
  const meant = always ? '' : pieces.meant
  const advice = filled(meant || otherwise)
  const below = stretches['line below']
  const isLike = shown === 'line' && isOddLike(typed, text.slice(below.from, below.to))
  return {
    at,
    problem: filled(problem),
    advice:
      meant !== '' && isLike
        ? `${advice}; change the lines below that are like it, too`
        : advice,
    fix: fixFor(typed, pieces, advice),
  }
}

/**
 * Whether two lines have the same signs around their first words, and none that are right
 * there: `**title:** Tea`.
 */
const isOddLike = (line: string, another: string) => {
  const [a, b] = [line, another].map((one) => oddSigns.exec(one)?.slice(1).join('\n'))
  return a !== undefined && a === b
}

const oddSigns = /^(?!(?:- )*\w+: |- \w)(\W*)\w+([^\w\s]*\s?[^\w\s]*)/

/**
 * What advice says to write in place of what was typed: all of it in quotes, or a line with
 * its sign or comment put right.
 */
const fixFor = (typed: string, { line }: Around['pieces'], advice: string) => {
  if (typed.length > longest || typed.trim() === '') return undefined
  if (advice === 'remove it') return ''
  const better = advice.replace(/^write /, '')
  if (better.startsWith('# ') || typed === better.replace(/^- /, '-')) return better
  // nothing but the sign between key and value is another
  const [, key = '', value] = /^(?:- )?(\w+): (.+)$/.exec(better) ?? []
  const front = value && typed.endsWith(value) ? typed.slice(0, -value.length) : ''
  if (isKey(key) && /^(?:- +)?\w+\s*-?[:=：→>]+\s*$/.test(front)) return better
  const quoted = JSON.stringify(typed)
  const isQuoted = line.trimStart().replace(typed, () => quoted) === better
  return isQuoted && !/^[|>-]|\s#/.test(typed) ? quoted : undefined
}
