import type { Data } from '../../content/parse/data.ts'
import { parse } from '../../content/parse/parse.ts'
import { readEntries } from './entries.ts'
import { type Edited, prove } from './prove.ts'

/** Gives a key of the file another name; the value and all else stay. */
export const renameKey = (source: string, from: string, to: string): Edited => {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const text = source.slice(mark.length)
  const entry = readEntries(text)?.entries.find(({ key }) => key === from)
  const start = entry === undefined ? -1 : text.lastIndexOf(from, entry.keyEnd - 1)
  if (entry === undefined || start < entry.line) return { refused: 'it is not written as one key a line' }
  const after = text.slice(0, start) + to + text.slice(start + from.length)
  const data = parse({ file: '', text }).data as Readonly<Record<string, Data>>
  const wanted = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key === from ? to : key, value]),
  )
  const edited = prove(text, after, wanted)
  return edited.refused === undefined ? { text: mark + edited.text } : edited
}
