/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The Join page, in a browser: what somebody types goes into the links to the forge and into
 * the files' texts.
 */
import { idOf } from './id.ts'

/** Fills in what is known from what is typed: each input has the name of a key. */
export const join = (form: HTMLFormElement): void => {
  const texts = [...form.querySelectorAll('pre')].map((place) => {
    return { place, text: place.textContent ?? '' }
  })
  const links = [...form.querySelectorAll<HTMLAnchorElement>('a.buy')].map((link) => {
    return { link, address: link.href }
  })
  const fill = async () => {
    const typed = new FormData(form)
    const value = (key: string) => String(typed.get(key) ?? '').trim()
    const username = nameOf(value('username') || value('name'))
    const work = nameOf(value('title')).toLowerCase()
    const ids = await Promise.all([idOf(username), work && idOf(`${username}/${work}`)])
    const filledWith = (id: string) => (text: string) =>
      text
        .replace(/^(\w+):$/gm, (line, key) => {
          const known =
            key === 'id' ? username && id : value(key) && JSON.stringify(value(key))
          return `${line} ${known}`.trimEnd()
        })
        .replace(/GROUP-(.)/, (mark, length) =>
          username ? groupOf(username, Number(length)) : mark,
        )
        .replace('YOUR-NAME', (mark) => username || mark)
        .replace('WORK-NAME', (mark) => work || mark)
    for (const [at, { link, address }] of links.entries()) {
      const filled = filledWith(ids[at] ?? '')
      const url = new URL(address)
      for (const [key, text] of [...url.searchParams]) url.searchParams.set(key, filled(text))
      link.href = url.href
      texts[at]?.place.replaceChildren(filled(texts[at].text))
    }
  }
  const input = form.querySelector<HTMLInputElement>('#username')
  const member = new URLSearchParams(location.search).get('username')
  if (input && member) input.value = member
  void fill()
  form.addEventListener('input', () => void fill())
  form.addEventListener('submit', (event) => event.preventDefault())
}

/** A text as the name of a file or a folder. */
const nameOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|(?<![.-])[.-]+$/g, '')

/** The folder that members are grouped in, named as the program does it. */
const groupOf = (username: string, length: number) =>
  username
    .toLowerCase()
    .slice(0, length)
    .replace(/[^a-z0-9]/g, '_')
    .padEnd(length, '_')
