/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The search of the gallery, in a browser: reads the index that `render.ts` writes, and shows what holds each word. */

import { fold } from '../words.ts'
import { make } from './elements.ts'

/** A line of the index, and the kind of thing that it tells of. */
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

const rowOf = (
  label: string,
  others: string,
  about: Pick<Row, 'what' | 'address' | 'picture'>,
): Row => {
  const name = fold(label)
  return { text: ` ${name}\n ${fold(others)}`, end: name.length + 1, label, ...about }
}

/** Members, tags, skills, then works; a row is made when it is asked for. */
function* readIndex(index: string): Generator<Row> {
  const parts = index.split('\n\n').map((part) => part.split('\n'))
  const [tags = [], skills = [], rows = []] = parts
  const fieldsOf = (line: string) => line.split('\t')
  const labelsIn = (lines: readonly string[]): ((numbers: string) => string) => {
    const labels = lines.map((line) => fieldsOf(line)[1] ?? '')
    return (numbers) => numbers.replace(/\w+/g, (one) => labels[Number.parseInt(one, 36)] ?? '')
  }
  const tagsOf = labelsIn(tags)
  const skillsOf = labelsIn(skills)
  for (const line of rows) {
    const [username = '', name = '', numbers = '', place = '', picture = ''] = fieldsOf(line)
    if (username === '') continue
    const about = { what: `@${username}`, address: `members/${username}/`, picture }
    yield rowOf(name, `${username} ${skillsOf(numbers)} ${place}`, about)
  }
  const words = { tags: ['Tag', tags], skills: ['Skill', skills] } as const
  for (const [kind, [what, lines]] of Object.entries(words)) {
    for (const [slug = '', label = ''] of lines.map(fieldsOf))
      if (slug !== '') yield rowOf(label, '', { what, address: `${kind}/${slug}/`, picture: '' })
  }
  let username = ''
  let name = ''
  for (const line of rows) {
    const [first = '', second = '', third = '', last = '', picture = ''] = fieldsOf(line)
    if (first !== '') {
      username = first
      name = second
    } else if (second !== '') {
      const about = { what: name, address: `members/${username}/${second}/`, picture }
      yield rowOf(third, `${tagsOf(last)} ${name}`, about)
    }
  }
}

/** Each row once, as they are asked for: the first search reads the index, and those that follow what is there. */
const createRows = (index: string) => {
  const known: Row[] = []
  const more = readIndex(index)
  return (at: number): Row | undefined => {
    if (at < known.length) return known[at]
    const { value } = more.next()
    if (value) known.push(value)
    return value || undefined
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
    const inName = at <= end ? 1 : 3
    const elsewhere = start < 0 ? inName : 2
    worst = Math.max(worst, start >= 0 && start < end ? 0 : Math.min(inName, elsewhere))
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
  const { root = './', index = '' } = input.dataset
  let rowAt: ReturnType<typeof createRows> | undefined
  let turn = 0

  const hit = ({ address, label, what, picture }: Row): HTMLElement => {
    const link = make('a', { href: root + address })
    const src = picture.replace(/^\//, root)
    if (src !== '') link.append(make('img', { src, alt: '', loading: 'lazy' }))
    link.append(make('b', { textContent: label }), ' ', make('small', { textContent: what }))
    const item = make('li', {})
    item.append(link)
    return item
  }
  const show = async (): Promise<void> => {
    const mine = ++turn
    const words = fold(input.value).match(/\S+/g) ?? []
    if (words.length === 0) results.replaceChildren(...offered)
    if (rowAt === undefined || words.length === 0) {
      status.textContent = words.length === 0 ? '' : 'Loading …'
      return
    }
    const found = await find(rowAt, words, () => mine !== turn)
    if (found === undefined) return
    const list = make('ul', { className: 'hits' })
    list.append(...found.map(hit))
    results.replaceChildren(list)
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
