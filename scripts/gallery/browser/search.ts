/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The search of the gallery, in a browser: reads what `search-index.ts` writes, and shows
 * what holds each word.
 */

import { fold, toneOf } from '../words.ts'
import { make } from './elements.ts'
import { drawDead } from './pictures.ts'

/** Something that a line of the index tells of. */
type Row = {
  /** The name or title as it is compared, then its other words. */
  readonly text: string
  /** Where the other words begin. */
  readonly end: number
  readonly label: string
  readonly what: string
  /** Below the root. */
  readonly address: string
  /** An address, below the root if it begins with a slash; `''` is none. */
  readonly picture: string
}

/** Milliseconds after which a reader of 200,000 lines lets the browser do something else. */
const slice = 40

const readIndex = async (index: string): Promise<readonly Row[]> => {
  const rows: Row[] = []
  const tags: string[] = []
  let base = ''
  let kind = ''
  let until = performance.now() + slice
  for (const line of index.split('\n')) {
    const [start, second = '', label = '', numbers = '', picture = '', words] =
      line.split('\t')
    if (start) {
      base = start
      kind = second
      continue
    }
    if (kind === 'Tag') tags.push(label)
    const name = fold(label)
    const others =
      words ?? numbers.replace(/\w+/g, (one) => tags[Number.parseInt(one, 36)] ?? '')
    const text = ` ${name}\n ${fold(others)} ${fold(kind)}`
    // of members it is their username
    const what = kind === '@' ? kind + second : kind
    rows.push({
      text,
      end: name.length + 1,
      label,
      what,
      address: `${base}${second}/`,
      picture,
    })
    if (performance.now() < until) continue
    await new Promise((resolve) => setTimeout(resolve))
    until = performance.now() + slice
  }
  return rows
}

/**
 * How well a row fits, 0 best; 4 if the word is not in it. What begins a word of the name or
 * title comes first, then what is within them, then what begins another word, such as a tag.
 */
const rankOf = ({ text, end }: Row, word: string) => {
  const at = text.indexOf(word)
  if (at < 0) return 4
  const start = text.indexOf(` ${word}`)
  if (start >= 0 && start < end) return 0
  if (at <= end) return 1
  return start < 0 ? 3 : 2
}

/** Results that are shown. */
const most = 60

const bestOf = (rows: readonly Row[], words: readonly string[]) => {
  const ranks: Row[][] = [[], [], [], []]
  for (const row of rows)
    ranks[Math.max(...words.map((word) => rankOf(row, word)))]?.push(row)
  return ranks.flat()
}

/** Searches at each key. */
export const search = (input: HTMLInputElement): void => {
  const status = document.getElementById('found')
  const results = document.getElementById('results')
  if (!status || !results) return
  const offered = [...results.childNodes]
  const { index = '' } = input.dataset
  const root = index.replace('search.js', '')
  let rows: readonly Row[] | undefined

  const hit = ({ address, label, what, picture }: Row) => {
    const src = picture.replace(/^\//, root)
    const image = make('img', { src, alt: '', loading: 'lazy' })
    const face = what.startsWith('@') && make('span', { className: 'face' }, image)
    const drawing = src === '' && make('i', { className: toneOf(address) })
    const shown = face || drawing || image
    const about = make('span', {}, make('b', {}, label), make('small', {}, what))
    return make('li', {}, make('a', { href: root + address }, shown, about))
  }
  const show = () => {
    const words = fold(input.value).match(/\S+/g)
    if (!words) results.replaceChildren(...offered)
    if (!words || !rows) {
      status.textContent = words && 'Loading …'
      return
    }
    const found = bestOf(rows, words)
    const hits = make('ul', { className: 'people' }, ...found.slice(0, most).map(hit))
    results.replaceChildren(...(found.length > 0 ? [hits] : offered))
    drawDead(hits)
    const rest = found.length > most ? `, the first ${most} are shown` : ''
    const asked = found.length > 0 ? rest : ` for “${input.value.trim()}”`
    status.textContent = `${found.length || 'Nothing'} found${asked}`
  }
  const load = () => {
    show()
    if ('searchIndex' in globalThis) return
    const searchIndex = async (text: string) => {
      rows = await readIndex(text)
      show()
    }
    Object.assign(globalThis, { searchIndex })
    document.head.append(make('script', { src: index }))
  }

  input.addEventListener('input', load)
  input.form?.addEventListener('submit', (event) => event.preventDefault())
  input.value = new URLSearchParams(location.search).get('q') ?? ''
  if (input.value !== '') load()
}
