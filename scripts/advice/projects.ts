import { type Data, isMapping, type Mapping } from '../content/parse/data.ts'
import { timestampsIn } from './dates.ts'
import { longest } from './spot.ts'

/**
 * Projects however they were written: one alone, by their ids, key by key or as texts: `7:
 * 2014-03-01`, `[7, 8]`, `7 Posters 2014-03-01`. Each has what it says.
 */
export const namedEntries = (data: Data): readonly Mapping[] => {
  if (typeof data === 'string') return entriesInText(data)
  if (!isMapping(data)) return joined(data.flatMap(namedEntries))
  const known = Object.entries(data).flatMap(([key, value]) => {
    const name = entryKeys[key.toLowerCase()]
    return name === undefined ? [] : [[name, value]]
  })
  if (known.length > 0)
    return known.length === Object.keys(data).length ? [Object.fromEntries(known)] : []
  return Object.entries(data).flatMap(([key, value]) => {
    const [own = {}, ...others] = namedEntries(key)
    const [inner = {}, ...more] = value === '' ? [] : namedEntries(value)
    return others.length + more.length > 0 ? [] : [{ ...own, ...inner }]
  })
}

const entryKeys: Readonly<Record<string, string>> = {
  id: 'id',
  created: 'created',
  date: 'created',
  title: 'title',
  name: 'title',
}

/**
 * Entries whose keys were made entries of their own, put together again: `- id: 7`, `-
 * created: 2014-03-01`.
 */
const joined = (all: readonly Mapping[]): readonly Mapping[] => {
  const whole: Mapping[] = []
  for (const one of all) {
    const last = whole.at(-1)
    const isRest = last && !Object.keys(one).some((key) => key in last)
    if (isRest) whole.splice(-1, 1, { ...last, ...one })
    else whole.push(one)
  }
  return whole
}

const entriesInText = (text: string): readonly Mapping[] => {
  const plain = text.slice(0, longest).replace(/\b(?:id|created|date)\b|(?<=\d)[TZ]/g, ' ')
  const words = plain.replace(/\d[\d./-]*/g, ' ').match(/\p{L}.*\p{L}|\p{L}/u)
  const title = words ? { title: words[0].replace(/\s+/g, ' ') } : {}
  const found = Array.from(plain.matchAll(entry), ([, id, date, alone]) => {
    const [moment, another] = timestampsIn(date ?? alone ?? '')
    const isClear = moment !== undefined && another === undefined
    return { ...(id !== undefined && { id }), ...(isClear && { created: moment }) }
  })
  const [{ id = '' } = {}] = found
  // a year is no id
  if (found.length === 1 && /^(?:19|20)\d\d$/.test(id))
    return [{ created: `${id}-01-01`, ...title }]
  if (words === null) return found
  return found.length > 1 ? [] : [{ ...found[0], ...title }]
}

/** An id, a date or both. */
const day = String.raw`(\d[\d./-]{7,})`
const entry = new RegExp(
  String.raw`(?<![\d./-])(?:([1-9]\d*)(?![\d./-])(?:\D*${day})?|${day})`,
  'g',
)
