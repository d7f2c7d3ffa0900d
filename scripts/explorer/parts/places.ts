import { type Html, html } from '../../text/html.ts'
import type { View } from '../data/data.ts'

/** A line of a file, as a link where the person wants one. */
export const place = (file: string, line: number, { open }: Pick<View, 'open'>): Html => {
  const name = `${file.slice(file.lastIndexOf('/') + 1)}:${line}`
  return open === undefined
    ? html`<span class="place" title="${file}:${line}">${name}</span>`
    : html`<a class="place" href="${open(file, line)}" title="${file}:${line}">${name}</a>`
}

/** The same with the whole path of the file. */
export const fullPlace = (file: string, line: number, { open }: Pick<View, 'open'>): Html =>
  open === undefined
    ? html`<span class="place">${file}:${line}</span>`
    : html`<a class="place" href="${open(file, line)}">${file}:${line}</a>`

/** The name of a file as an id in a page; two names never share one. */
export const idOf = (file: string): string =>
  `file-${file
    .slice(file.lastIndexOf('/') + 1)
    .replace(/[^A-Za-z0-9.-]/gu, (char) => `_${char.codePointAt(0)!.toString(16)}_`)}`
