/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The search of the gallery, in a browser: reads what `search-index.ts` writes, and shows what holds each word. */

import { fold } from '../words.ts'
import { make } from './elements.ts'

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

/** A row is made when it is asked for. */
function* readIndex(index: string): Generator<Row> {
  const tags: string[] = []
  let base = ''
  let kind = ''
  for (const line of index.split('\n')) {
    const [start, second = '', label = '', numbers = '', picture = '', words] = line.split('\t')
    if (start) {
      base = start
      kind = second
      continue
    }
    if (kind === 'Tag') tags.push(label)
    const name = fold(label)
    const others = words ?? numbers.replace(/\w+/g, (one) => tags[Number.parseInt(one, 36)] ?? '')
    const rest = fold(`${others} ${kind}`)
    const text = ` ${name}\n ${rest}`
    // of members it is their username
    const what = kind === '@' ? kind + second : kind
    yield { text, end: name.length + 1, label, what, address: `${base}${second}/`, picture }
  }
}

/** Each row once, as they are asked for: the first search reads the index, and those that follow what is there. */
const createRows = (index: string) => {
  const known: Row[] = []
  const more = readIndex(index)
  return (at: number): Row | undefined => {
    const next = at < known.length ? undefined : more.next().value
    if (next) known.push(next)
    return known[at]
  }
}

/**
 * How well a row fits, 0 best; `undefined` if a word is not in it. A word that begins a word of the name or title comes
 * first, then one within them, then one that begins another word, such as a tag.
 */
const rankOf = ({ text, end }: Row, words: readonly string[]): number | undefined => {
  let worst = 0
  for (const word of words) {
    const at = text.indexOf(word)
    if (at < 0) return undefined
    const start = text.indexOf(` ${word}`)
    const elsewhere = start < 0 ? 3 : 2
    const outside = at <= end ? 1 : elsewhere
    worst = Math.max(worst, start >= 0 && start < end ? 0 : outside)
  }
  return worst
}

/** Results that are shown. */
const most = 60

/** Milliseconds after which a search lets the browser do something else. */
const slice = 12

/** The best rows, or `undefined` where `isOver` says that nobody waits any more. */
const find = async (
  rowAt: (at: number) => Row | undefined,
  words: readonly string[],
  isOver: () => boolean,
): Promise<readonly Row[] | undefined> => {
  const ranks: Row[][] = [[], [], [], []]
  let until = performance.now() + slice
  for (let at = 0, row = rowAt(0); row !== undefined; row = rowAt(++at)) {
    const rank = rankOf(row, words)
    if (rank !== undefined) ranks[rank]?.push(row)
    if (ranks[0]?.length === most) break
    if (at % 64 !== 0 || performance.now() < until) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (isOver()) return undefined
    until = performance.now() + slice
  }
  return ranks.flat().slice(0, most)
}

/** Searches at each key; `onShown` is called when results are on the page. */
export const search = (input: HTMLInputElement, onShown: () => void): void => {
  const status = document.getElementById('found')
  const results = document.getElementById('results')
  if (!status || !results) return
  const offered = [...results.childNodes]
  const { index = '' } = input.dataset
  const root = index.replace('search.js', '')
  let rowAt: ReturnType<typeof createRows> | undefined
  let turn = 0

  const hit = ({ address, label, what, picture }: Row): HTMLElement => {
    const src = picture.replace(/^\//, root)
    const shown = src === '' ? '' : make('img', { src, alt: '', loading: 'lazy' })
    const about = [make('b', {}, label), ' ', make('small', {}, what)]
    return make('li', {}, make('a', { href: root + address }, shown, ...about))
  }
  const show = async (): Promise<void> => {
    const mine = ++turn
    const words = fold(input.value).match(/\S+/g) ?? []
    const isEmpty = words.length === 0
    if (isEmpty) results.replaceChildren(...offered)
    if (rowAt === undefined || isEmpty) {
      status.textContent = isEmpty ? '' : 'Loading …'
      return
    }
    const found = await find(rowAt, words, () => mine !== turn)
    if (found === undefined) return
    results.replaceChildren(make('ul', { className: 'hits' }, ...found.map(hit)))
    onShown()
    const some = found.length === most ? `The first ${most}` : `${found.length} found`
    status.textContent = found.length === 0 ? 'Nothing found' : some
  }
  const load = (): void => {
    if (!('searchIndex' in globalThis)) {
      const searchIndex = (text: string): void => {
        rowAt = createRows(text)
        void show()
      }
      Object.assign(globalThis, { searchIndex })
      document.head.append(make('script', { src: index }))
    }
    void show()
  }

  input.addEventListener('input', load)
  input.form?.addEventListener('submit', (event) => event.preventDefault())
  input.value = new URLSearchParams(location.search).get('q') ?? ''
  if (input.value !== '') load()
  input.focus()
}
