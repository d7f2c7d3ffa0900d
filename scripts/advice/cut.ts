import { isPicture } from '../content/layout.ts'
import { valueAt } from '../content/parse/data.ts'
import { sheetError } from '../content/values/unlikely.ts'
import type { Diagnostic, Place } from '../problems/diagnostic.ts'
import { diagnose, indentText } from '../problems/messages.ts'
import { meantData, meantText } from './choices.ts'
import * as hint from './hint.ts'
import { meantWords } from './meant.ts'
import {
  type FileSpot,
  fits,
  isAddress,
  isFreeText,
  isMeant,
  longest,
  type Spot,
  takes,
  typedAt,
} from './spot.ts'
import { written } from './written.ts'

// What a comment, an anchor or the mark of a text in lines takes from a value: `title: Poster
// #1` is published as "Poster", `tags: #poster` and `price_item: >9` as nothing.

/** A spot, and the aliases in its file, as they are written: `*name`. */
type WithAliases = FileSpot & { readonly aliases: ReadonlySet<string> }

/** Why nothing is left of a value that must be there: a comment took it, or it is an anchor. */
export const noValue = (spot: FileSpot): Diagnostic | undefined => {
  const taken = behind(spot, /^(:?\s*)([#&]\S.*)$/)
  if (taken === undefined) return undefined
  const { lost, place } = taken
  const meant = meantBy(lost, spot)
  const advice = meant === undefined ? hint.answerFor(lost, spot).advice : write(spot, meant)
  return diagnose('no-value', place, { sign: lost.slice(0, 1), advice })
}

/** Warns of a value that is cut, and not of one that is right with a comment beside it. */
export const cutValue = (text: string, spot: WithAliases): Diagnostic | undefined => {
  if (/^".*\S \\ /s.test(typedAt(spot))) {
    const why = 'in double quotes, a backslash in front of a space is left out'
    const advice = 'write two backslashes for one, or use single quotes'
    return diagnose('unlikely-value', spot.file.parsed.place(spot.path, 'value'), {
      value: text,
      why,
      advice,
    })
  }
  const [digits] = (text.trim() === '' && /^[|>][-+]?\d[-+]?/.exec(typedAt(spot))) || []
  if (digits !== undefined) {
    const place = spot.file.parsed.place(spot.path, 'value')
    return diagnose('cut-by-comment', place, { lost: digits, advice: write(spot, digits) })
  }
  const below = hashtagsBelow(spot)
  if (below !== undefined) return diagnose('cut-by-comment', below.place, below)
  const found = anchorBefore(spot)
  const anchor = spot.aliases.has(`*${found?.lost.slice(1)}`) ? undefined : found
  const taken = anchor ?? behind(spot, text === '' ? /^(: +)([#&][^\s#].*)$/ : hashed)
  if (taken === undefined) return undefined
  const { lost, place } = taken
  const whole = text === '' ? meantBy(lost, spot) : wholeOf(text, taken, spot)
  const meant = anchor ? asMeant(`${lost} ${text}`, spot) : whole
  const isRight = meant !== undefined && fits(meant, spot)
  return diagnose('cut-by-comment', place, {
    lost,
    advice: isRight ? write(spot, meant) : undefined,
  })
}

/** A text with what a comment takes of it. */
const wholeOf = (
  text: string,
  { gap, lost }: { gap: string; lost: string },
  spot: FileSpot,
) => {
  if (spot.schema.format === 'timestamp') return meantText(`${text} ${lost.slice(1)}`, spot)
  if (!isAddress(spot.schema)) return text + gap + lost
  // an address goes on behind "#", without a space; not so the name of a picture
  return isPicture(lost) ? asMeant(text + gap + lost, spot) : text + lost
}

/** What a comment takes of a text, which may be a part of it: but for ` # a remark` at its end. */
const hashed = /^( +)(#[^\s#].*?)(?: # .*)?$/

/** What stands behind a text as a comment, and may be a part of it. */
export const lostBehind = (spot: FileSpot): string =>
  typeof valueAt(spot.file.data, spot.path) === 'string'
    ? (behind(spot, hashed)?.lost ?? '')
    : ''

const write = (spot: Spot, value: unknown) => {
  if (typeof value === 'string' && sheetError.test(value)) return hint.cellAdvice(spot)
  const line = `${spot.isItem ? '- ' : ''}${written(spot, value)}`
  return line.length > longest ? 'put all of it in double quotes' : `write ${line}`
}

/** What a value is to be that a comment took: a list, a number, or the text with its mark. */
const meantBy = (lost: string, spot: FileSpot) => {
  const bare = lost.replace(spot.schema.items ? /^&\s*/ : /^[#&]\s*/, '')
  if (spot.isItem) return meantWords(bare)[0]
  return isFreeText(spot.schema) ? asMeant(lost, spot) : meantData(bare, spot)
}

/** A text as it is, or, where nobody means that, as it was meant: `&copy; Ana`. */
const asMeant = (text: string, spot: Spot) =>
  isMeant(text, spot) ? text : (meantText(text, spot) ?? text)

/** What stands in a text that begins at a place: what is between, and what is lost. */
const lostIn = (text: string, at: Place, form: RegExp) => {
  const [, gap, lost] = form.exec(text) ?? []
  if (gap === undefined || lost === undefined) return undefined
  const column = at.column + gap.length
  const place = { ...at, column, endLine: at.line, endColumn: column + lost.length }
  return { gap, lost, place }
}

/** What follows on the line of a plain or empty value. */
const behind = (spot: FileSpot, form: RegExp) => {
  const { path, file } = spot
  const { parsed, lines } = file
  const isEmpty = valueAt(parsed.data, path) === '' && typeof path.at(-1) === 'string'
  const value = parsed.place(path, isEmpty ? 'key' : 'value')
  if (isMarked(spot)) return undefined
  const { endLine: line, endColumn: column } = value
  const rest = (lines()[line - 1] ?? '').slice(column - 1).trimEnd()
  return lostIn(rest, { ...value, line, column }, form)
}

/** Whether a value is in quotes or brackets, or below a mark. */
const isMarked = (spot: FileSpot) => /^["'[{|>]/.test(typedAt(spot))

/** What looks like an anchor in front of a value, and may be a word of it: `title: &Co poster`. */
export const anchorBefore = ({ path, file }: FileSpot) => {
  const place = file.parsed.place(path, 'value')
  const column = Math.max(1, place.column - 200)
  const before = (file.lines()[place.line - 1] ?? '').slice(column - 1, place.column - 1)
  return lostIn(before, { ...place, column }, /^(.*(?<!\S))(&\S{1,100}) +$/)
}

/**
 * Lines of hashtags that end a text below a key, or are all that stands below it: to YAML
 * they are comments.
 */
const hashtagsBelow = (spot: FileSpot) => {
  const { path, file } = spot
  const { parsed, lines } = file
  const isEmpty = valueAt(parsed.data, path) === ''
  const value = parsed.place(path, isEmpty ? 'key' : 'value')
  const typed = typedAt(spot)
  if (spot.isItem || /^[[{]/.test(typed)) return undefined
  const below = lines().slice(value.endLine, value.endLine + 20)
  const row = below.findIndex((one) => /\S/.test(one))
  const at = { ...value, line: value.endLine + row + 1, column: 1 }
  // at the start of a line, one alone may be a key that is left out
  const taken = lostIn(
    below[row]?.trimEnd() ?? '',
    at,
    /^(\s+|(?=#\S+\s+#))(#[\p{L}\p{N}][^:]*)$/u,
  )
  if (taken === undefined) return undefined
  const { lost, place } = taken
  const others = below.slice(row).findIndex((one) => !/^\s*#[\p{L}\p{N}]/u.test(one))
  const hashtags = below.slice(row, others === -1 ? undefined : row + others)
  if (isEmpty && spot.schema.items)
    return { lost, place, advice: write(spot, meantWords(hashtags.join(', '))) }
  const begin = 'begin each line of the text below it with two spaces'
  const mark = /^[|>"']/.exec(typed)?.[0] ?? ''
  const put = /["']/.test(mark) ? 'put it in front of the closing quote' : begin
  const advice = mark === '' ? `write ${spot.key}: | and ${indentText}` : put
  return isFreeText(spot.schema) && takes(spot.schema, '')
    ? { lost, place, advice }
    : undefined
}
