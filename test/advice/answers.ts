import { asciiDigits } from '../../scripts/advice/dates.ts'
import { fixText } from '../../scripts/edit/fix.ts'
import type { Diagnostic } from '../../scripts/problems/diagnostic.ts'
import { mark, unmarked } from '../content/parse/marked.ts'

/**
 * The text with a hint obeyed: a line in place of the key's lines, else something in place of
 * the mark.
 */
export const obey = (marked: string, correction: string) => {
  const isLine = correction === '' || /^(?:- |# |[a-zA-Z_]+: )/.test(correction)
  const lines = unmarked(marked.slice(0, marked.indexOf('‹'))).split('\n')
  const key = /^\w+:(?= )/.exec(correction)?.[0]
  // keys between brackets
  if (key !== undefined && /[{,] *$/.test(lines.at(-1)!) && !lines.at(-1)!.includes(key))
    return inPlace(marked, correction)
  const isInner = key !== undefined && new RegExp(`[{,] *${key} *$`).test(lines.at(-1)!)
  if (isInner) return inPlace(marked, correction.slice(key.length + 1))
  if (!isLine) return inPlace(marked, correction)
  const above =
    key === undefined ? 0 : lines.toReversed().findIndex((line) => line.includes(key))
  const first = lines.length - 1 - Math.max(0, above)
  const last = marked.slice(0, marked.indexOf('›')).split('\n').length - 1
  const all = unmarked(marked).split('\n')
  const isItem = correction.startsWith('- ')
  const lead = (isItem ? /^ */ : /^ *(?:- (?=\w+:))?/).exec(all[first]!)![0]
  return all.toSpliced(first, last - first + 1, lead + correction).join('\n')
}

const inPlace = (marked: string, better: string) => marked.replace(/‹[^›]*›/s, () => better)

/** The text with the fix of a problem, where it has one that is proved. */
export const fixed = (text: string, problem: Diagnostic) =>
  [fixText(text, [problem])].flatMap((one) => one?.text ?? [])

/**
 * The lines that a hint tells to write, one for each reading, and the words that it says they
 * leave out.
 */
export const answersOf = ({ hint = '' }: Diagnostic) => {
  // an id that nobody has is no answer; two keys are two
  if (/if that is what they are$/.test(hint)) return { lines: [], told: '' }
  const [, all = ''] =
    /\bwrite (?!for example|id: \d+; any)((?:- )?\w+: (?!\||>).*)/s.exec(hint) ?? []
  const [, told = ''] = /; that leaves out (".*")/s.exec(all) ?? []
  const [own = ''] = all.replace(', and add a line ', '\n').split(afterAnswer)
  const [, key] = /^((?:- )?\w+: )/.exec(own) ?? []
  return { lines: key === undefined ? [] : own.split(new RegExp(` or (?=${key})`)), told }
}

const afterAnswer = new RegExp(
  [
    '; that leaves out ".*"',
    '; (?:if it |else |the keys |"\\./"|left out|any whole|the first|"#")',
    ', (?:or |in place|with the id|as "|if that)',
    ' and \\w+: .*, if that| in place of it| above the key',
  ].join('|'),
  's',
)

/**
 * What an answer may change of letters and digits, or drop in silence, by its key or the code
 * of the problem.
 */
const conversions: readonly (readonly [of: RegExp, words: RegExp])[] = [
  // read as a whole
  [/bad-(?:timestamp|draft|boolean|token)|date|created|draft/, /./],
  // 007, 1.0, 12k, 1O1, No. 12, shot-12
  [/bad-(?:id|count)|id: |id_project: |status: /, /^[\dlIOk]+$|^(?:no?|shots?)$/i],
  // a project with the id and the day that it lacks
  [/projects/, /^(?:id|created|title|2014|01|02|03|1)$/],
  // tags, entities and comments of HTML, UTF-8 read in another encoding
  [/./, /^(?:br?|p|amp|nbsp|lt|ndash|hellip|8211|Uuml|Über)$/],
  [/unlikely-value/, /[âÃéÉ]|^TMs$/],
  // code
  [/./, /^(?:const|let|export|array|require|true)$/],
  // words between two things, numbers of a list
  [/./, /^(?:and|und|y|is|text|[12])$/],
  // what belongs to an address, and not to its place
  [/./, /^(?:https?|www|img|src|href|alt|url|git|twitter|com)$/],
  // a page that shows a picture
  [/unlikely-value/, /^(?:blob|raw|githubusercontent|dl|[01])$/],
  // what the API adds by itself
  [/unlikely-value/, /^(?:username|ana|shots)$/],
  // `#c24`, a colour
  [/accent/, /^[\da-f]{3,6}$/i],
]

const letters = (text: string) =>
  asciiDigits(text)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

const decoded = (text: string) =>
  text
    .replace(/\\u([\da-f]{4})/gi, (_, code) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
    .replace(/\\[nrt]/g, ' ')
    .replace(/(?:%[\da-f]{2})+/gi, decodeURIComponent)

/** The words of one text that another hasn't got the letters of. */
const wordsBeyond = (text: string, other: string) => {
  const words =
    decoded(text)
      .normalize('NFKC')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const known = [other, decoded(other)].map(letters)
  return words.filter((word) => !known.some((one) => one.includes(letters(word))))
}

/** Keys, folders of the author's own disk, and comments. */
const notSaid =
  /\s#.*|[\w-]+(?::(?=\s)| *=)|(?:[A-Z]:|file:|\.\.|[@~]|\\\\|\/(?:Users|home))\S*[\\/]/g

type Load = (text: string) => { readonly diagnostics: readonly Diagnostic[] }

/**
 * What is wrong with the fix and the answers of a problem: words that they lose or make up,
 * or an error that is left.
 */
export const harmOf = (text: string, problem: Diagnostic, load: Load) => {
  const { code, line, endLine } = problem
  const own = text
    .split('\n')
    .slice(line - 1, endLine)
    .join('\n')
    .replace(notSaid, ' ')
  const { lines, told } = answersOf(problem)
  const isKnown = (word: string) =>
    conversions.some(([of, words]) => of.test(`${code} ${lines[0]}`) && words.test(word))
  const after = [
    ...fixed(text, problem),
    ...lines.map((one) => obey(mark(text, [problem]), one)),
  ]
  const isWrong = (one: string) =>
    load(one).diagnostics.some((other) => other.severity === 'error' && other.line === line)
  // a value that went on below has all of its lines in the answer
  const wrong = after.filter((one) => isWrong(one) && isWrong(one.replace(/\n .*/g, '')))
  const fixedLine = fixed(text, problem).map((one) => one.split('\n')[line - 1]!)
  const answers = [lines.join('\n'), ...fixedLine].filter((one) => one !== '')
  const words = answers.flatMap((one) => [
    ...wordsBeyond(own, one + told),
    ...wordsBeyond(one.replace(notSaid, ' '), text),
  ])
  return [
    ...words.filter((word) => !isKnown(word)),
    ...wrong.map((one) => `still wrong: ${one}`),
  ]
}
