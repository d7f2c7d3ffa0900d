import { type Answer, elements, header } from '../http/exchange.ts'

// What an answer says, in words. They may hold text of the answer, so they are not printable yet.

/** The status of an answer, and where it points to. */
export const statusOf = (answer: Answer): string => {
  const location = header(answer, 'Location')
  return location === undefined ? `${answer.status}` : `${answer.status} to ${location}`
}

export const isRedirect = ({ status }: Answer): boolean => status >= 300 && status < 400

export const isOk = ({ status }: Answer): boolean => status >= 200 && status < 300

/** The content coding of an answer; `identity` is none. */
export const codingOf = (answer: Answer): string =>
  elements(header(answer, 'Content-Encoding')).join(', ') || 'identity'

/** What an answer says in a header, as a line to show. */
export const shown = (answer: Answer, name: string): string => {
  const value = header(answer, name)
  return value === undefined ? `no ${name}` : `${name}: ${value}`
}

export const textOf = (answer: Answer): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(answer.content ?? answer.body)

/** The beginning of a body on one line. */
export const excerpt = (answer: Answer): string =>
  textOf(answer).slice(0, 200).trim().replace(/\s+/g, ' ').slice(0, 60)
