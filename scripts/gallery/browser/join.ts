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
  const addresses = links.map(({ href }) => href)
  const typedIn = (id: string): string =>
    form.querySelector<HTMLInputElement>(`#${id}`)?.value.trim().replace(/\s+/g, '-') ?? ''

  const fill = async (): Promise<void> => {
    const username = typedIn('username')
    const work = typedIn('work')
    const ids = await Promise.all([
      username && idOf(username),
      username && work && idOf(`${username}/${work}`),
    ])
    for (const [at, id] of ids.entries()) {
      const filled = (text: string): string =>
        text
          .replace(/^id:.*/, `id: ${id}`.trimEnd())
          .replace(/GROUP-([12])/, (mark, length) =>
            username ? groupOf(username, Number(length)) : mark,
          )
          .replace('YOUR-NAME', () => username || 'YOUR-NAME')
          .replace('WORK-NAME', () => work || 'WORK-NAME')
      const url = new URL(addresses[at] ?? '', location.href)
      for (const [key, text] of [...url.searchParams]) url.searchParams.set(key, filled(text))
      links[at]?.setAttribute('href', url.href)
      const text = texts[at]
      if (text) text.textContent = filled(text.textContent ?? '')
    }
  }
  form.addEventListener('input', () => void fill())
  form.addEventListener('submit', (event) => event.preventDefault())
}
