/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The Join page, in a browser: what somebody types goes into the links to the forge and into the files' texts. */
import { idOf } from './id.ts'

/** The folder of members that a username belongs into, as the program names it. */
const groupOf = (username: string, length: number): string =>
  username
    .toLowerCase()
    .slice(0, length)
    .replace(/[^a-z0-9]/g, '_')
    .padEnd(length, '_')

/** Fills in what can be known from the names that are typed. */
export const join = (form: HTMLFormElement): void => {
  const links = [...form.querySelectorAll<HTMLAnchorElement>('a.buy')]
  const texts = [...form.querySelectorAll('pre')]
  const first = links.map(({ href }) => href)
  const typedIn = (id: string): string =>
    form.querySelector<HTMLInputElement>(`#${id}`)?.value.trim().replace(/\s+/g, '-') ?? ''

  const fill = async (): Promise<void> => {
    const username = typedIn('username')
    const work = typedIn('work')
    const names = [username, work && username && `${username}/${work}`]
    const ids = await Promise.all(names.map((name) => (name === '' ? '' : idOf(name))))
    for (const [at, link] of links.entries()) {
      const url = new URL(first[at] ?? link.href)
      for (const [key, value] of url.searchParams) {
        const isName = key !== 'value'
        const named = value
          .replace(/GROUP-([12])/, (mark, length) =>
            username ? groupOf(username, Number(length)) : mark,
          )
          .replace('YOUR-NAME', () => username || 'YOUR-NAME')
          .replace('WORK-NAME', () => work || 'WORK-NAME')
        url.searchParams.set(
          key,
          isName ? named : value.replace(/^id:/, `id: ${ids[at]}`.trimEnd()),
        )
      }
      link.href = url.href
    }
    for (const [at, text] of texts.entries())
      text.textContent = (text.textContent ?? '').replace(/^id:.*/, `id: ${ids[at]}`.trimEnd())
  }
  form.addEventListener('input', () => void fill())
  form.addEventListener('submit', (event) => event.preventDefault())
}
