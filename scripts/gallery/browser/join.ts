/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The Join page, in a browser: what somebody types goes into the links to the forge and into the files' texts. */
import { idOf } from './id.ts'

/** Fills in what can be known from the names that are typed. */
export const join = (form: HTMLFormElement): void => {
  const inputs = [...form.querySelectorAll('input')]
  const texts = [...form.querySelectorAll('pre')]
  const links = [...form.querySelectorAll<HTMLAnchorElement>('a.buy')].map((link) => {
    return { link, address: link.href }
  })
  const fill = async () => {
    const [username = '', work = ''] = inputs.map(({ value }) => value.trim().replace(/\s+/g, '-'))
    // as the program names the folder that members are grouped in
    const group = (length: number) =>
      username
        .toLowerCase()
        .slice(0, length)
        .replace(/[^a-z0-9]/g, '_')
        .padEnd(length, '_')
    const names = [username, username && work && `${username}/${work}`]
    const ids = await Promise.all(names.map((name) => name && idOf(name)))
    for (const [at, { link, address }] of links.entries()) {
      const filled = (text: string) =>
        text
          .replace(/^id:.*/, `id: ${ids[at]}`.trimEnd())
          .replace(/GROUP-(.)/, (mark, length) => (username ? group(Number(length)) : mark))
          .replace('YOUR-NAME', (mark) => username || mark)
          .replace('WORK-NAME', (mark) => work || mark)
      const url = new URL(address)
      for (const [key, text] of [...url.searchParams]) url.searchParams.set(key, filled(text))
      link.href = url.href
      const text = texts[at]
      if (text) text.textContent = filled(text.textContent ?? '')
    }
  }
  form.addEventListener('input', () => void fill())
  form.addEventListener('submit', (event) => event.preventDefault())
}
